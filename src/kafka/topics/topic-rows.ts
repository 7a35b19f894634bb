import type { ItemError } from '../../errors.ts';
import { itemError } from '../../shape/item-error.ts';
import { int64, maybe, type RowOf, row, string, truth, whole, word } from '../../shape/shape.ts';
import type { PartitionSizeRow } from './sizes.ts';

/** A call to create topics, all with the same size and configs. */
export interface CreateTopicsCall {
  readonly topics: readonly string[];
  /** -1: the cluster's default. */
  readonly partitions: number;
  /** -1: the cluster's default. */
  readonly replicas: number;
  readonly configs: readonly (readonly [key: string, value: string])[];
  /** Validates the request without creating topics. */
  readonly dryRun: boolean;
  /** Accepts a topic that already exists. */
  readonly ifNotExists: boolean;
}

/** The result of creating one topic; counts and id are null if the broker does not report them. */
export const createdTopic = row({
  topic: string,
  status: word('OK', 'EXISTS', 'ERROR'),
  topic_id: maybe(string),
  partitions: maybe(whole),
  replicas: maybe(whole),
  dry_run: truth,
  error: itemError,
});

/** The result of creating one topic. */
export type CreatedTopicRow = RowOf<typeof createdTopic>;

/** A call to delete topics. */
export interface DeleteTopicsCall {
  readonly topics: readonly string[];
  /** Checks that the topics exist without deleting them. */
  readonly dryRun: boolean;
}

/** The result of deleting one topic; only a dry run reports `partitions`. */
export interface DeletedTopicRow {
  readonly topic: string;
  readonly status: 'OK' | 'ERROR';
  readonly partitions: number | null;
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** Selects topics by name or pattern. */
export interface TopicSelection {
  /** Names or patterns; empty: every topic. */
  readonly topics: readonly string[];
  /** Whether `topics` are regular expressions that must match the whole name; `*` matches every name. */
  readonly regex: boolean;
  /** Whether to list or match internal topics; an internal topic given by name is always included. */
  readonly internal: boolean;
}

/** One partition in a list of topics. */
export interface PartitionRow {
  readonly partition: number;
  /** -1 when the partition has no leader. */
  readonly leader: number;
  /** The leader epoch; null when the broker does not report it. */
  readonly epoch: number | null;
  readonly replicas: readonly number[];
  /** The first replica in the cluster's order, which a preferred election makes the leader; null without replicas. */
  readonly preferred_leader: number | null;
  readonly isr: readonly number[];
  readonly offline_replicas: readonly number[];
  /** The protocol's name of the partition's error. */
  readonly load_error: string | null;
}

/** One topic in a list. */
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

/** Which topics to describe, and with which sections. */
export interface DescribeTopicsCall {
  readonly topics: readonly string[];
  readonly regex: boolean;
  readonly configs: boolean;
  readonly partitions: boolean;
  /** Whether to read the last stable offsets as well. */
  readonly stable: boolean;
  /** Whether to ask the brokers for sizes on disk. */
  readonly sizes?: boolean;
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

/** One partition with its offsets; null for an offset that could not be read or was not asked for. */
export interface PartitionOffsetsRow extends PartitionRow {
  readonly log_start_offset: bigint | null;
  readonly last_stable_offset: bigint | null;
  readonly high_watermark: bigint | null;
  /** Why offsets are missing: the protocol's error names, without duplicates. */
  readonly error: readonly string[];
}

/** The description of one topic; sections that were not asked for are absent. */
export interface TopicDescription {
  readonly summary: TopicRow;
  readonly configs?: readonly ConfigRow[];
  /** Why the configs could not be read. */
  readonly configs_error?: ItemError;
  readonly partitions?: readonly PartitionOffsetsRow[];
  readonly sizes?: readonly PartitionSizeRow[];
}

/** The topic calls of the broker data API. Every row carries its own error. */
export interface TopicCalls {
  /** Creates topics; returns rows in the order of the call. */
  createTopics(call: CreateTopicsCall): Promise<CreatedTopicRow[]>;
  /** Deletes topics by name; returns rows sorted by name. */
  deleteTopics(call: DeleteTopicsCall): Promise<DeletedTopicRow[]>;
  /** Lists topics with their partitions, sorted by name. */
  listTopics(selection: TopicSelection): Promise<DetailedTopicRow[]>;
  /** Describes topics, sorted by name. */
  describeTopics(call: DescribeTopicsCall): Promise<TopicDescription[]>;
}

/** What trimming a partition is planned to do, or has done; offsets are null if they are not known. */
export const trimmedPartition = row({
  topic: string,
  /** Null if the topic cannot be read and no partition was named. */
  partition: maybe(whole),
  prior_start_offset: maybe(int64),
  new_start_offset: maybe(int64),
  error: itemError,
});

/** What trimming a partition is planned to do, or has done. */
export type TrimRow = RowOf<typeof trimmedPartition>;
