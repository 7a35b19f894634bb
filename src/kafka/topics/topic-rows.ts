import type { ItemError } from '../../errors.ts';

/** What to create; every topic gets the same size and configs. */
export interface CreateTopicsCall {
  readonly topics: readonly string[];
  /** -1: the cluster's default. */
  readonly partitions: number;
  /** -1: the cluster's default. */
  readonly replicas: number;
  readonly configs: readonly (readonly [key: string, value: string])[];
  /** Only checks; nothing is created. */
  readonly dryRun: boolean;
  /** A topic that exists already is no failure. */
  readonly ifNotExists: boolean;
}

/** What became of one topic to create; numbers and id are null where the broker does not tell them. */
export interface CreatedTopicRow {
  readonly topic: string;
  readonly status: 'OK' | 'EXISTS' | 'ERROR';
  readonly topic_id: string | null;
  readonly partitions: number | null;
  readonly replicas: number | null;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** What to delete. */
export interface DeleteTopicsCall {
  readonly topics: readonly string[];
  /** Only looks whether the topics are there. */
  readonly dryRun: boolean;
}

/** What became of one topic to delete; `partitions` is told by a dry run only. */
export interface DeletedTopicRow {
  readonly topic: string;
  readonly status: 'OK' | 'ERROR';
  readonly partitions: number | null;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** Which topics are meant. */
export interface TopicSelection {
  /** Names or patterns; none: every topic. */
  readonly topics: readonly string[];
  /** `topics` are regular expressions that must match the whole name; `*` matches every name. */
  readonly regex: boolean;
  /** Whether internal topics are among what is listed or matched; a named one always is. */
  readonly internal: boolean;
}

/** One partition as listed. */
export interface PartitionRow {
  readonly partition: number;
  /** -1 when there is none. */
  readonly leader: number;
  /** Leader epoch; null when the broker does not tell it. */
  readonly epoch: number | null;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offline_replicas: readonly number[];
  /** The protocol's name of what is wrong with the partition. */
  readonly load_error: string | null;
}

/** One topic as listed. */
export interface TopicRow {
  readonly name: string;
  readonly internal: boolean;
  readonly partitions: number;
  readonly replicas: number;
  readonly error: ItemError | null;
}

/** One topic with its partitions. */
export interface DetailedTopicRow extends TopicRow {
  readonly partition_list: readonly PartitionRow[];
}

/** Which topics to describe, and how deep. */
export interface DescribeTopicsCall {
  readonly topics: readonly string[];
  readonly regex: boolean;
  readonly configs: boolean;
  readonly partitions: boolean;
  /** Also asks for the last stable offsets. */
  readonly stable: boolean;
}

/** One config key of a topic. */
export interface ConfigRow {
  readonly key: string;
  /** Null when unset or sensitive. */
  readonly value: string | null;
  /** The protocol's name, for example `DYNAMIC_TOPIC_CONFIG`. */
  readonly source: string;
  readonly sensitive: boolean;
}

/** One partition with its offsets; null where they could not be read, or were not asked for. */
export interface PartitionOffsetsRow extends PartitionRow {
  readonly log_start_offset: bigint | null;
  readonly last_stable_offset: bigint | null;
  readonly high_watermark: bigint | null;
  /** Why an offset is missing: the protocol's names, each once. */
  readonly error: readonly string[];
}

/** One topic as described; sections that were not asked for are absent. */
export interface TopicDescription {
  readonly summary: TopicRow;
  readonly configs?: readonly ConfigRow[];
  /** Why the configs could not be read. */
  readonly configs_error?: ItemError;
  readonly partitions?: readonly PartitionOffsetsRow[];
}

/** The calls about topics. Every row carries its own error. */
export interface TopicCalls {
  /** Creates topics; rows in the order they were asked for. */
  createTopics(call: CreateTopicsCall): Promise<CreatedTopicRow[]>;
  /** Deletes topics by name; rows sorted by name. */
  deleteTopics(call: DeleteTopicsCall): Promise<DeletedTopicRow[]>;
  /** Lists topics with their partitions, sorted by name. */
  listTopics(selection: TopicSelection): Promise<DetailedTopicRow[]>;
  /** Describes topics, sorted by name. */
  describeTopics(call: DescribeTopicsCall): Promise<TopicDescription[]>;
}
