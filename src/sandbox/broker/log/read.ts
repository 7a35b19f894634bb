import type { Batch } from './batch.ts';
import type { ReplicaLog } from './replica-log.ts';

/** Finds the index of the batch that contains an offset, or of the first batch after it. */
export function findBatch(log: ReplicaLog, offset: number): number {
  let low = 0;
  let high = log.batches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log.batches[middle] as Batch).lastOffset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The result of a read from a log. */
export interface LogSlice {
  /** Whole batches, except for the last one, which may be cut at the limit. */
  readonly records: Buffer;
  /** True when the first batch exceeds the limit. */
  readonly isFirstCut: boolean;
}

const nothing: LogSlice = { records: Buffer.alloc(0), isFirstCut: false };

/**
 * Reads at most `maxBytes` from the batch that contains `offset` up to `end`; with `firstWhole` the first batch is
 * never cut. Kafka returns the bytes of a file, so the last batch of a response may be incomplete.
 */
export function readLog(
  log: ReplicaLog,
  { offset, end }: { readonly offset: number; readonly end: number },
  maxBytes: number,
  firstWhole: boolean,
): LogSlice {
  const first = findBatch(log, offset);
  const head = log.batches[first];
  if (offset >= end || head === undefined || head.baseOffset >= end) return nothing;
  const limit = firstWhole ? Math.max(maxBytes, head.bytes.length) : maxBytes;
  const pieces: Buffer[] = [];
  let left = limit;
  for (let at = first; left > 0; at += 1) {
    const batch = log.batches[at];
    if (batch === undefined || batch.baseOffset >= end) break;
    pieces.push(batch.bytes.length <= left ? batch.bytes : batch.bytes.subarray(0, left));
    left -= batch.bytes.length;
  }
  const records = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  return { records, isFirstCut: limit < head.bytes.length };
}

function positionOf(log: ReplicaLog, offset: number): number {
  return log.batches[findBatch(log, offset)]?.position ?? log.endPosition;
}

/** Finds the index entry at or after a position. Like Kafka, it skips an exactly matching first entry. */
function boundAt({ index }: ReplicaLog, until: number): number | undefined {
  const isAtFirst = index[0]?.position === until;
  return isAtFirst ? index[1]?.offset : index.find(({ position }) => position >= until)?.offset;
}

/**
 * Lists the aborted transactions for a response of `size` bytes from an offset, in the order of their markers. Kafka
 * estimates the end of the response from its sparse index, so it may list transactions that start after it.
 */
export function abortedFor(
  log: ReplicaLog,
  offset: number,
  size: number,
): readonly { readonly producerId: bigint; readonly firstOffset: number }[] {
  const until = positionOf(log, offset) + size;
  const bound = boundAt(log, until) ?? log.endOffset;
  const aborted: { producerId: bigint; firstOffset: number }[] = [];
  for (const one of log.aborted) {
    if (one.lastOffset >= offset && one.firstOffset < bound) {
      aborted.push({ producerId: one.producerId, firstOffset: one.firstOffset });
    }
    if (one.lastStableOffset >= bound) break;
  }
  return aborted;
}
