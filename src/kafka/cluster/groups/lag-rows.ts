import { itemError } from '../../../shape/item-error.ts';
import { int64, listOf, maybe, measure, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';

/** A call to read the lag of groups, once or again and again. */
export interface LagCall {
  readonly groups: readonly string[];
  /** Whether `groups` are regular expressions that must match the whole name; they are matched once. */
  readonly regex: boolean;
  /** Whether to look for the oldest unread records. */
  readonly ages: boolean;
  /** The time between two ticks in milliseconds; undefined: one tick. */
  readonly intervalMs: number | undefined;
  /** The largest lag of a group that is accepted; the first tick above it is the last. */
  readonly failAbove: bigint | undefined;
  /** Whether the first tick without lag is the last. */
  readonly untilZero: boolean;
  /** After how many milliseconds to stop; undefined: never. */
  readonly forMs: number | undefined;
  /** Ends the ticks when it is aborted. */
  readonly stop: AbortSignal;
}

/** How the lag of a group changes: `stalled` is a lag of which nothing has been committed for ten seconds or more. */
const Trend = word('growing', 'shrinking', 'steady', 'stalled');
export type Trend = RowOf<typeof Trend>;

/** The lag of one topic; null if no partition of it could be read. */
const TopicLag = row({ topic: string, lag: maybe(int64) });
export type TopicLag = RowOf<typeof TopicLag>;

/** The lag of one group; rates are known from the second tick on. */
export const GroupLag = row({
  group: string,
  /** As in `group describe`. */
  type: maybe(string),
  state: maybe(string),
  /** Null for a streams group that is not empty: weir cannot read its members. */
  members: maybe(whole),
  /** The sum of the lags of all partitions; null for a group without a known lag. */
  lag: maybe(int64),
  /** Records committed per second. */
  read_rate: maybe(measure),
  /** Records written per second. */
  write_rate: maybe(measure),
  trend: maybe(Trend),
  /** When the lag will be 0 at these rates; null if it does not shrink. */
  seconds_to_zero: maybe(measure),
  /** How long ago the oldest unread record was written. */
  age_seconds: maybe(whole),
  topics: listOf(TopicLag),
  error: itemError,
});
export type GroupLag = RowOf<typeof GroupLag>;

/** The lag of all groups at one moment. */
export const LagTick = row({
  /** Counts from 0. */
  tick: whole,
  /** RFC 3339, in UTC. */
  time: string,
  /** Whether more ticks follow, or why this one is the last; `unknown_lag`: there is a limit, but no lag to compare. */
  status: word('running', 'done', 'above_limit', 'unknown_lag', 'not_zero', 'failed'),
  groups: listOf(GroupLag),
});
export type LagTick = RowOf<typeof LagTick>;

/** Whether more ticks follow, or why one is the last. */
export type LagStatus = LagTick['status'];
