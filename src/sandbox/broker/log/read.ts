import type { Batch } from './batch.ts';
import type { ReplicaLog } from './replica-log.ts';

/** The place of the batch that has an offset, or of the first one after it. */
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

/** What is read from a log. */
export interface LogSlice {
  /** Whole batches, except that the last one may be cut where the limit is. */
  readonly records: Buffer;
  /** The first batch is larger than the limit. */
  readonly isFirstCut: boolean;
}

const nothing: LogSlice = { records: Buffer.alloc(0), isFirstCut: false };

/**
 * Reads from the batch that has `offset` up to `end`, at most `maxBytes`; the first batch comes whole when asked for.
 * Kafka hands out bytes of a file: the last batch of an answer may be cut short.
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

/** The entry at a position or the next one; Kafka's binary search goes past the very first entry when that is at it. */
function boundAt({ index }: ReplicaLog, until: number): number | undefined {
  const isAtFirst = index[0]?.position === until;
  return isAtFirst ? index[1]?.offset : index.find(({ position }) => position >= until)?.offset;
}

/**
 * The aborted transactions for an answer of so many bytes from an offset, in the order of their markers. Kafka knows
 * where the answer ends from its sparse index only, so it may list some that begin after it.
 */
export function abortedFor(
  log: ReplicaLog,
  offset: number,
  size: number,
): readonly { readonly producerId: number; readonly firstOffset: number }[] {
  const until = positionOf(log, offset) + size;
  const bound = boundAt(log, until) ?? log.endOffset;
  const found: { producerId: number; firstOffset: number }[] = [];
  for (const one of log.aborted) {
    if (one.lastOffset >= offset && one.firstOffset < bound) {
      found.push({ producerId: one.producerId, firstOffset: one.firstOffset });
    }
    if (one.lastStableOffset >= bound) break;
  }
  return found;
}
