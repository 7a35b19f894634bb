import type { RecordCursor } from '../../records/batches/cursor.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import type { OffsetRange } from '../../streams/consume/offset-words.ts';
import type { AnalyzeCall, PartitionSample, RecordSizes, TopicAnalysis } from './analysis-rows.ts';
import { createKeyCounts } from './key-counts.ts';

/** What was counted in one partition. Times are milliseconds since the epoch. */
interface PartitionTally {
  records: number;
  bytes: number;
  batches: number;
  batchBytes: number;
  /** The base offset of the last batch. */
  batch: number;
  firstMs: number;
  lastMs: number;
}

/** Counts the records of one topic; its memory does not grow with their number. */
export interface Tally {
  /** Counts the record under the cursor, in place of formatting it. */
  readonly count: CompiledFormat;
  /** The analysis, without what the records do not tell. */
  result(isCut: boolean): Omit<TopicAnalysis, 'topic' | 'partitions' | 'error'>;
}

/** Creates a tally without records. */
export function createTally(call: Pick<AnalyzeCall, 'range' | 'topKeys' | 'nowMs'>): Tally {
  const partitions = new Map<number, PartitionTally>();
  const keys = createKeyCounts();
  const sizes = createSizeSpread();
  let tombstones = 0;
  return {
    count(cursor) {
      const size = Math.max(cursor.keyLength, 0) + Math.max(cursor.valueLength, 0);
      keys.add(cursor.bytes, cursor.keyStart, cursor.keyLength);
      sizes.add(size);
      if (cursor.valueLength < 0) tombstones += 1;
      addRecord(tallyOf(partitions, cursor.origin.partition), cursor, size);
    },
    result(isCut) {
      const list = [...partitions]
        .sort(([a], [b]) => a - b)
        .map(([partition, tally]) => partitionRow(partition, tally, isCut ? undefined : call));
      return {
        ...totals(list),
        is_cut: isCut,
        record_size: sizes.sizes(),
        tombstones,
        keys: keys.spread(call.topKeys),
        partition_list: list,
      };
    },
  };
}

function tallyOf(partitions: Map<number, PartitionTally>, partition: number): PartitionTally {
  const existing = partitions.get(partition);
  if (existing !== undefined) return existing;
  const fresh = { records: 0, bytes: 0, batches: 0, batchBytes: 0, batch: -1, firstMs: Infinity, lastMs: -Infinity };
  partitions.set(partition, fresh);
  return fresh;
}

function addRecord(tally: PartitionTally, cursor: RecordCursor, size: number): void {
  tally.records += 1;
  tally.bytes += size;
  if (tally.batches === 0 || cursor.baseOffset !== tally.batch) {
    tally.batch = cursor.baseOffset;
    tally.batches += 1;
    tally.batchBytes += cursor.batchEnd - cursor.batchStart;
  }
  // False for NaN and for records without a timestamp.
  if (!(cursor.timestamp >= 0)) return;
  tally.firstMs = Math.min(tally.firstMs, cursor.timestamp);
  tally.lastMs = Math.max(tally.lastMs, cursor.timestamp);
}

function partitionRow(
  partition: number,
  tally: PartitionTally,
  call: Pick<AnalyzeCall, 'range' | 'nowMs'> | undefined,
): PartitionSample {
  const seconds = (endOf(tally, call) - startOf(tally, call?.range)) / 1000;
  const isKnown = seconds > 0 && Number.isFinite(seconds);
  const perSecond = (amount: number): number | null => (isKnown ? rounded(amount / seconds) : null);
  const { records, bytes, batches, batchBytes } = tally;
  return {
    partition,
    records,
    bytes,
    records_per_second: perSecond(records),
    bytes_per_second: perSecond(bytes),
    batches,
    batch_bytes: batchBytes,
  };
}

/** The sample begins at the time that was asked for, or else with its first record. */
function startOf({ firstMs }: PartitionTally, range: OffsetRange | undefined): number {
  return range?.start.at === 'time' ? range.start.timestamp : firstMs;
}

/** The sample ends at the time that was asked for, now if that is the log end, or else with its last record. */
function endOf({ lastMs }: PartitionTally, call: Pick<AnalyzeCall, 'range' | 'nowMs'> | undefined): number {
  const end = call?.range.end;
  if (end?.at === 'time') return end.timestamp;
  return end?.at === 'end' && call !== undefined ? call.nowMs : lastMs;
}

function totals(list: readonly PartitionSample[]) {
  const sum = (of: (row: PartitionSample) => number): number => list.reduce((all, row) => all + of(row), 0);
  const rate = (of: (row: PartitionSample) => number | null): number | null => {
    const values = list.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : rounded(values.reduce((all, value) => all + value, 0));
  };
  return {
    records: sum((row) => row.records),
    bytes: sum((row) => row.bytes),
    records_per_second: rate((row) => row.records_per_second),
    bytes_per_second: rate((row) => row.bytes_per_second),
    batches: sum((row) => row.batches),
    batch_bytes: sum((row) => row.batch_bytes),
  };
}

/** A rate to three decimal places. */
function rounded(rate: number): number {
  return Math.round(rate * 1000) / 1000;
}

/** Buckets per power of two: the upper bound of a bucket is 4.4 percent above its lower one. */
const resolution = 16;

/** Counts sizes in buckets, so that its memory does not grow with the number of records. */
interface SizeSpread {
  add(size: number): void;
  /** Null if nothing was added. */
  sizes(): RecordSizes | null;
}

/** Creates an empty spread. */
export function createSizeSpread(): SizeSpread {
  const buckets: number[] = [];
  let [count, sum, max] = [0, 0, 0];

  /** The upper bound of the bucket in which the given share of the sizes is reached. */
  function percentile(share: number): number {
    let left = Math.ceil(count * share);
    for (const [bucket, count = 0] of buckets.entries()) {
      left -= count;
      if (left <= 0) return Math.min(max, bucket === 0 ? 0 : Math.floor(2 ** (bucket / resolution)));
    }
    return max;
  }
  return {
    add(size) {
      const bucket = size === 0 ? 0 : 1 + Math.floor(Math.log2(size) * resolution);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count += 1;
      sum += size;
      if (size > max) max = size;
    },
    sizes() {
      if (count === 0) return null;
      const average = Math.round(sum / count);
      return { average, p50: percentile(0.5), p75: percentile(0.75), p99: percentile(0.99), max };
    },
  };
}
