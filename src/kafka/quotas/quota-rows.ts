import { itemError } from '../../shape/item-error.ts';
import { listOf, type RowOf, row, string, word } from '../../shape/shape.ts';
import type { QuotaChange } from '../protocol/alter-client-quotas.ts';
import type { QuotaEntity } from '../protocol/client-quotas.ts';
import type { QuotaFilter } from '../protocol/describe-client-quotas.ts';

/** One part of an entity, as shown. */
const quotaPart = row({
  /** `<default>` is the default entity of the type. */
  name: string,
  type: string,
});

/** One part of an entity, as shown. */
export type QuotaPartRow = RowOf<typeof quotaPart>;

/** The quotas of one entity. */
export const entityQuotas = row({
  entity: listOf(quotaPart),
  /** Sorted by key; a value is a decimal number without an exponent. */
  values: listOf(row({ key: string, value: string })),
});

/** The quotas of one entity. */
export type QuotaRow = RowOf<typeof entityQuotas>;

/** The result for one entity: the broker makes all changes or none. */
export const alteredQuota = row({
  entity: listOf(quotaPart),
  status: word('OK', 'ERROR'),
  error: itemError,
});

/** The result for one entity. */
export type AlteredQuotaRow = RowOf<typeof alteredQuota>;

/** Which quotas to describe. */
export interface DescribeQuotasCall {
  /** Empty: all quotas. */
  readonly filters: readonly QuotaFilter[];
  /** Whether to leave out entities that have parts of types without a filter. */
  readonly strict: boolean;
}

/** The changes of one entity. */
export interface QuotaAlteration {
  readonly entity: QuotaEntity;
  readonly changes: readonly QuotaChange[];
}

/** The changes to make. */
export interface AlterQuotasCall {
  readonly alterations: readonly QuotaAlteration[];
  /** Lets the broker check the changes without making them. */
  readonly dryRun: boolean;
}

/** The calls about quotas. */
export interface QuotaCalls {
  /** Describes quotas with one request, sorted by entity. @throws CliError when the broker refuses */
  describeQuotas(call: DescribeQuotasCall): Promise<QuotaRow[]>;
  /** Alters quotas with one request; returns a row for each entity, in the order of the call. */
  alterQuotas(call: AlterQuotasCall): Promise<AlteredQuotaRow[]>;
}
