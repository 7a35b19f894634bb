import { type ExitCode, exitCodes, type ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { int64, leftOut, listOf, maybe, type RowOf, row, string, truth, whole, word } from '../../../shape/shape.ts';
import { exitCodeOfName } from '../../protocol/errors.ts';

/** A topic that is created; counts and id are null if the broker does not report them. */
export const NewTopic = row({
  topic: string,
  topic_id: maybe(string),
  partitions: maybe(whole),
  replicas: maybe(whole),
});
export type NewTopic = RowOf<typeof NewTopic>;

/** One partition in a list of topics. */
export const listedPartition = row({
  partition: whole,
  /** -1 when the partition has no leader. */
  leader: whole,
  /** The leader epoch; null when the broker does not report it. */
  epoch: maybe(whole),
  replicas: listOf(whole),
  /** The first replica in the cluster's order, which a preferred election makes the leader; null without replicas. */
  preferred_leader: maybe(whole),
  isr: listOf(whole),
  offline_replicas: listOf(whole),
  /** The protocol's name of the partition's error. */
  load_error: maybe(string),
});

/** One partition in a list of topics. */
export type PartitionRow = RowOf<typeof listedPartition>;

const topicFields = {
  name: string,
  internal: truth,
  partitions: whole,
  replicas: whole,
  error: itemError,
};
const topic = row(topicFields);
const detailedTopic = row({ ...topicFields, partition_list: listOf(listedPartition) });

/** A listed topic, with its partitions if they were asked for. */
export const listedTopic = row({ ...topicFields, partition_list: leftOut(listOf(listedPartition)) });

/** One topic in a list. */
export type TopicRow = RowOf<typeof topic>;

/** One topic with its partitions. */
export type DetailedTopicRow = RowOf<typeof detailedTopic>;

/** A listed topic, with its partitions if they were asked for. */
export type ListedTopicRow = RowOf<typeof listedTopic>;

/** One config key of a topic. */
const describedConfig = row({
  key: string,
  /** Null when unset or sensitive. */
  value: maybe(string),
  /** The protocol's name, for example `DYNAMIC_TOPIC_CONFIG`. */
  source: string,
  sensitive: truth,
});

/** One config key of a topic. */
export type ConfigRow = RowOf<typeof describedConfig>;

/** One partition with its offsets; null for an offset that could not be read or was not asked for. */
const describedPartition = row({
  ...listedPartition.fields,
  log_start_offset: maybe(int64),
  last_stable_offset: maybe(int64),
  high_watermark: maybe(int64),
  /** The offsets from the log start to the high watermark: the number of records, or more if some were compacted away. */
  records: maybe(int64),
  /** Why offsets are missing: the protocol's error names, without duplicates. */
  error: listOf(string),
});

/** One partition with its offsets. */
export type PartitionOffsetsRow = RowOf<typeof describedPartition>;

/** The exit code of partitions without offsets: the common one of their errors, or else 1. */
export function exitCodeOfOffsets(partitions: readonly PartitionOffsetsRow[]): ExitCode {
  const codes = partitions.flatMap(({ error }) => error.map(exitCodeOfName));
  const [common = exitCodes.ok] = codes;
  return codes.every((code) => code === common) ? common : exitCodes.failure;
}

/** The size of one replica; the fields are null if its broker did not report it. */
const replicaSize = row({
  broker: whole,
  /** Bytes on disk. */
  bytes: maybe(int64),
  /** How many records the replica is behind the high watermark. */
  lag: maybe(int64),
  dir: maybe(string),
  error: itemError,
});

/** The size of one replica. */
export type ReplicaSizeRow = RowOf<typeof replicaSize>;

/** The sizes of one partition. */
const partitionSize = row({
  partition: whole,
  /** Bytes on the disk of the leader; null if it is not known. */
  bytes: maybe(int64),
  /** Bytes on the disks of all replicas that reported their size. */
  total_bytes: int64,
  replicas: listOf(replicaSize),
});

/** The sizes of one partition. */
export type PartitionSizeRow = RowOf<typeof partitionSize>;

/** The description of one topic. Configs and partitions that were not asked for are empty, sizes are absent. */
export const describedTopic = row({
  summary: topic,
  configs: listOf(describedConfig),
  /** Why the configs could not be read. */
  configs_error: leftOut(itemError),
  partitions: listOf(describedPartition),
  sizes: leftOut(listOf(partitionSize)),
});

/** The description of one topic. */
export type TopicDescription = RowOf<typeof describedTopic>;

/** The result for one topic whose configs change: the broker makes all changes or none, and `changes` is empty then. */
export const alteredTopic = row({
  topic: string,
  status: word('OK', 'ERROR'),
  /** A value is null if the config is unset, sensitive or unknown. */
  changes: listOf(
    row({
      key: string,
      operation: word('set', 'delete', 'append', 'subtract'),
      old: maybe(string),
      new: maybe(string),
    }),
  ),
  dry_run: truth,
  error: itemError,
});

/** The result for one topic whose configs change. */
export type AlteredTopicRow = RowOf<typeof alteredTopic>;

/** One topic that gets partitions. */
export const grownTopic = row({
  topic: string,
  status: word('OK', 'ERROR'),
  /** The number of partitions before; null if the topic cannot be read. */
  old_partitions: maybe(whole),
  /** The number of partitions after; null if it has not changed. */
  new_partitions: maybe(whole),
  dry_run: truth,
  error: itemError,
});

/** One topic that gets partitions. */
export type GrownTopicRow = RowOf<typeof grownTopic>;

/** One partition that needed an election, or was named. */
export const electedPartition = row({
  topic: string,
  /** Null if the topic cannot be read. */
  partition: maybe(whole),
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  /** -1: none; null: not known. */
  old_leader: maybe(whole),
  /** In a dry run of an unclean election, null. */
  new_leader: maybe(whole),
  dry_run: truth,
  error: itemError,
});

/** One partition that needed an election, or was named. */
export type ElectionRow = RowOf<typeof electedPartition>;

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

/** A call to create topics, all with the same size and configs. */
export interface CreateTopicsCall {
  readonly topics: readonly string[];
  /** -1: the cluster's default. */
  readonly partitions: number;
  /** -1: the cluster's default. */
  readonly replicas: number;
  readonly configs: readonly (readonly [key: string, value: string])[];
  /** Accepts a topic that already exists. */
  readonly ifNotExists: boolean;
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

/** A change of one config; `value` is undefined when the config is deleted. */
export interface ConfigChange {
  readonly key: string;
  readonly operation: AlteredTopicRow['changes'][number]['operation'];
  readonly value: string | undefined;
}

/** A call to change the same configs of several topics. */
export interface AlterConfigsCall {
  readonly topics: readonly string[];
  /** At most one change of each key. */
  readonly changes: readonly ConfigChange[];
  /** Lets the brokers validate the changes without making them. */
  readonly dryRun: boolean;
}

/** Topics that get partitions: as many more as `add` says, or until they have as many as `to`. */
export interface GrowthCall {
  readonly topics: readonly string[];
  readonly add?: number | undefined;
  readonly to?: number | undefined;
  /** Accepts internal topics, too. */
  readonly force: boolean;
}

/** How many partitions a topic has and gets; null if it cannot be read or changed. */
export interface TopicGrowth {
  readonly topic: string;
  readonly old: number | null;
  readonly new: number | null;
  readonly error: ItemError | null;
}

/** `preferred`: the first replica; `unclean`: any living replica, for partitions without a leader. */
export type ElectionType = 'preferred' | 'unclean';

/** A call to elect leaders. */
export interface ElectLeadersCall {
  /** `preferred`: the first replica; `unclean`: any living replica, for partitions without a leader. */
  readonly type: ElectionType;
  /** Names; empty: every topic. */
  readonly topics: readonly string[];
  /** Empty: every partition. */
  readonly partitions: readonly number[];
  /** Shows which partitions need an election. */
  readonly dryRun: boolean;
}

/** Where a partition shall start; times are milliseconds since the epoch. */
export type TrimPoint =
  | { readonly at: 'exact'; readonly offset: bigint }
  | { readonly at: 'end' }
  | { readonly at: 'beforeEnd' | 'afterStart'; readonly count: bigint }
  | { readonly at: 'time'; readonly timestamp: number };

/** Partitions to trim. */
export interface TrimTarget {
  readonly topic: string;
  /** Undefined: every partition. */
  readonly partition: number | undefined;
  readonly to: TrimPoint;
}
