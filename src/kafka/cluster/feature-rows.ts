/** One feature of the cluster (KIP-584); nulls where the broker reports nothing. */
export interface ClusterFeature {
  readonly feature: string;
  /** The lowest and highest level that the broker supports. */
  readonly supported_min: number | null;
  readonly supported_max: number | null;
  /** The level that the whole cluster uses; null if the feature is not in use. */
  readonly finalized_level: number | null;
  /** Counts the changes of finalized levels. */
  readonly epoch: bigint | null;
}

/** The calls about features. */
export interface FeatureCalls {
  /** Reads the features that one broker supports, and their levels in the cluster. */
  clusterFeatures(): Promise<ClusterFeature[]>;
}
