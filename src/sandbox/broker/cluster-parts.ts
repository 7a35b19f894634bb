import type { Clock } from '../../clock.ts';
import type { Faults } from './serve/faults.ts';
import type { Settings } from './settings.ts';

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
  readonly settings: Settings;
  readonly clusterId: string;
  readonly brokers: readonly BrokerAddress[];
  readonly faults: Faults;
  readonly coordinators: Coordinators;
  /** Set by the group coordinators. */
  transactionalOffsets: TransactionalOffsets | undefined;
  isUp(broker: number): boolean;
  /** How long a broker asks clients to slow down after a request of this API. */
  throttleMs(api: string, broker: number): number;
  /** Keeps an error of the model itself for whoever runs it. */
  reportDefect(error: unknown): void;
}
