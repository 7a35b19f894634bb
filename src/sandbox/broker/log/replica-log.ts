import { type Batch, readBatch, stamp } from './batch.ts';
import { assignEpoch, type EpochCache, truncateEpochsEnd, truncateEpochsStart } from './epochs.ts';
import { applyBatch, type CompletedTransaction, forgetBefore, type Producers } from './producers.ts';

/** An aborted transaction in the index of a log (KIP-98). */
interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: number;
  readonly lastOffset: number;
  /** The last stable offset after the end of this transaction. */
  readonly lastStableOffset: number;
}

/** The interval of the offset index (`log.index.interval.bytes`), on which the listed aborted transactions depend. */
const indexIntervalBytes = 4096;

/** One replica of a partition, which only the functions of this folder change. */
export interface ReplicaLog {
  batches: Batch[];
  /** The first offset that has not been deleted. */
  startOffset: number;
  /** The offset of the next record. */
  endOffset: number;
  /** The high watermark as known to this replica. */
  highWatermark: number;
  readonly epochs: EpochCache;
  producers: Producers;
  /** When it was last looked for producers to forget, in milliseconds since the epoch; undefined before that. */
  lookedForOldAt: number | undefined;
  /** Aborted transactions, ordered by the offset of their markers. */
  aborted: AbortedTransaction[];
  /** Completed transactions whose markers are not replicated yet. */
  unreplicated: CompletedTransaction[];
  /** The sparse index from the last offset of a batch to the position of the batch. */
  index: { readonly offset: number; readonly position: number }[];
  bytesSinceIndex: number;
  endPosition: number;
}

/** Creates an empty log. */
export function createLog(): ReplicaLog {
  return {
    batches: [],
    startOffset: 0,
    endOffset: 0,
    highWatermark: 0,
    epochs: [],
    producers: new Map(),
    lookedForOldAt: undefined,
    aborted: [],
    unreplicated: [],
    index: [],
    bytesSinceIndex: 0,
    endPosition: 0,
  };
}

/** Appends a batch as the leader, assigning offsets and epoch; the log takes ownership of the bytes. */
export function appendAsLeader(log: ReplicaLog, bytes: Buffer, leaderEpoch: number): Batch {
  stamp(bytes, log.endOffset, leaderEpoch);
  const batch = readBatch(bytes, log.endPosition);
  appendBatch(log, batch);
  return batch;
}

/** Appends a batch that already has its offsets. */
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

/** Returns the last stable offset, which is limited by transactions that are open or whose marker is not replicated. */
export function lastStableOffset(log: ReplicaLog): number {
  let stable = Math.min(log.highWatermark, firstOngoing(log) ?? log.highWatermark);
  for (const { firstOffset } of log.unreplicated) stable = Math.min(stable, firstOffset);
  return stable;
}

/** Sets the high watermark and returns whether it has changed. */
export function setHighWatermark(log: ReplicaLog, offset: number): boolean {
  const bounded = Math.max(log.startOffset, Math.min(offset, log.endOffset));
  if (bounded === log.highWatermark) return false;
  log.highWatermark = bounded;
  log.unreplicated = log.unreplicated.filter(({ lastOffset }) => lastOffset >= bounded);
  return true;
}

/** Removes all batches from an offset on and the state derived from them. */
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

/** Replaces the batches by what compaction has left of them. */
export function replaceBatches(log: ReplicaLog, batches: readonly Batch[]): void {
  log.batches = [];
  log.index = [];
  log.bytesSinceIndex = 0;
  log.endPosition = 0;
  for (const batch of batches) {
    log.batches.push({ ...batch, position: log.endPosition });
    noteInIndex(log, batch);
  }
}

/**
 * Reads the log again, as a broker does that starts: what it knows of producers is what its batches show. One that was
 * stopped in order has written it down, which does not count if there is nothing in the log.
 */
export function reload(log: ReplicaLog, wasStopped: boolean): void {
  if (wasStopped && log.startOffset < log.endOffset) return;
  log.producers = new Map();
  for (const batch of log.batches) applyBatch(log.producers, batch);
}

/**
 * Deletes the batches below an offset, as retention does. Producer state is kept since Kafka 2.4; before, a producer
 * went with the last of its records.
 */
export function moveStart(log: ReplicaLog, startOffset: number, keepsProducers = true): boolean {
  if (startOffset <= log.startOffset) return false;
  log.startOffset = startOffset;
  log.batches = log.batches.filter(({ lastOffset }) => lastOffset >= startOffset);
  log.aborted = log.aborted.filter(({ lastOffset }) => lastOffset >= startOffset);
  truncateEpochsStart(log.epochs, startOffset);
  if (!keepsProducers) forgetBefore(log.producers, startOffset);
  if (log.endOffset < startOffset) log.endOffset = startOffset;
  if (log.highWatermark < startOffset) setHighWatermark(log, startOffset);
  return true;
}
