import { compareText } from '../../format/order.ts';
import {
  anything,
  at,
  described,
  fitting,
  inside,
  listOf,
  mapped,
  maybe,
  natural,
  orElse,
  type RowOf,
  row,
  string,
  truth,
  whole,
} from '../../shape/shape.ts';

/** A topic with its namespace; that of Kafka topics is `kafka`. */
export interface TopicName {
  readonly namespace: string;
  readonly topic: string;
}

/** One partition of a topic. */
export interface PartitionName extends TopicName {
  readonly partition: number;
}

/** The fields of the name of a partition. */
export const nameFields = { namespace: at('ns', string), topic: string, partition: whole };

/** `kafka/topic/0` as `topic/0`; partitions outside of the namespace of Kafka topics keep it. */
export const partitionText = mapped(string, (name) => name.replace(/^kafka\/(?=[^/]+\/\d+$)/, ''));

/** The brokers of a list of replicas. */
const brokers = listOf(inside('node_id', whole));

/** The cores of a list of replicas, in the same order. */
const cores = listOf(inside('core', whole));

/** Where the replicas of a partition are. */
export const PlacedPartition = row({
  ...nameFields,
  partition: at('partition_id', whole),
  /** The id of the leader; null if there is none. */
  leader: at('leader_id', maybe(natural)),
  /** The ids of the brokers; while the partition moves, those that it moves to. */
  replicas: brokers,
  /** The core of each replica, in the order of `replicas`; 0 if the broker does not report it. */
  cores: at('replicas', cores),
  /** Null if older versions do not say. */
  disabled: maybe(truth),
});
export type PlacedPartition = RowOf<typeof PlacedPartition>;

/** A partition, and whether it is being moved. */
export const PartitionState = row({
  ...PlacedPartition.fields,
  is_moving: at(
    'status',
    mapped(anything, (status) => status === 'in_progress'),
  ),
});
export type PartitionState = RowOf<typeof PartitionState>;

/** The work of one broker for a move. */
const reconciliation = row({
  broker: at('node_id', whole),
  operations: listOf(
    row({
      type: maybe(string),
      core: maybe(whole),
      retry_number: maybe(whole),
      revision: maybe(whole),
      status: maybe(string),
    }),
  ),
});

/** A partition that is being moved. */
export const PartitionMove = row({
  ...nameFields,
  old_replicas: at('previous_replicas', brokers),
  old_cores: at('previous_replicas', cores),
  new_replicas: at('current_replicas', brokers),
  new_cores: at('current_replicas', cores),
  size: at('partition_size', orElse(described(whole, 'size of the partition in bytes'), 0)),
  bytes_moved: orElse(whole, 0),
  bytes_left: at('bytes_left_to_move', orElse(whole, 0)),
  /** What is copied, for example `full_local_retention`; null if older versions do not say. */
  policy: at('reconfiguration_policy', maybe(string)),
  /** For example `in_progress`, `cancelled` or `forced`; null if older versions do not say. */
  status: maybe(string),
  reconciliation: at('reconciliation_statuses', listOf(reconciliation)),
});
export type PartitionMove = RowOf<typeof PartitionMove>;

/** A move that a cancellation has found. */
export const CanceledMove = row({
  ...nameFields,
  /** `Success`, or why the move continues. */
  result: string,
});
export type CanceledMove = RowOf<typeof CanceledMove>;

/** A replica to be: its broker and its core. */
export interface WantedReplica {
  readonly broker: number;
  readonly core: number;
}

/** Where a partition should end up. */
export interface WantedMove extends PartitionName {
  readonly new_replicas: readonly number[];
}

/** The partitions of a wait that are still moving, and those whose move has ended elsewhere than wanted. */
export interface MovesState {
  readonly moving: readonly PartitionMove[];
  /** How many partitions are not where they should be yet, including those whose move is not listed. */
  readonly left: number;
  readonly stopped: readonly PartitionName[];
}

/** What the balancer of partitions does. */
export const BalancerStatus = row({
  /** `off`, `ready`, `starting`, `in_progress` or `stalled`. */
  status: string,
  seconds_since_last_tick: maybe(whole),
  current_reassignments: at('current_reassignments_count', maybe(whole)),
  /** Partitions that wait for `force recover`; null if older versions do not say. */
  pending_recovery: at('partitions_pending_force_recovery_count', maybe(whole)),
  /** Some of them: `topic/partition`, or `namespace/topic/partition` outside of the namespace of Kafka topics. */
  pending_recovery_partitions: at('partitions_pending_force_recovery_sample', fitting(partitionText)),
  unavailable_brokers: at('violations.unavailable_nodes', fitting(whole)),
  over_disk_limit_brokers: at('violations.over_disk_limit_nodes', fitting(whole)),
});
export type BalancerStatus = RowOf<typeof BalancerStatus>;

/** A partition most of whose replicas are on brokers that are lost. */
export const LostPartition = row({
  namespace: at('ntp.ns', string),
  topic: at('ntp.topic', string),
  partition: at('ntp.partition', whole),
  /** Tells the topic from an earlier one of the same name. */
  topic_revision: whole,
  replicas: brokers,
  cores: at('replicas', cores),
  /** Those of the lost brokers that have a replica. */
  dead_brokers: at('dead_nodes', fitting(whole)),
});
export type LostPartition = RowOf<typeof LostPartition>;

const millisecondsAgo = described(whole, 'milliseconds ago');

/** How much of a partition is stored where; sizes in bytes, ages in milliseconds. Null: the server does not say. */
export const PartitionStorage = row({
  /** `disabled`, `write_only`, `read_only`, `full` or `read_replica`. */
  mode: at('cloud_storage_mode', string),
  cloud_start_offset: at('cloud_log_start_offset', maybe(natural)),
  cloud_last_offset: at('cloud_log_last_offset', maybe(natural)),
  local_start_offset: at('local_log_start_offset', maybe(natural)),
  local_last_offset: at('local_log_last_offset', maybe(natural)),
  cloud_bytes: at('cloud_log_size_bytes', maybe(whole)),
  local_bytes: at('local_log_size_bytes', maybe(whole)),
  total_bytes: at('total_log_size_bytes', maybe(whole)),
  cloud_segments: at('stm_region_segment_count', maybe(whole)),
  local_segments: at('local_log_segment_count', maybe(whole)),
  last_segment_upload_ms: at('ms_since_last_segment_upload', maybe(millisecondsAgo)),
  last_manifest_upload_ms: at('ms_since_last_manifest_upload', maybe(millisecondsAgo)),
  last_manifest_sync_ms: at('ms_since_last_manifest_sync', maybe(millisecondsAgo)),
  metadata_update_pending: maybe(truth),
});
export type PartitionStorage = RowOf<typeof PartitionStorage>;

/** The order of partitions: by namespace, topic and number. */
export function inOrder(a: PartitionName, b: PartitionName): number {
  return compareText(a.namespace, b.namespace) || compareText(a.topic, b.topic) || a.partition - b.partition;
}
