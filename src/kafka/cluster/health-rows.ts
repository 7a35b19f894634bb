/** Why a cluster is unhealthy; the names are those of Redpanda's Admin API, and `offline_partitions` is weir's own. */
export type UnhealthyReason =
  | 'no_elected_controller'
  | 'nodes_down'
  | 'offline_partitions'
  | 'leaderless_partitions'
  | 'under_replicated_partitions';

/** The health of a cluster. Lists are sorted; partitions are written as `topic/partition`. */
export interface ClusterHealth {
  readonly is_healthy: boolean;
  readonly unhealthy_reasons: readonly UnhealthyReason[];
  /** Null when the cluster has no controller at the moment. */
  readonly controller_id: number | null;
  readonly all_nodes: readonly number[];
  /** Brokers that are registered but not serving, and replicas on brokers that the cluster does not report at all. */
  readonly nodes_down: readonly number[];
  /** The number of partitions that were checked: those of topics that the principal may describe. */
  readonly partition_count: number;
  /** Partitions whose replicas are all offline. */
  readonly offline_partitions: readonly string[];
  readonly offline_count: number;
  /** Partitions without a leader; a replica may be online, but out of sync. */
  readonly leaderless_partitions: readonly string[];
  readonly leaderless_count: number;
  /** Partitions with replicas that are not in sync. */
  readonly under_replicated_partitions: readonly string[];
  readonly under_replicated_count: number;
}

/** The calls about the health of the cluster. */
export interface HealthCalls {
  /** Reads the brokers and all partitions, with one DescribeCluster and one Metadata request. */
  clusterHealth(): Promise<ClusterHealth>;
}
