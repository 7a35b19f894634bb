import type { ItemError } from '../../errors.ts';

/** One part of a quota's entity, for example the user `alice`; without a name it is the default of its type. */
export interface QuotaEntityPart {
  /** `user`, `client-id` or `ip`; Redpanda adds `client-id-prefix`. */
  readonly type: string;
  /** Undefined: the default entity of the type. */
  readonly name: string | undefined;
}

/** What a quota applies to. */
export type QuotaEntity = readonly QuotaEntityPart[];

/** A condition on one part of the entity. */
export interface QuotaFilter {
  readonly type: string;
  /** A name, the default entity of the type, or any of them. */
  readonly match: { readonly name: string } | 'default' | 'any';
}

/** A change of one quota; an undefined value removes it. */
export interface QuotaChange {
  readonly key: string;
  readonly value: number | undefined;
}

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
