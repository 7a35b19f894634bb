import type { Clock } from '../../clock.ts';
import type { Partition } from './replication/partition.ts';
import type { Faults } from './serve/faults.ts';
import type { Settings } from './settings.ts';
import type { MetadataImage } from './topics/image.ts';
import type { Topics } from './topics/registry.ts';
import type { Topic } from './topics/topic.ts';
import type { Transactions } from './transactions/transactions.ts';

/** The configured address of one broker. */
export interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack?: string | undefined;
}

/** The kinds of coordinators. */
export type CoordinatorKind = 'group' | 'transaction';

/** Finds coordinators: a key is hashed to a partition of an internal topic, whose leader is the coordinator. */
export interface Coordinators {
  /** Returns the current coordinator; undefined when there is none or the internal topic does not exist yet. */
  coordinatorOf(kind: CoordinatorKind, key: string): number | undefined;
  /**
   * Returns the error code for a request about this key: 0 if the broker is the coordinator, NOT_COORDINATOR, or
   * COORDINATOR_LOAD_IN_PROGRESS for a while after it became the coordinator.
   */
  check(broker: number, kind: CoordinatorKind, key: string): number;
  /** Returns the partition of the internal topic that the key maps to. */
  partitionOf(kind: CoordinatorKind, key: string): number;
  /** Creates the internal topic if it is missing. */
  prepare(kind: CoordinatorKind): void;
  /** Registers a callback for each change of leader of an internal partition; `leader` is undefined if it has none. */
  onMove(call: (kind: CoordinatorKind, partition: number, leader: number | undefined) => void): void;
}

/** The access of transactions to the offsets committed in them, which the group coordinator stores. */
interface TransactionalOffsets {
  /** Ends a transaction: commits or discards the pending offsets of its producer in this group. */
  complete(end: {
    readonly group: string;
    readonly producerId: bigint;
    readonly producerEpoch: number;
    readonly committed: boolean;
  }): void;
}

/** The state and services that the parts of a cluster share. */
export interface Cluster {
  readonly clock: Clock;
  /** The settings, which can change while the cluster is running. */
  readonly settings: Settings;
  readonly clusterId: string;
  readonly brokers: readonly BrokerAddress[];
  readonly faults: Faults;
  readonly topics: Topics;
  readonly coordinators: Coordinators;
  readonly transactions: Transactions;
  /** The broker that acts as the controller. */
  readonly controller: number;
  /** Set by the group coordinators. */
  transactionalOffsets: TransactionalOffsets | undefined;
  /** Checks whether a broker's process is running. */
  isUp(broker: number): boolean;
  /** Checks whether the controller considers a broker dead. */
  isFenced(broker: number): boolean;
  /** Returns a broker's current view of the cluster. */
  image(broker: number): MetadataImage;
  /** Propagates the metadata of a changed topic to the brokers. */
  publish(topic?: Topic): void;
  /** Reports a change of a partition's leader. */
  leaderMoved(partition: Partition): void;
  /** Reports the end of a broker's process, which loses its in-memory state. */
  brokerEnded(broker: number): void;
  /** Registers a callback for the end of a broker's process. */
  onBrokerEnd(call: (broker: number) => void): void;
  replicationDelayMs(broker: number): number;
  metadataDelayMs(broker: number): number;
  /** Returns the throttle time in milliseconds that a broker reports for requests of this API. */
  throttleMs(api: string, broker: number): number;
  /** Returns a producer id that is unique in the cluster. */
  nextProducerId(): bigint;
  /** Records an internal error of the model. */
  reportDefect(error: unknown): void;
}
