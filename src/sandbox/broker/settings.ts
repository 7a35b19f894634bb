import { defaultGroupSettings, type GroupSettings } from './groups/settings.ts';

/** What can be set about a cluster; times are milliseconds. */
export interface Settings extends GroupSettings {
  /** Partitions and replicas of topics that are created without saying; at most as many replicas as brokers. */
  readonly partitions: number;
  readonly replicas: number;
  readonly minInsyncReplicas: number;
  readonly uncleanLeaderElection: boolean;
  readonly autoCreateTopics: boolean;
  /** Partitions of the topics behind group and transaction coordinators. */
  readonly coordinatorPartitions: number;
  /** How long a follower takes to copy what its leader has appended. */
  readonly replicationDelayMs: number;
  /** A follower that is behind for so long leaves the ISR (`replica.lag.time.max.ms`). */
  readonly replicaLagTimeMs: number;
  /** How long the controller takes to notice that a broker is gone, and to elect another leader. */
  readonly failoverDelayMs: number;
  /** How long a broker's metadata is older than the cluster's. */
  readonly metadataDelayMs: number;
  /** How long a new coordinator loads. */
  readonly coordinatorLoadMs: number;
  /** How long the markers of a transaction take to be written. */
  readonly markerDelayMs: number;
  /** The longest transaction timeout that a producer may ask for (`transaction.max.timeout.ms`). */
  readonly maxTransactionTimeoutMs: number;
  /** Leaders send readers to a replica in their rack (`replica.selector.class=RackAwareReplicaSelector`). */
  readonly rackAware: boolean;
  /** Only the controller creates and deletes topics; others answer NOT_CONTROLLER, as brokers without KRaft do. */
  readonly onlyController: boolean;
  /** How many fetch sessions a broker keeps (`max.incremental.fetch.session.cache.slots`). */
  readonly fetchSessions: number;
  /** Metadata names the ids of topics; brokers from before Kafka 2.8 do not. */
  readonly topicIds: boolean;
  /** APIs that the brokers do not have, by the protocol's names. */
  readonly missingApis: readonly string[];
}

/** Kafka's defaults, with delays as on one machine. */
export const defaultSettings: Settings = {
  ...defaultGroupSettings,
  partitions: 1,
  replicas: 1,
  minInsyncReplicas: 1,
  uncleanLeaderElection: false,
  autoCreateTopics: true,
  coordinatorPartitions: 50,
  replicationDelayMs: 1,
  replicaLagTimeMs: 30_000,
  failoverDelayMs: 500,
  metadataDelayMs: 1,
  coordinatorLoadMs: 0,
  markerDelayMs: 1,
  maxTransactionTimeoutMs: 900_000,
  rackAware: false,
  onlyController: false,
  fetchSessions: 1_000,
  topicIds: true,
  missingApis: [],
};
