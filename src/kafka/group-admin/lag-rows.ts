import type { ItemError } from '../../errors.ts';

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

/** The lag of one topic; null if no partition of it could be read. */
export interface TopicLagRow {
  readonly topic: string;
  readonly lag: bigint | null;
}

/** How the lag of a group changes: `stalled` is a lag of which nothing has been committed for ten seconds or more. */
export type Trend = 'growing' | 'shrinking' | 'steady' | 'stalled';

/** The lag of one group; rates are known from the second tick on. */
export interface GroupLagRow {
  readonly group: string;
  readonly state: string | null;
  /** Null for a streams group that is not empty: weir cannot read its members. */
  readonly members: number | null;
  /** The sum of the lags of all partitions; null for a group without a known lag. */
  readonly lag: bigint | null;
  /** Records committed per second. */
  readonly read_rate: number | null;
  /** Records written per second. */
  readonly write_rate: number | null;
  readonly trend: Trend | null;
  /** When the lag will be 0 at these rates; null if it does not shrink. */
  readonly seconds_to_zero: number | null;
  /** How long ago the oldest unread record was written. */
  readonly age_seconds: number | null;
  readonly topics: readonly TopicLagRow[];
  readonly error: ItemError | null;
}

/** Whether more ticks follow, or why this one is the last; `unknown_lag`: there is a limit, but no lag to compare. */
export type LagStatus = 'running' | 'done' | 'above_limit' | 'unknown_lag' | 'not_zero' | 'failed';

/** The lag of all groups at one moment. */
export interface LagTick {
  /** Counts from 0. */
  readonly tick: number;
  /** RFC 3339, in UTC. */
  readonly time: string;
  readonly status: LagStatus;
  readonly groups: readonly GroupLagRow[];
}
