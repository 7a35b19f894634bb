import type { CliError } from '../../errors.ts';
import type { WaitOptions } from '../../net/poll.ts';
import { maybe, type RowOf, row, string, truth, whole } from '../../shape/shape.ts';

/** A topic with its namespace; that of Kafka topics is `kafka`. */
export interface TopicName {
  readonly namespace: string;
  readonly topic: string;
}

/** One partition of a topic. */
export interface PartitionName extends TopicName {
  readonly partition: number;
}

/** Where the replicas of a partition are. */
export interface PlacedPartition extends PartitionName {
  /** The id of the leader; null if there is none. */
  readonly leader: number | null;
  /** The ids of the brokers; while the partition moves, those that it moves to. */
  readonly replicas: readonly number[];
  /** The core of each replica, in the order of `replicas`; 0 if the broker does not report it. */
  readonly cores: readonly number[];
  /** Null if older versions do not say. */
  readonly disabled: boolean | null;
}

/** A partition, and whether it is being moved. */
export interface PartitionState extends PlacedPartition {
  readonly is_moving: boolean;
}

/** The work of one broker for a move. */
export interface Reconciliation {
  readonly broker: number;
  readonly operations: readonly {
    readonly type: string | null;
    readonly core: number | null;
    readonly retry_number: number | null;
    readonly revision: number | null;
    readonly status: string | null;
  }[];
}

/** A partition that is being moved. */
export interface PartitionMove extends PartitionName {
  readonly old_replicas: readonly number[];
  readonly old_cores: readonly number[];
  readonly new_replicas: readonly number[];
  readonly new_cores: readonly number[];
  /** The size of the partition, in bytes. */
  readonly size: number;
  readonly bytes_moved: number;
  readonly bytes_left: number;
  /** What is copied, for example `full_local_retention`; null if older versions do not say. */
  readonly policy: string | null;
  /** For example `in_progress`, `cancelled` or `forced`; null if older versions do not say. */
  readonly status: string | null;
  readonly reconciliation: readonly Reconciliation[];
}

/** A move that a cancellation has found. */
export interface CanceledMove extends PartitionName {
  /** `Success`, or why the move continues. */
  readonly result: string;
}

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
export interface BalancerStatus {
  /** `off`, `ready`, `starting`, `in_progress` or `stalled`. */
  readonly status: string;
  readonly seconds_since_last_tick: number | null;
  readonly current_reassignments: number | null;
  /** Partitions that wait for `force recover`; null if older versions do not say. */
  readonly pending_recovery: number | null;
  /** Some of them: `topic/partition`, or `namespace/topic/partition` outside of the namespace of Kafka topics. */
  readonly pending_recovery_partitions: readonly string[];
  readonly unavailable_brokers: readonly number[];
  readonly over_disk_limit_brokers: readonly number[];
}

/** A partition most of whose replicas are on brokers that are lost. */
export interface LostPartition extends PartitionName {
  /** Tells the topic from an earlier one of the same name. */
  readonly topic_revision: number;
  readonly replicas: readonly number[];
  readonly cores: readonly number[];
  /** Those of the lost brokers that have a replica. */
  readonly dead_brokers: readonly number[];
}

/** How much of a partition is stored where; sizes in bytes, ages in milliseconds. Null: the server does not say. */
export const partitionStorage = row({
  /** `disabled`, `write_only`, `read_only`, `full` or `read_replica`. */
  mode: string,
  cloud_start_offset: maybe(whole),
  cloud_last_offset: maybe(whole),
  local_start_offset: maybe(whole),
  local_last_offset: maybe(whole),
  cloud_bytes: maybe(whole),
  local_bytes: maybe(whole),
  total_bytes: maybe(whole),
  cloud_segments: maybe(whole),
  local_segments: maybe(whole),
  last_segment_upload_ms: maybe(whole),
  last_manifest_upload_ms: maybe(whole),
  last_manifest_sync_ms: maybe(whole),
  metadata_update_pending: maybe(truth),
});

/** How much of a partition is stored where. */
export type PartitionStorage = RowOf<typeof partitionStorage>;

/** The calls about the placement of partitions, their leaders and their storage. */
export interface PartitionCalls {
  /**
   * The partitions of all topics, with internal ones, by namespace, topic and number.
   * @throws ApiError (404, exit 3) from older versions
   */
  allPartitions(): Promise<readonly PlacedPartition[]>;
  /** The partitions of one topic, by number. @throws ApiError (404, exit 3) for an unknown topic */
  partitionsOf(topic: TopicName): Promise<readonly PlacedPartition[]>;
  /** The state of each of these partitions, as the controller knows it, or why there is none. */
  partitionStates(names: readonly PartitionName[]): Promise<readonly (PartitionState | CliError)[]>;
  /** The partitions that are being moved, as the controller knows them, by namespace, topic and number. */
  moves(): Promise<readonly PartitionMove[]>;
  /** Whether each broker chooses the cores of its replicas (feature `node_local_core_assignment`). */
  choosesCores(): Promise<boolean>;
  /** Starts to move a partition; the same set of brokers changes nothing. */
  movePartition(name: PartitionName, replicas: readonly WantedReplica[]): Promise<void>;
  /** Moves the replica of a broker to another of its cores, where brokers choose cores themselves. */
  moveToCore(name: PartitionName, replica: WantedReplica): Promise<void>;
  /** Cancels all moves, or those to or from one broker; they return to where they were. */
  cancelMoves(broker?: number): Promise<readonly CanceledMove[]>;
  /**
   * Polls until all partitions are where they should be, or their move has ended elsewhere (`stopped`).
   * @throws CliError (exit 3) if a partition is gone, (exit 5) on a timeout
   */
  waitForMoves(wanted: readonly WantedMove[], options: WaitOptions<MovesState>): Promise<MovesState>;
  /** Polls until none of these partitions is being moved. @throws CliError (exit 5) on a timeout */
  waitForNoMoves(names: readonly PartitionName[], options: WaitOptions<MovesState>): Promise<MovesState>;
  /** Disables or enables one partition, or all of a topic. */
  setDisabled(name: TopicName & { readonly partition?: number }, isDisabled: boolean): Promise<void>;
  /** Makes a broker with a replica the leader of a partition. @param from the leader, which is asked */
  transferLeadership(name: PartitionName, leaders: { readonly from: number; readonly to: number }): Promise<void>;
  /** Starts to balance the partitions now. */
  rebalance(): Promise<void>;
  balancerStatus(): Promise<BalancerStatus>;
  /** The partitions most of whose replicas are on these brokers. */
  majorityLost(brokers: readonly number[]): Promise<readonly LostPartition[]>;
  /** Rebuilds partitions from the replicas that are left, and gives up what only the lost brokers had. */
  forceRecover(brokers: readonly number[], partitions: readonly LostPartition[]): Promise<void>;
  /** The storage of partitions of a Kafka topic, as their leaders know it, or why it is not known. */
  storageOf(topic: string, partitions: readonly number[]): Promise<readonly (PartitionStorage | CliError)[]>;
}
