import { itemError } from '../../../shape/item-error.ts';
import {
  described,
  int64,
  listOf,
  maybe,
  measure,
  type RowOf,
  row,
  string,
  truth,
  whole,
  word,
} from '../../../shape/shape.ts';
import { ShownHealth } from '../brokers/health-rows.ts';
import { GroupLag } from '../groups/lag-rows.ts';

const perSecond = described(maybe(measure), 'per second; null until there are two readings');

/** What is written per second. */
const written = { record_rate: perSecond, byte_rate: perSecond };

const bytesOnDisk = described(maybe(int64), 'bytes on disk; null if the brokers do not report it');

/** What one broker leads and holds. */
export const BrokerLoad = row({
  broker: whole,
  /** Null for a broker that is down. */
  host: maybe(string),
  port: maybe(whole),
  rack: maybe(string),
  status: word('up', 'down'),
  /** Whether the answering broker reports it as the controller. */
  controller: truth,
  leaders: whole,
  replicas: whole,
  /** All of its replicas. */
  size: bytesOnDisk,
  /** Of the partitions that it leads. */
  ...written,
});
export type BrokerLoad = RowOf<typeof BrokerLoad>;

/** How much one topic is written to. */
export const topicLoad = row({
  topic: string,
  internal: truth,
  partitions: whole,
  replicas: whole,
  /** The logs of the leaders. */
  size: bytesOnDisk,
  ...written,
  /** Why the rates of some of its partitions are not known. */
  error: itemError,
});

/** One partition of a topic. */
export interface PartitionLoad {
  readonly partition: number;
  /** -1 when the partition has no leader. */
  readonly leader: number;
  readonly replicas: readonly number[];
  /** Null if the cluster does not report it. */
  readonly isr: readonly number[] | null;
  readonly end: bigint | null;
  readonly size: bigint | null;
  readonly record_rate: number | null;
  readonly byte_rate: number | null;
}

/** How much one topic is written to, with its partitions in order. */
export interface TopicLoad extends RowOf<typeof topicLoad> {
  readonly partition_list: readonly PartitionLoad[];
}

const { age_seconds: _age, topics: _topics, error: groupFailure, ...lagFields } = GroupLag.fields;

/** How far one group is behind. */
export const groupLoad = row({
  ...lagFields,
  coordinator: maybe(whole),
  error: groupFailure,
});

const { read_rate, write_rate, trend, seconds_to_zero } = lagFields;

/** How far one group is behind in one partition. */
export const PartitionLag = row({
  group: string,
  topic: string,
  partition: whole,
  /** Null when the partition has no leader. */
  leader: maybe(whole),
  committed_offset: maybe(int64),
  log_end_offset: maybe(int64),
  lag: maybe(int64),
  read_rate,
  write_rate,
  trend,
  seconds_to_zero,
  /** The member that the partition is assigned to. */
  client_id: maybe(string),
  host: maybe(string),
});
export type PartitionLag = RowOf<typeof PartitionLag>;

/** How far one group is behind, with its partitions in order. */
export interface GroupLoad extends RowOf<typeof groupLoad> {
  readonly partition_list: readonly PartitionLag[];
}

/** What could not be read of the whole cluster. */
const MissingPart = row({ part: word('brokers', 'offsets', 'sizes', 'groups'), error: itemError });
export type MissingPart = RowOf<typeof MissingPart>;

/** What a cluster does at one moment. */
export const overview = row({
  /** RFC 3339, in UTC. */
  time: string,
  interval_seconds: described(maybe(measure), 'between the readings that the rates are measured over'),
  cluster_id: maybe(string),
  health_source: word('kafka', 'admin'),
  health: ShownHealth,
  ...written,
  size: bytesOnDisk,
  lag: described(maybe(int64), 'of all groups; null if some of them cannot be read'),
  brokers: listOf(BrokerLoad),
  topics: listOf(topicLoad),
  groups: listOf(groupLoad),
  /** The partitions that groups are furthest behind in, at most 100. */
  slowest_partitions: listOf(PartitionLag),
  errors: listOf(MissingPart),
});

/** What a cluster does at one moment, with the partitions of topics and groups. */
export interface Overview extends Omit<RowOf<typeof overview>, 'topics' | 'groups'> {
  readonly topics: readonly TopicLoad[];
  readonly groups: readonly GroupLoad[];
}

/** The sum of the rates that are known; null if none is. */
export function sumOfRates(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
}

/** The sum of the sizes or lags that are known; null if none is. */
export function sumOfSizes(values: readonly (bigint | null)[]): bigint | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0n);
}
