import { int64, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

/** One feature of the cluster (KIP-584); nulls where the broker reports nothing. */
export const ClusterFeature = row({
  feature: string,
  /** The lowest and highest level that the broker supports. */
  supported_min: maybe(whole),
  supported_max: maybe(whole),
  /** The level that the whole cluster uses; null if the feature is not in use. */
  finalized_level: maybe(whole),
  /** Counts the changes of finalized levels. */
  epoch: maybe(int64),
});
export type ClusterFeature = RowOf<typeof ClusterFeature>;
