import { listOf, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';

/** The health as either API reports it. Lists are sorted; null is what the API that answered does not know. */
export const ShownHealth = row({
  /** Null if nothing is known to be wrong, but the API that answered does not know the state of partitions. */
  is_healthy: maybe(truth),
  /**
   * Why it is not: `no_elected_controller`, `nodes_down`, `leaderless_partitions` and `under_replicated_partitions`, as
   * in Redpanda's Admin API, whose newer servers may have others, and weir's own `offline_partitions`.
   */
  unhealthy_reasons: listOf(string),
  /** Null when the cluster has no controller at the moment. */
  controller_id: maybe(whole),
  all_nodes: listOf(whole),
  /** Brokers that are registered but not serving, and replicas on brokers that the cluster does not report at all. */
  nodes_down: listOf(whole),
  nodes_in_recovery_mode: maybe(listOf(whole)),
  high_disk_usage_nodes: maybe(listOf(whole)),
  /** The number of partitions that were checked: those of topics that the principal may describe. */
  partition_count: maybe(whole),
  /** Partitions whose replicas are all offline, written as `topic/partition`. */
  offline_partitions: maybe(listOf(string)),
  offline_count: maybe(whole),
  /** Partitions without a leader; a replica may be online, but out of sync. */
  leaderless_partitions: maybe(listOf(string)),
  leaderless_count: maybe(whole),
  /** Partitions with replicas that are not in sync. */
  under_replicated_partitions: maybe(listOf(string)),
  under_replicated_count: maybe(whole),
});
export type ShownHealth = RowOf<typeof ShownHealth>;
