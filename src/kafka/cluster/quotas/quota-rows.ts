import { listOf, type RowOf, row, string } from '../../../shape/shape.ts';

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
export const QuotaPart = row({
  /** `<default>` is the default entity of the type. */
  name: string,
  type: string,
});
export type QuotaPart = RowOf<typeof QuotaPart>;

/** The quotas of one entity. */
export const Quota = row({
  entity: listOf(QuotaPart),
  /** Sorted by key; a value is a decimal number without an exponent. */
  values: listOf(row({ key: string, value: string })),
});
export type Quota = RowOf<typeof Quota>;

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
