import { defaultGroupSettings, type GroupSettings } from './groups/settings.ts';

/** The products whose brokers a cluster can imitate. */
export const flavourNames = ['kafka', 'redpanda'] as const;

/** One of `flavourNames`. */
export type FlavourName = (typeof flavourNames)[number];

/** The settings of a cluster, with times in milliseconds. */
export interface Settings extends GroupSettings {
  /** The product that the brokers imitate, from the start of the cluster. */
  readonly flavour: FlavourName;
  /** The default number of partitions and replicas of new topics; replicas are limited to the number of brokers. */
  readonly partitions: number;
  readonly replicas: number;
  readonly minInsyncReplicas: number;
  readonly uncleanLeaderElection: boolean;
  readonly autoCreateTopics: boolean;
  /** The number of partitions of the internal topics of group and transaction coordinators. */
  readonly coordinatorPartitions: number;
  /** How long a follower takes to copy records appended by the leader. */
  readonly replicationDelayMs: number;
  /** How long a follower may lag before it leaves the ISR (`replica.lag.time.max.ms`). */
  readonly replicaLagTimeMs: number;
  /** How long the controller takes to notice that a broker is down and to elect new leaders. */
  readonly failoverDelayMs: number;
  /** How long metadata changes take to reach a broker. */
  readonly metadataDelayMs: number;
  /** How long a new coordinator takes to load its state. */
  readonly coordinatorLoadMs: number;
  /** How long it takes to write the markers of a transaction. */
  readonly markerDelayMs: number;
  /** The longest transaction timeout that a producer may request (`transaction.max.timeout.ms`). */
  readonly maxTransactionTimeoutMs: number;
  /** The age of its last record at which a producer is forgotten (`producer.id.expiration.ms`). */
  readonly producerExpirationMs: number;
  /** How often leaders look for producers to forget (`producer.id.expiration.check.interval.ms`). */
  readonly producerExpirationCheckMs: number;
  /**
   * Whether brokers remember a producer whose records are deleted, and take any first sequence number of one that they do not
   * know. Before Kafka 2.4 they forget it, and before 2.5 (KIP-360) they answer UNKNOWN_PRODUCER_ID.
   */
  readonly keepsProducers: boolean;
  /** Whether leaders redirect readers to a replica in their rack, as with Kafka's RackAwareReplicaSelector. */
  readonly rackAware: boolean;
  /** Whether brokers other than the controller answer NOT_CONTROLLER to topic changes, as without KRaft. */
  readonly onlyController: boolean;
  /** The maximum number of fetch sessions per broker (`max.incremental.fetch.session.cache.slots`). */
  readonly fetchSessions: number;
  /** Metadata names the ids of topics; brokers from before Kafka 2.8 do not. */
  readonly topicIds: boolean;
  /** APIs that the brokers do not have, by the protocol's names. */
  readonly missingApis: readonly string[];
  /** The newest versions that older brokers have, by the protocol's names; the newest of all for other APIs. */
  readonly newestVersions: Readonly<Record<string, number>>;
  /** Features that the brokers report, each with level 1. */
  readonly features: readonly string[];
  /** What only Redpanda has. */
  readonly redpanda: {
    /** Partitions that an operator has disabled, as `TOPIC/PARTITION`. */
    readonly disabledPartitions: readonly string[];
    /** The bucket of tiered storage; empty without one. */
    readonly bucket: string;
    readonly mayDescribeCluster: boolean;
    /** How long a reassignment takes. */
    readonly moveMs: number;
  };
}

/** Kafka's default settings, with delays typical of a single machine. */
export const defaultSettings: Settings = {
  ...defaultGroupSettings,
  flavour: 'kafka',
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
  producerExpirationMs: 86_400_000,
  producerExpirationCheckMs: 600_000,
  keepsProducers: true,
  rackAware: false,
  onlyController: false,
  fetchSessions: 1_000,
  topicIds: true,
  missingApis: [],
  newestVersions: {},
  features: [],
  redpanda: { disabledPartitions: [], bucket: '', mayDescribeCluster: true, moveMs: 1_000 },
};
