import type { GroupDescription, GroupPartition } from './group-rows.ts';
import type { GroupLag, Trend } from './lag-rows.ts';

/** A description of a group and when it was read, in milliseconds on a monotonic clock. */
export interface LagSample {
  readonly atMs: number;
  readonly group: GroupDescription;
  /** The ids of its topics by name, as far as the brokers report them. */
  readonly topicIds: ReadonlyMap<string, string>;
}

/**
 * What a later sample is compared with. Several of them are kept, each for every partition of every group, so they are
 * numbers in arrays: a row of a description takes twenty times the memory.
 */
export interface LagMarks {
  readonly atMs: number;
  readonly topicIds: ReadonlyMap<string, string>;
  /** The partitions whose lag is known. */
  readonly topics: ReadonlyMap<string, TopicMarks>;
}

interface TopicMarks {
  readonly partitions: Int32Array;
  /** The position of the group in each of the partitions. */
  readonly positions: BigInt64Array;
  readonly ends: BigInt64Array;
}

/** Keeps of a sample what a later one is compared with. */
export function marksOf({ atMs, group, topicIds }: LagSample): LagMarks {
  const measured = group.partitions.filter(({ lag }) => lag !== null);
  const topics = [...Map.groupBy(measured, ({ topic }) => topic)].map(([topic, rows]): [string, TopicMarks] => [
    topic,
    {
      partitions: Int32Array.from(rows, ({ partition }) => partition),
      positions: BigInt64Array.from(rows, positionOf),
      ends: BigInt64Array.from(rows, endOf),
    },
  ]);
  return { atMs, topicIds, topics: new Map(topics) };
}

/** How long nothing may be committed before a group counts as stalled; consumers commit every 5 s by default. */
const stalledMs = 10_000;

/** How fast a group reads and its topics grow. */
export type LagRates = Pick<GroupLag, 'read_rate' | 'write_rate' | 'trend' | 'seconds_to_zero'>;

const unknown: LagRates = { read_rate: null, write_rate: null, trend: null, seconds_to_zero: null };

/** Compares a sample of a group with an earlier one, by the partitions that are known in both. */
export function ratesBetween(before: LagMarks | undefined, now: LagSample): LagRates {
  if (before === undefined || now.atMs <= before.atMs) return unknown;
  return ratesOf(pairsOf(before, now), now.atMs - before.atMs);
}

/** Compares two samples of each partition of a group; absent for one that is not known in both. */
export function partitionRatesBetween(
  before: LagMarks | undefined,
  now: LagSample,
): ReadonlyMap<GroupPartition, LagRates> {
  if (before === undefined || now.atMs <= before.atMs) return new Map();
  const elapsedMs = now.atMs - before.atMs;
  return new Map(pairsOf(before, now).map((pair) => [pair.row, ratesOf([pair], elapsedMs)]));
}

/** A partition in two samples. */
interface Pair {
  readonly row: GroupPartition;
  /** The earlier position of the group, and the earlier end of the log. */
  readonly position: bigint;
  readonly end: bigint;
}

function pairsOf(before: LagMarks, now: LagSample): readonly Pair[] {
  return [...Map.groupBy(now.group.partitions, ({ topic }) => topic)].flatMap(([topic, rows]) => {
    const then = before.topics.get(topic);
    // The topic was created again between the two.
    if (then === undefined || now.topicIds.get(topic) !== before.topicIds.get(topic)) return [];
    const places = new Map([...then.partitions].map((partition, at) => [partition, at]));
    return rows.flatMap((row) => pairOf(row, then, places.get(row.partition)));
  });
}

function pairOf(row: GroupPartition, { positions, ends }: TopicMarks, at = -1): readonly Pair[] {
  const [position, end] = [positions[at], ends[at]];
  if (row.lag === null || position === undefined || end === undefined) return [];
  // An end that goes back is that of a log that has lost records, or of another one where brokers report no ids.
  return endOf(row) < end ? [] : [{ row, position, end }];
}

function ratesOf(pairs: readonly Pair[], elapsedMs: number): LagRates {
  if (pairs.length === 0) return unknown;
  let [read, written, lag] = [0n, 0n, 0n];
  for (const { row, position, end } of pairs) {
    lag += row.lag ?? 0n;
    written += endOf(row) - end;
    read += positionOf(row) - position;
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

/** Without a committed offset, everything from the log start is unread. */
function positionOf(row: GroupPartition): bigint {
  return row.current_offset ?? row.log_start_offset ?? 0n;
}

function endOf(row: GroupPartition): bigint {
  return row.log_end_offset ?? 0n;
}
