import type { ItemError } from '../../errors.ts';
import type { LagCall, LagTick } from './lag-rows.ts';
import type { SeekCall, SeekPlan, SoughtRow } from './seek-rows.ts';

/** Which groups to list; empty: all. */
export interface ListGroupsCall {
  /** For example `Stable`. */
  readonly states: readonly string[];
  /** `classic`, `consumer`, `share` or `streams`. */
  readonly types: readonly string[];
}

/** A group in a list; a broker that could not be asked has a row with an error and without a group. */
export interface ListedGroupRow {
  /** The coordinator. */
  readonly broker: number;
  readonly group: string | null;
  /** Null if the broker is too old to report it. */
  readonly state: string | null;
  /** Null if the broker is too old to report it. */
  readonly type: string | null;
  /** For example `consumer` or `connect`; empty for a group that only commits offsets. */
  readonly protocol_type: string | null;
  readonly error: ItemError | null;
}

/** Which groups to describe. */
export interface DescribeGroupsCall {
  readonly groups: readonly string[];
  /** Whether `groups` are regular expressions that must match the whole name. */
  readonly regex: boolean;
}

/** How far a group has read one partition; null for what is unknown. */
export interface GroupPartitionRow {
  readonly topic: string;
  readonly partition: number;
  /** The committed offset; for a share group, the first offset that is not settled. */
  readonly current_offset: bigint | null;
  readonly log_start_offset: bigint | null;
  readonly log_end_offset: bigint | null;
  readonly lag: bigint | null;
  /** The member that the partition is assigned to. */
  readonly member_id: string | null;
  readonly instance_id: string | null;
  readonly client_id: string | null;
  readonly host: string | null;
  readonly error: ItemError | null;
}

/** A member of a group. */
export interface GroupMemberRow {
  readonly member_id: string;
  readonly instance_id: string | null;
  readonly client_id: string;
  readonly host: string;
  readonly assignment: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** The description of one group. */
export interface GroupDescription {
  readonly group: string;
  /** `classic`, `consumer`, `share` or `streams`; null for a group that cannot be described. */
  readonly type: string | null;
  readonly coordinator: number | null;
  readonly state: string | null;
  /** The assignor; empty for none. */
  readonly balancer: string;
  /** Null for a streams group that is not empty: weir cannot read its members. */
  readonly members: number | null;
  /**
   * The sum of the known lags; null if none is known, as for a group without members and commits, and for a share group, whose lag brokers do not
   * report.
   */
  readonly total_lag: bigint | null;
  readonly error: ItemError | null;
  /** Sorted by topic and partition. */
  readonly partitions: readonly GroupPartitionRow[];
  /** Sorted by id. */
  readonly member_list: readonly GroupMemberRow[];
}

/** A call to delete groups. */
export interface DeleteGroupsCall {
  readonly groups: readonly string[];
  /** Checks that the groups exist and have no members, without deleting them. */
  readonly dryRun: boolean;
}

/** The result of deleting one group. */
export interface DeletedGroupRow {
  readonly group: string;
  readonly status: 'OK' | 'ERROR';
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** A call to delete committed offsets of one group. */
export interface DeleteOffsetsCall {
  readonly group: string;
  /** Without partitions: all partitions with a committed offset. */
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] | undefined }[];
  /** Reads the offsets without deleting them. */
  readonly dryRun: boolean;
}

/** The result of deleting one committed offset. */
export interface DeletedOffsetRow {
  readonly topic: string;
  /** Null for a topic without committed offsets. */
  readonly partition: number | null;
  /** The offset that was committed; null for none. */
  readonly offset: bigint | null;
  readonly status: 'OK' | 'ERROR';
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/** The group calls of the broker data API. Every row carries its own error. */
export interface GroupCalls {
  /** Lists the groups of all coordinators, sorted by name. */
  listGroups(call: ListGroupsCall): Promise<ListedGroupRow[]>;
  /** Finds the groups whose whole name matches one of the patterns; sorted. */
  matchGroups(patterns: readonly string[]): Promise<readonly string[]>;
  /** Deletes groups by name; returns rows sorted by name. */
  deleteGroups(call: DeleteGroupsCall): Promise<DeletedGroupRow[]>;
  /** Deletes committed offsets of a group; returns rows sorted by topic and partition. */
  deleteOffsets(call: DeleteOffsetsCall): Promise<DeletedOffsetRow[]>;
  /** Plans a seek, without changing anything. */
  planSeek(call: SeekCall): Promise<SeekPlan>;
  /** Commits the offsets of a plan; returns a row for each partition of the plan. */
  seekGroup(plan: SeekPlan): Promise<SoughtRow[]>;
  /** Reads the lag of groups, once or again and again. */
  watchLag(call: LagCall): Promise<AsyncIterable<LagTick>>;
  /** Describes groups, sorted by name. */
  describeGroups(call: DescribeGroupsCall): Promise<GroupDescription[]>;
}
