import type { Algorithm } from './credentials.ts';

/** A broker as the Kafka protocol shows it. */
interface SeenBroker {
  readonly id: number;
  readonly rack: string | null;
  readonly alive: boolean;
  /** The listener that it announces to clients; by default port 9092 of the node's own address. */
  readonly listener?: { readonly host: string; readonly port: number };
  /** The host that it announces to other brokers; by default the address of its Admin API. */
  readonly rpcHost?: string;
}

/** A topic as the Kafka protocol shows it. */
export interface SeenTopic {
  /** `kafka` for every topic that Kafka clients see; others for internal topics. */
  readonly ns: string;
  readonly name: string;
  readonly partitions: readonly SeenPartition[];
}

/** A partition as the Kafka protocol shows it. */
export interface SeenPartition {
  readonly id: number;
  /** Null when it has no leader. */
  readonly leader: number | null;
  /** The ids of the brokers with a replica. */
  readonly replicas: readonly number[];
  /** Undefined when it is not known. */
  readonly sizeBytes?: number;
}

/** A cluster at one moment. */
export interface ClusterSnapshot {
  readonly brokers: readonly SeenBroker[];
  /** Undefined when they cannot be read now. */
  readonly topics: readonly SeenTopic[] | undefined;
  /** The names of its SCRAM users. */
  readonly users: readonly string[];
  /** The mechanisms of those that it knows; of several, one. */
  readonly mechanisms?: ReadonlyMap<string, string>;
}

/** A user to create or change. */
interface NewUser {
  readonly name: string;
  readonly password: string;
  readonly algorithm: Algorithm;
}

/**
 * The cluster that the simulator reflects: what the Kafka protocol and the Admin API both show comes from it. Placement
 * that the Admin API changes lies over it, because the view cannot be told to move partitions.
 */
export interface ClusterView {
  /** Reads the cluster as it is after the call; called before every request, so it must be quick. */
  read(): Promise<ClusterSnapshot>;
  /** Creates a user or replaces its password. */
  setUser(user: NewUser): Promise<void>;
  /** Deletes a user with all its credentials; nothing happens when it does not exist. */
  deleteUser(name: string): Promise<void>;
  /** Deletes all ACLs of a principal, for example `RedpandaRole:readers`; nothing happens where there are no ACLs. */
  deleteAcls(principal: string): Promise<void>;
  /** Checks the password of a user that the simulator did not create. */
  logsIn(name: string, password: string): Promise<boolean>;
}
