import type { Clock } from '../../clock.ts';
import type { Versions } from '../../kafka/protocol/wire/api.ts';
import type { EpochStart } from './log/epochs.ts';
import type { ReplicaLog } from './log/replica-log.ts';
import type { Settings } from './settings.ts';

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

/** A request that a broker is about to perform. */
export interface ArrivedRequest {
  /** The protocol's name of its API, for example `Produce`. */
  readonly api: string;
  readonly broker: number;
  /** Of the type of the API's layout. */
  readonly request: unknown;
  /** Performs the request; an answer may also be a symbol, for none. */
  perform(done: (answer: unknown) => void): void;
  /** Returns the answer with an error code in every place that has one. */
  refusal(code: number): unknown;
  deliver(answer: unknown): void;
  /** Closes the connection. */
  cut(): void;
}

/** The state and services that the parts of a cluster share. */
export interface Cluster {
  readonly clock: Clock;
  /** The settings, which can change while the cluster is running. */
  readonly settings: Settings;
  readonly flavour: Flavour;
  readonly brokers: readonly BrokerAddress[];
  readonly topics: Topics;
  readonly coordinators: Coordinators;
  readonly transactions: Transactions;
  /** The broker that acts as the controller. */
  readonly controller: number;
  /** Set by tests that inject faults: takes over a request, or returns false. */
  intercept: ((request: ArrivedRequest) => boolean) | undefined;
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
  metadataDelayMs(broker: number): number;
  /** Returns the throttle time in milliseconds that a broker reports for requests of this API. */
  throttleMs(api: string, broker: number): number;
  /** Returns a producer id that is unique in the cluster. */
  nextProducerId(): bigint;
  /** Records an internal error of the model. */
  reportDefect(error: unknown): void;
}

/** The reason for refusing a change. */
export interface Problem {
  readonly code: number;
  readonly message: string;
}

/** What sets the brokers of one product apart from those of another, which the handlers consult. */
export interface Flavour {
  readonly clusterId: string;
  /** Returns which versions of an API the brokers serve, of those in the model; undefined if they do not have it. */
  versionsOf(api: string, versions: Versions): Versions | undefined;
  /** Whether Metadata shows a topic to clients that ask for all. */
  showsTopic(name: string): boolean;
  /** Returns a partition as Metadata shows it. */
  shownPartition(
    cluster: Cluster,
    topic: string,
    partition: PartitionImage,
    alive: ReadonlySet<number>,
  ): {
    readonly errorCode: number;
    readonly leaderId: number;
    readonly isrNodes: readonly number[];
    readonly offlineReplicas: readonly number[];
  };
  /** Whether it has a topic config. */
  hasConfig(name: string): boolean;
  /** Whether DescribeConfigs lists a topic config that it has, for a topic on which these were set. */
  listsConfig(name: string, set: ReadonlyMap<string, string>): boolean;
  /** Whether a topic config is accepted without an effect. */
  ignoresConfig(name: string, by: 'create' | 'alter'): boolean;
  /** Whether topic configs take APPEND and SUBTRACT. */
  readonly hasListOperations: boolean;
  /** Checks the number of replicas of a new topic. */
  problemWithReplicas(count: number): Problem | undefined;
  /** Gives the partitions of a topic another number of replicas, which its config `replication.factor` asks for. */
  resize(cluster: Cluster, topic: Topic, replicas: number): Problem | undefined;
  /** Whether compacted topics refuse records without a key. */
  readonly checksKeys: boolean;
  /** Whether a request that only validates a topic also looks for brokers for its replicas. */
  readonly placesInDryRun: boolean;
  /** Whether a topic config that was set to its default is shown as a default. */
  hidesDefault(name: string): boolean;
  /** Whether DeleteTopics keeps a topic and leaves it out of the answer. */
  isLeftOut(topic: string): boolean;
  /** Undefined if configs of brokers cannot be described and changed. */
  readonly brokerConfigs: BrokerConfigs | undefined;
}

/** The configs of brokers. */
export interface BrokerConfigs {
  describe(cluster: Cluster): readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
  /** Changes configs, also if the request only asks to validate them; a config without a value is removed. */
  alter(change: {
    readonly resourceName: string;
    readonly configs: readonly { readonly name: string; readonly value: string | undefined }[];
  }): Problem | undefined;
}

/** The state of a follower as known to the leader. */
export interface Follower {
  /** The end of its log at its last fetch in this epoch; -1 before the first. */
  end: number;
  /** Cancels the scheduled copy; undefined when there is none. */
  copying: (() => void) | undefined;
  /** Cancels the timer after which the follower leaves the ISR; undefined while it is caught up. */
  lagging: (() => void) | undefined;
  /** True while a test or simulation holds its replication. */
  isHeld: boolean;
}

/** An election of a leader. */
export interface Election {
  /** The time on the clock. */
  readonly at: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  /** The end of its log at that time, and the epochs in it. */
  readonly endOffset: number;
  readonly epochs: readonly EpochStart[];
}

/** A partition: its state at the controller and the logs of its replicas. */
export interface Partition {
  readonly topic: Topic;
  readonly index: number;
  replicas: readonly number[];
  isr: readonly number[];
  /** The leader's broker id; -1 without a leader. */
  leader: number;
  leaderEpoch: number;
  /** The end of the leader's log at its election. */
  epochStart: number;
  /** The time of the election on the clock. */
  electedAt: number;
  /** In their order. */
  readonly elections: Election[];
  readonly logs: Map<number, ReplicaLog>;
  readonly followers: Map<number, Follower>;
  /** The replicas on disks that have failed. */
  readonly offline: Set<number>;
  /** Callbacks for each change of a log, a watermark or the leader. */
  readonly watchers: Set<() => void>;
  isDeleted: boolean;
}

/** A topic at the controller. */
export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly isInternal: boolean;
  readonly partitions: Partition[];
  /** The configs set on the topic; all others have defaults. */
  readonly configs: Map<string, string>;
}

/** A partition in a broker's metadata. */
export interface PartitionImage {
  readonly index: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

/** A topic in a broker's metadata. */
export interface TopicImage {
  readonly name: string;
  readonly id: string;
  readonly isInternal: boolean;
  readonly partitions: readonly PartitionImage[];
}

/** A broker's view of the cluster, which can lag the controller's state. */
export interface MetadataImage {
  /** The ids of live brokers. */
  readonly alive: ReadonlySet<number>;
  readonly controller: number;
  readonly topics: ReadonlyMap<string, TopicImage>;
  readonly names: ReadonlyMap<string, string>;
}

/** The topics at the controller, in the order of their creation. */
export interface Topics {
  get(name: string): Topic | undefined;
  byId(id: string): Topic | undefined;
  all(): Iterable<Topic>;
  /** Creates a topic, whose name must be free, and elects its leaders. */
  create(topic: NewTopic): Topic;
  /** Adds partitions after the existing ones. */
  grow(topic: Topic, partitions: readonly (readonly number[])[]): void;
  delete(topic: Topic): void;
}

/** A topic to create, with the replicas of each partition and its configs. */
interface NewTopic {
  readonly name: string;
  readonly isInternal?: boolean;
  readonly partitions: readonly (readonly number[])[];
  readonly configs?: ReadonlyMap<string, string>;
}

/** The transaction coordinators. Their state survives them, as it does in a replicated log. */
export interface Transactions {
  /** Assigns the next identity of a transactional id, after aborting its open transaction. */
  init(id: string, timeoutMs: number, current: ProducerIdentity): ProducerIdentity & { readonly errorCode: number };
  /** Adds partitions to the open transaction, or opens a transaction. */
  addPartitions(id: string, producer: ProducerIdentity, partitions: readonly Partition[]): number;
  addGroup(id: string, producer: ProducerIdentity, group: string): number;
  end(id: string, producer: ProducerIdentity, committed: boolean): number;
  /** Returns the error code for the first records of a transaction in a partition (KIP-890). */
  verify(id: string | undefined, producer: ProducerIdentity, partition: Partition): number;
  get(id: string): Transaction | undefined;
  all(): Iterable<Transaction>;
}

/** A transactional id at its coordinator. */
export interface Transaction {
  readonly id: string;
  producerId: bigint;
  /** The producer id before the last rotation; -1 for none. */
  lastProducerId: bigint;
  epoch: number;
  lastEpoch: number;
  timeoutMs: number;
  state: TransactionState;
  /** The partitions that need a marker. */
  readonly partitions: Set<Partition>;
  readonly groups: Set<string>;
  /** Milliseconds since the epoch; -1 outside a transaction. */
  startedAt: number;
  cancelTimeout: (() => void) | undefined;
}

/** A producer id and its epoch. */
export interface ProducerIdentity {
  readonly producerId: bigint;
  readonly epoch: number;
}

/** The state of a transactional id (KIP-98). */
type TransactionState = 'Empty' | 'Ongoing' | 'PrepareCommit' | 'PrepareAbort' | 'CompleteCommit' | 'CompleteAbort';
