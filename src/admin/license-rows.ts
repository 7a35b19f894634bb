import { at, listOf, mapped, maybe, orElse, type RowOf, row, string, truth, whole } from '../shape/shape.ts';

/** A license that the cluster has loaded. */
export const License = row({
  /** Null if the server does not name it: from Redpanda 26.1 on, it does so only to callers who log in. */
  organization: at('org', maybe(string)),
  /** `free_trial` or `enterprise`; newer servers may have others. */
  type: string,
  /** When it ends, in seconds since the epoch. */
  expires: whole,
  /** The SHA-256 checksum of its text; null if the server does not say. */
  checksum: at('sha256', maybe(string)),
  /** What the license is for; null if the server does not say, or it is for everything. */
  products: maybe(listOf(string)),
});
export type License = RowOf<typeof License>;

const feature = row({ name: string, enabled: orElse(truth, false) });

/** The use of features that need a license. */
export const EnterpriseUse = row({
  /** `valid`, `expired` or `not_present`; newer servers may have others. */
  status: at('license_status', string),
  /** Whether such features are used without a valid license. */
  violation: truth,
  /** The names of the features in use, sorted. */
  features: mapped(listOf(feature), (all) => all.flatMap(({ name, enabled }) => (enabled ? [name] : [])).sort()),
});
export type EnterpriseUse = RowOf<typeof EnterpriseUse>;
