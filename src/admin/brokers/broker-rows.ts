/** A broker as the Admin API shows it. */
export interface Broker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
  readonly cores: number;
  /** `active`, `draining` (it is being decommissioned) or `removed`. */
  readonly membership: string;
  /** Null if the node that answered does not know. */
  readonly is_alive: boolean | null;
  readonly version: string | null;
  /** Identifies the broker even if another one takes its id; null if older versions do not show it. */
  readonly uuid: string | null;
  readonly in_maintenance: boolean;
  /** The bytes that are free, and those there are, on the disk with the least free space; null if unknown. */
  readonly disk_free: number | null;
  readonly disk_total: number | null;
}

/** A broker that has left the cluster. */
export interface FormerBroker {
  readonly id: number;
  readonly uuid: string;
}

/** A partition with a replica on a certain broker. */
export interface HeldPartition {
  /** `topic`, or `namespace/topic` outside of the namespace of Kafka topics. */
  readonly topic: string;
  readonly partition: number;
  /** The ids of all brokers with a replica. */
  readonly replicas: readonly number[];
}

/** A replica that moves away from a broker that is being decommissioned. */
export interface MovingReplica {
  readonly topic: string;
  readonly partition: number;
  /** Where it goes; null if no place is decided yet. */
  readonly to: number | null;
  /** The size of the partition. */
  readonly size: number;
  readonly bytes_moved: number;
  readonly bytes_left: number;
}

/** How far a decommission is. */
export interface DecommissionState {
  readonly id: number;
  readonly finished: boolean;
  readonly replicas_left: number;
  /** Partitions for which no other broker has room. */
  readonly without_place: readonly string[];
  readonly replicas: readonly MovingReplica[];
}

/** The maintenance mode of a broker. */
export interface MaintenanceState {
  readonly id: number;
  readonly enabled: boolean;
  /** Whether it has no leadership any more. This and what follows is null if the server does not say. */
  readonly finished: boolean | null;
  /** Whether a transfer has failed. */
  readonly errors: boolean | null;
  /** How many partitions it led when the drain began. */
  readonly partitions: number | null;
  /** Those of them that another broker can lead. */
  readonly eligible: number | null;
  readonly transferring: number | null;
  readonly failed: number | null;
}

/** The health of the cluster. */
export interface Health {
  readonly healthy: boolean;
  /** Names such as `nodes_down`; newer servers may have others. */
  readonly reasons: readonly string[];
  readonly controller: number | null;
  readonly brokers: readonly number[];
  readonly down: readonly number[];
  readonly in_recovery_mode: readonly number[];
  /** `topic/partition`, or `namespace/topic/partition` outside of the namespace of Kafka topics; may be cut by the server. */
  readonly leaderless: readonly string[];
  readonly leaderless_count: number;
  readonly under_replicated: readonly string[];
  readonly under_replicated_count: number;
}
