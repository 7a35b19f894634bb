import type { ItemError } from '../../errors.ts';
import type { QuotaChange } from '../protocol/alter-client-quotas.ts';
import type { QuotaEntity } from '../protocol/client-quotas.ts';
import type { QuotaFilter } from '../protocol/describe-client-quotas.ts';

/** One part of an entity, as shown. */
export interface QuotaPartRow {
  /** `<default>` is the default entity of the type. */
  readonly name: string;
  readonly type: string;
}

/** The quotas of one entity. */
export interface QuotaRow {
  readonly entity: readonly QuotaPartRow[];
  /** Sorted by key; a value is a decimal number without an exponent. */
  readonly values: readonly { readonly key: string; readonly value: string }[];
}

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

/** The result for one entity: the broker makes all changes or none. */
export interface AlteredQuotaRow {
  readonly entity: readonly QuotaPartRow[];
  readonly status: 'OK' | 'ERROR';
  readonly error: ItemError | null;
}

/** The calls about quotas. */
export interface QuotaCalls {
  /** Describes quotas with one request, sorted by entity. @throws CliError when the broker refuses */
  describeQuotas(call: DescribeQuotasCall): Promise<QuotaRow[]>;
  /** Alters quotas with one request; returns a row for each entity, in the order of the call. */
  alterQuotas(call: AlterQuotasCall): Promise<AlteredQuotaRow[]>;
}
