import { type ExitCode, exitCodes, type ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { int64, leftOut, listOf, maybe, type RowOf, row, string, truth, whole, word } from '../../../shape/shape.ts';
import { exitCodeOfName } from '../../protocol/errors.ts';

/** An item as planned: it may need no change, or be one that cannot be changed. */
export type Planned<I> = I & { readonly status?: 'NOT_NEEDED' | undefined; readonly error: ItemError | null };

/** A topic that is created; counts and id are null if the broker does not report them. */
export const NewTopic = row({
  topic: string,
  topic_id: maybe(string),
  partitions: maybe(whole),
  replicas: maybe(whole),
});
export type NewTopic = RowOf<typeof NewTopic>;

/** One partition in a list of topics. */
export const ListedPartition = row({
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
export type ListedPartition = RowOf<typeof ListedPartition>;

const topicFields = {
  name: string,
  internal: truth,
  partitions: whole,
  replicas: whole,
  error: itemError,
};

/** One topic, without its partitions. */
export const TopicSummary = row(topicFields);
export type TopicSummary = RowOf<typeof TopicSummary>;

/** One topic with its partitions. */
const DetailedTopic = row({ ...topicFields, partition_list: listOf(ListedPartition) });
export type DetailedTopic = RowOf<typeof DetailedTopic>;

/** A listed topic, with its partitions if they were asked for. */
export const ListedTopic = row({ ...topicFields, partition_list: leftOut(listOf(ListedPartition)) });
export type ListedTopic = RowOf<typeof ListedTopic>;

/** One config key of a topic. */
const TopicConfig = row({
  key: string,
  /** Null when unset or sensitive. */
  value: maybe(string),
  /** The protocol's name, for example `DYNAMIC_TOPIC_CONFIG`. */
  source: string,
  sensitive: truth,
});
export type TopicConfig = RowOf<typeof TopicConfig>;

/** One partition with its offsets; null for an offset that could not be read or was not asked for. */
const DescribedPartition = row({
  ...ListedPartition.fields,
  log_start_offset: maybe(int64),
  last_stable_offset: maybe(int64),
  high_watermark: maybe(int64),
  /** The offsets from the log start to the high watermark: the number of records, or more if some were compacted away. */
  records: maybe(int64),
  /** Why offsets are missing: the protocol's error names, without duplicates. */
  error: listOf(string),
});
export type DescribedPartition = RowOf<typeof DescribedPartition>;

/** The exit code of partitions without offsets: the common one of their errors, or else 1. */
export function exitCodeOfOffsets(partitions: readonly DescribedPartition[]): ExitCode {
  const codes = partitions.flatMap(({ error }) => error.map(exitCodeOfName));
  const [common = exitCodes.ok] = codes;
  return codes.every((code) => code === common) ? common : exitCodes.failure;
}

/** The size of one replica; the fields are null if its broker did not report it. */
const ReplicaSize = row({
  broker: whole,
  /** Bytes on disk. */
  bytes: maybe(int64),
  /** How many records the replica is behind the high watermark. */
  lag: maybe(int64),
  dir: maybe(string),
  error: itemError,
});
export type ReplicaSize = RowOf<typeof ReplicaSize>;

/** The sizes of one partition. */
const PartitionSize = row({
  partition: whole,
  /** Bytes on the disk of the leader; null if it is not known. */
  bytes: maybe(int64),
  /** Bytes on the disks of all replicas that reported their size. */
  total_bytes: int64,
  replicas: listOf(ReplicaSize),
});
export type PartitionSize = RowOf<typeof PartitionSize>;

/** The description of one topic. Configs and partitions that were not asked for are empty, sizes are absent. */
export const DescribedTopic = row({
  summary: TopicSummary,
  configs: listOf(TopicConfig),
  /** Why the configs could not be read. */
  configs_error: leftOut(itemError),
  partitions: listOf(DescribedPartition),
  sizes: leftOut(listOf(PartitionSize)),
});
export type DescribedTopic = RowOf<typeof DescribedTopic>;

/** A topic whose configs change: the broker makes all changes or none, and `changes` is empty then. */
export const AlteredTopic = row({
  topic: string,
  /** A value is null if the config is unset, sensitive or unknown. */
  changes: listOf(
    row({
      key: string,
      operation: word('set', 'delete', 'append', 'subtract'),
      old: maybe(string),
      new: maybe(string),
    }),
  ),
});
export type AlteredTopic = RowOf<typeof AlteredTopic>;

/** One topic that gets partitions. */
export const GrownTopic = row({
  topic: string,
  /** The number of partitions before; null if the topic cannot be read. */
  old_partitions: maybe(whole),
  /** The number of partitions after; null if they cannot be added. */
  new_partitions: maybe(whole),
});
export type GrownTopic = RowOf<typeof GrownTopic>;

/** One partition that needed an election, or was named. */
export const ElectedPartition = row({
  topic: string,
  /** Null if the topic cannot be read. */
  partition: maybe(whole),
  /** -1: none; null: not known. */
  old_leader: maybe(whole),
  /** In a dry run of an unclean election, null. */
  new_leader: maybe(whole),
});
export type ElectedPartition = RowOf<typeof ElectedPartition>;

/** A partition that is trimmed; offsets are null if they are not known. */
export const TrimmedPartition = row({
  topic: string,
  /** Null if the topic cannot be read and no partition was named. */
  partition: maybe(whole),
  prior_start_offset: maybe(int64),
  new_start_offset: maybe(int64),
});
export type TrimmedPartition = RowOf<typeof TrimmedPartition>;

/** A topic to create. */
export interface TopicCreation {
  readonly topic: string;
  /** -1: the cluster's default. */
  readonly partitions: number;
  /** -1: the cluster's default. */
  readonly replicas: number;
  readonly configs: readonly (readonly [key: string, value: string])[];
}

/** A call to create topics. */
export interface CreateTopicsCall {
  readonly topics: readonly TopicCreation[];
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
  readonly operation: AlteredTopic['changes'][number]['operation'];
  readonly value: string | undefined;
}

/** Topics that get partitions: as many more as `add` says, or until they have as many as `to`. */
export interface GrowthCall {
  readonly topics: readonly string[];
  readonly add?: number | undefined;
  readonly to?: number | undefined;
  /** Accepts internal topics, too. */
  readonly force: boolean;
}

/** `preferred`: the first replica; `unclean`: any living replica, for partitions without a leader. */
export type ElectionType = 'preferred' | 'unclean';

/** The partitions that may need an election. */
export interface ElectionCall {
  readonly type: ElectionType;
  /** Names; empty: every topic. */
  readonly topics: readonly string[];
  /** Empty: every partition. */
  readonly partitions: readonly number[];
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
