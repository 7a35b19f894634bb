import { type Batch, readBatch, stamp } from './batch.ts';
import { assignEpoch, type EpochCache, truncateEpochsEnd, truncateEpochsStart } from './epochs.ts';
import { applyBatch, type CompletedTransaction, type Producers } from './producers.ts';

/** An aborted transaction, as the index of a log keeps it (KIP-98). */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
  /** The last stable offset once this transaction had ended. */
  readonly lastStableOffset: number;
}

/** Every so many bytes Kafka notes where it is (`log.index.interval.bytes`); what it lists as aborted depends on it. */
const indexIntervalBytes = 4096;

/** One replica of a partition. Only the functions of this folder change it. */
export interface ReplicaLog {
  batches: Batch[];
  /** Smaller offsets have been deleted. */
  startOffset: number;
  /** The offset of the next record. */
  endOffset: number;
  /** What this replica knows of the end of what is committed. */
  highWatermark: number;
  readonly epochs: EpochCache;
  producers: Producers;
  /** By the offset of their markers. */
  aborted: AbortedTransaction[];
  /** Transactions whose markers are not committed yet. */
  unreplicated: CompletedTransaction[];
  /** The sparse index from the last offset of a batch to the position where it begins. */
  index: { readonly offset: number; readonly position: number }[];
  bytesSinceIndex: number;
  endPosition: number;
}

/** A log without records. */
export function createLog(): ReplicaLog {
  return {
    batches: [],
    startOffset: 0,
    endOffset: 0,
    highWatermark: 0,
    epochs: [],
    producers: new Map(),
    aborted: [],
    unreplicated: [],
    index: [],
    bytesSinceIndex: 0,
    endPosition: 0,
  };
}

/** Appends a batch as the leader of an epoch does; the bytes now belong to the log. */
export function appendAsLeader(log: ReplicaLog, bytes: Buffer, leaderEpoch: number): Batch {
  stamp(bytes, log.endOffset, leaderEpoch);
  const batch = readBatch(bytes, log.endPosition);
  appendBatch(log, batch);
  return batch;
}

/** Appends a batch that has its offsets. */
export function appendBatch(log: ReplicaLog, batch: Batch): void {
  assignEpoch(log.epochs, batch.leaderEpoch, batch.baseOffset);
  noteInIndex(log, batch);
  log.batches.push(batch);
  log.endOffset = batch.lastOffset + 1;
  const completed = applyBatch(log.producers, batch);
  if (completed !== undefined) noteCompleted(log, completed);
}

function noteInIndex(log: ReplicaLog, batch: Batch): void {
  if (log.bytesSinceIndex > indexIntervalBytes) {
    log.index.push({ offset: batch.lastOffset, position: log.endPosition });
    log.bytesSinceIndex = 0;
  }
  log.bytesSinceIndex += batch.bytes.length;
  log.endPosition += batch.bytes.length;
}

function noteCompleted(log: ReplicaLog, completed: CompletedTransaction): void {
  log.unreplicated.push(completed);
  if (!completed.isAborted) return;
  const { producerId, firstOffset, lastOffset } = completed;
  const open = firstOngoing(log) ?? lastOffset + 1;
  log.aborted.push({ producerId, firstOffset, lastOffset, lastStableOffset: open });
}

function firstOngoing(log: ReplicaLog): number | undefined {
  let first: number | undefined;
  for (const { transactionStart } of log.producers.values()) {
    if (transactionStart !== undefined && (first === undefined || transactionStart < first)) first = transactionStart;
  }
  return first;
}

/** Up to where a read of committed records may go: below the first transaction that is open or not replicated. */
export function lastStableOffset(log: ReplicaLog): number {
  let stable = Math.min(log.highWatermark, firstOngoing(log) ?? log.highWatermark);
  for (const { firstOffset } of log.unreplicated) stable = Math.min(stable, firstOffset);
  return stable;
}

/** Moves the high watermark; gives whether it has changed. */
export function setHighWatermark(log: ReplicaLog, offset: number): boolean {
  const bounded = Math.max(log.startOffset, Math.min(offset, log.endOffset));
  if (bounded === log.highWatermark) return false;
  log.highWatermark = bounded;
  log.unreplicated = log.unreplicated.filter(({ lastOffset }) => lastOffset >= bounded);
  return true;
}

/** Removes everything from an offset on, and what was known because of it. */
export function truncate(log: ReplicaLog, endOffset: number): void {
  if (endOffset >= log.endOffset) return;
  const kept = log.batches.filter(({ lastOffset }) => lastOffset < endOffset);
  const { startOffset, highWatermark } = log;
  const epochs = [...log.epochs];
  Object.assign(log, { ...createLog(), epochs: log.epochs, startOffset: Math.min(startOffset, endOffset) });
  log.endPosition = kept[0]?.position ?? 0;
  for (const batch of kept) appendBatch(log, batch);
  log.epochs.splice(0, Number.POSITIVE_INFINITY, ...epochs);
  truncateEpochsEnd(log.epochs, endOffset);
  log.endOffset = endOffset;
  log.bytesSinceIndex = 0;
  setHighWatermark(log, Math.min(highWatermark, endOffset));
}

/** Deletes what is below an offset, as retention does. What is known of producers stays (KIP-360). */
export function moveStart(log: ReplicaLog, startOffset: number): boolean {
  if (startOffset <= log.startOffset) return false;
  log.startOffset = startOffset;
  log.batches = log.batches.filter(({ lastOffset }) => lastOffset >= startOffset);
  log.aborted = log.aborted.filter(({ lastOffset }) => lastOffset >= startOffset);
  truncateEpochsStart(log.epochs, startOffset);
  if (log.endOffset < startOffset) log.endOffset = startOffset;
  if (log.highWatermark < startOffset) setHighWatermark(log, startOffset);
  return true;
}
