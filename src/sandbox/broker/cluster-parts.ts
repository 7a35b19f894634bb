import type { Clock } from '../../clock.ts';
import type { Partition } from './replication/partition.ts';
import type { Faults } from './serve/faults.ts';
import type { Settings } from './settings.ts';
import type { MetadataImage } from './topics/image.ts';
import type { Topics } from './topics/registry.ts';
import type { Topic } from './topics/topic.ts';
import type { Transactions } from './transactions/transactions.ts';

/** One broker as it was configured. */
export interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack?: string | undefined;
}

/** What has a coordinator. */
export type CoordinatorKind = 'group' | 'transaction';

/** Who coordinates what: the leader of the partition of an internal topic that the key falls into. */
export interface Coordinators {
  /** The broker that leads now; undefined when none does or the internal topic does not exist yet. */
  coordinatorOf(kind: CoordinatorKind, key: string): number | undefined;
  /**
   * The error code with which a broker refuses a request about this key: 0 where it is the coordinator,
   * NOT_COORDINATOR, or COORDINATOR_LOAD_IN_PROGRESS for a while after it became the coordinator.
   */
  check(broker: number, kind: CoordinatorKind, key: string): number;
  /** The partition of the internal topic that the key falls into. */
  partitionOf(kind: CoordinatorKind, key: string): number;
  /** Creates the internal topic where it is missing. */
  prepare(kind: CoordinatorKind): void;
  /** Calls whenever a partition of an internal topic gets another leader; undefined: none. */
  onMove(call: (kind: CoordinatorKind, partition: number, leader: number | undefined) => void): void;
}

/** What a transaction does to the offsets that were committed in it; the group coordinator has them. */
export interface TransactionalOffsets {
  /** The transaction has ended: what its producer left pending in this group becomes committed, or goes. */
  complete(end: {
    readonly group: string;
    readonly producerId: number;
    readonly producerEpoch: number;
    readonly committed: boolean;
  }): void;
}

/** What the parts of a cluster share. */
export interface Cluster {
  readonly clock: Clock;
  /** May change while the cluster runs. */
  readonly settings: Settings;
  readonly clusterId: string;
  readonly brokers: readonly BrokerAddress[];
  readonly faults: Faults;
  readonly topics: Topics;
  readonly coordinators: Coordinators;
  readonly transactions: Transactions;
  /** The broker that answers for the controller. */
  readonly controller: number;
  /** Set by the group coordinators. */
  transactionalOffsets: TransactionalOffsets | undefined;
  /** Whether a broker's process runs. */
  isUp(broker: number): boolean;
  /** Whether the controller takes a broker for gone. */
  isFenced(broker: number): boolean;
  /** What a broker knows of the cluster. */
  image(broker: number): MetadataImage;
  /** A topic has changed: its metadata spreads. */
  publish(topic?: Topic): void;
  /** A partition has another leader. */
  leaderMoved(partition: Partition): void;
  /** A broker's process has ended: what it had in memory only is gone. */
  brokerEnded(broker: number): void;
  /** Calls whenever a broker's process has ended. */
  onBrokerEnd(call: (broker: number) => void): void;
  replicationDelayMs(broker: number): number;
  metadataDelayMs(broker: number): number;
  /** How long a broker asks clients to slow down after a request of this API. */
  throttleMs(api: string, broker: number): number;
  /** Producer ids are given out once in a cluster. */
  nextProducerId(): number;
  /** Keeps an error of the model itself for whoever runs it. */
  reportDefect(error: unknown): void;
}
