import { itemError } from '../../../shape/item-error.ts';
import { int64, listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

/** Which groups to list; empty: all. */
export interface ListGroupsCall {
  /** For example `Stable`. */
  readonly states: readonly string[];
  /** `classic`, `consumer`, `share` or `streams`. */
  readonly types: readonly string[];
  /** Only groups that read one of these topics; empty: all. */
  readonly topics?: readonly string[];
}

/** A group in a list; a broker that could not be asked has a row with an error and without a group. */
export const ListedGroup = row({
  /** The coordinator. */
  broker: whole,
  group: maybe(string),
  /** Null if the broker is too old to report it. */
  state: maybe(string),
  /** Null if the broker is too old to report it. */
  type: maybe(string),
  /** For example `consumer` or `connect`; empty for a group that only commits offsets. */
  protocol_type: maybe(string),
  error: itemError,
});
export type ListedGroup = RowOf<typeof ListedGroup>;

/** Which groups to describe. */
export interface DescribeGroupsCall {
  readonly groups: readonly string[];
  /** Whether `groups` are regular expressions that must match the whole name. */
  readonly regex: boolean;
}

/** How far a group has read one partition; null for what is unknown. */
const GroupPartition = row({
  topic: string,
  partition: whole,
  /** The committed offset; for a share group, the first offset that is not settled. */
  current_offset: maybe(int64),
  log_start_offset: maybe(int64),
  log_end_offset: maybe(int64),
  lag: maybe(int64),
  /** The member that the partition is assigned to. */
  member_id: maybe(string),
  instance_id: maybe(string),
  client_id: maybe(string),
  host: maybe(string),
  error: itemError,
});
export type GroupPartition = RowOf<typeof GroupPartition>;

/** A member of a group. */
const GroupMember = row({
  member_id: string,
  instance_id: maybe(string),
  client_id: string,
  host: string,
  assignment: listOf(row({ topic: string, partitions: listOf(whole) })),
});
export type GroupMember = RowOf<typeof GroupMember>;

/** The description of one group. */
export const GroupDescription = row({
  group: string,
  /**
   * `classic`, `consumer`, `share` or `streams`; `copy` for one that holds the progress of `weir topic copy`, whose offsets are
   * those of the source; null for a group that cannot be described.
   */
  type: maybe(string),
  coordinator: maybe(whole),
  state: maybe(string),
  /** The assignor; empty for none. */
  balancer: string,
  /** Null for a streams group that is not empty: weir cannot read its members. */
  members: maybe(whole),
  /**
   * The sum of the known lags; null if none is known, as for a group without members and commits, and for a share group,
   * whose lag brokers do not report.
   */
  total_lag: maybe(int64),
  error: itemError,
  /** Sorted by topic and partition. */
  partitions: listOf(GroupPartition),
  /** Sorted by id. */
  member_list: listOf(GroupMember),
});
export type GroupDescription = RowOf<typeof GroupDescription>;

/** A topic with some of its partitions; undefined: those that the call means by default. */
export interface TopicSelection {
  readonly topic: string;
  readonly partitions: readonly number[] | undefined;
}

/** Which committed offsets of a group to delete. */
export interface OffsetDeletionCall {
  readonly group: string;
  /** Without partitions: all partitions with a committed offset. */
  readonly topics: readonly TopicSelection[];
}

/** A committed offset that is deleted. */
export const DeletedOffset = row({
  topic: string,
  /** Null for a topic without committed offsets. */
  partition: maybe(whole),
  /** The offset that was committed; null for none. */
  offset: maybe(int64),
});
export type DeletedOffset = RowOf<typeof DeletedOffset>;
