import { partitionName } from '../../format/partition-name.ts';
import type { GroupDescription, GroupPartitionRow } from './group-rows.ts';
import type { GroupLagRow, Trend } from './lag-rows.ts';

/** A description of a group and when it was read, in milliseconds on a monotonic clock. */
export interface LagSample {
  readonly atMs: number;
  readonly group: GroupDescription;
  /** The ids of its topics by name, as far as the brokers report them. */
  readonly topicIds: ReadonlyMap<string, string>;
}

/** How long nothing may be committed before a group counts as stalled; consumers commit every 5 s by default. */
const stalledMs = 10_000;

/** How fast a group reads and its topics grow. */
export type LagRates = Pick<GroupLagRow, 'read_rate' | 'write_rate' | 'trend' | 'seconds_to_zero'>;

const unknown: LagRates = { read_rate: null, write_rate: null, trend: null, seconds_to_zero: null };

/** Compares two samples of a group, by the partitions that are known in both. */
export function ratesBetween(before: LagSample | undefined, now: LagSample): LagRates {
  if (before === undefined || now.atMs <= before.atMs) return unknown;
  return ratesOf(pairsOf(before, now), now.atMs - before.atMs);
}

/** Compares two samples of each partition of a group; absent for one that is not known in both. */
export function partitionRatesBetween(
  before: LagSample | undefined,
  now: LagSample,
): ReadonlyMap<GroupPartitionRow, LagRates> {
  if (before === undefined || now.atMs <= before.atMs) return new Map();
  const elapsedMs = now.atMs - before.atMs;
  return new Map(pairsOf(before, now).map((pair) => [pair.row, ratesOf([pair], elapsedMs)]));
}

/** A partition in two samples. */
interface Pair {
  readonly row: GroupPartitionRow;
  readonly then: GroupPartitionRow;
}

function pairsOf(before: LagSample, now: LagSample): readonly Pair[] {
  const earlier = new Map(before.group.partitions.map((row) => [partitionName(row), row]));
  return now.group.partitions.flatMap((row) => {
    const then = earlier.get(partitionName(row));
    if (row.lag === null || then === undefined || then.lag === null) return [];
    // The topic was created again between the two.
    if (now.topicIds.get(row.topic) !== before.topicIds.get(row.topic)) return [];
    // An end that goes back is that of a log that has lost records, or of another one where brokers report no ids.
    return (row.log_end_offset ?? 0n) < (then.log_end_offset ?? 0n) ? [] : [{ row, then }];
  });
}

function ratesOf(pairs: readonly Pair[], elapsedMs: number): LagRates {
  if (pairs.length === 0) return unknown;
  let [read, written, lag] = [0n, 0n, 0n];
  for (const { row, then } of pairs) {
    lag += row.lag ?? 0n;
    written += (row.log_end_offset ?? 0n) - (then.log_end_offset ?? 0n);
    // Without a committed offset, everything from the log start is unread.
    read += positionOf(row) - positionOf(then);
  }
  const [readRate, writeRate] = [read, written].map((count) => (Number(count) * 1000) / elapsedMs);
  const rates = { read_rate: readRate ?? 0, write_rate: writeRate ?? 0 };
  const trend = trendOf({ lag, ...rates }, elapsedMs);
  const shrinking = rates.read_rate - rates.write_rate;
  const left = lag === 0n ? 0 : shrinking > 0 ? Number(lag) / shrinking : null;
  return { ...rates, trend, seconds_to_zero: left };
}

interface Moving {
  readonly lag: bigint;
  readonly read_rate: number;
  readonly write_rate: number;
}

function trendOf({ lag, read_rate: read, write_rate: written }: Moving, elapsedMs: number): Trend {
  if (lag > 0n && read === 0 && elapsedMs >= stalledMs) return 'stalled';
  if (read === written) return 'steady';
  return read > written ? 'shrinking' : 'growing';
}

function positionOf(row: GroupPartitionRow): bigint {
  return row.current_offset ?? row.log_start_offset ?? 0n;
}
