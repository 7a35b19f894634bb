import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { type Batch, readMarker, sequenceMinus } from './batch.ts';

/** A batch of a producer that a partition remembers. */
interface SentBatch {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
  readonly timestamp: bigint;
}

/** The state of a producer at a replica, derived from its log alone. */
export interface ProducerEntry {
  epoch: number;
  coordinatorEpoch: number;
  lastTimestamp: bigint;
  /** The last five batches, oldest first. */
  batches: SentBatch[];
  /** The first offset of the open transaction; undefined without one. */
  transactionStart: number | undefined;
}

/** The producers of a replica, by producer id. */
export type Producers = Map<bigint, ProducerEntry>;

/** The number of batches that a broker remembers, which is the most a producer may have in flight (KIP-98, KIP-679). */
const windowSize = 5;

/**
 * Removes the producers without an open transaction whose last record has a timestamp from before `since`, in
 * milliseconds since the epoch.
 */
export function expireProducers(producers: Producers, since: number): void {
  for (const [id, { lastTimestamp, transactionStart }] of producers) {
    if (transactionStart === undefined && lastTimestamp <= since) producers.delete(id);
  }
}

/** Removes the producers without an open transaction that have no record at or after an offset. */
export function forgetBefore(producers: Producers, offset: number): void {
  for (const [id, { batches, transactionStart }] of producers) {
    if (transactionStart === undefined && (batches.at(-1)?.lastOffset ?? -1) < offset) producers.delete(id);
  }
}

/** Finds a batch that the partition already has, by its epoch and both its sequence numbers. */
export function findDuplicate(producers: Producers, batch: Batch): SentBatch | undefined {
  const entry = producers.get(batch.producerId);
  if (entry === undefined || entry.epoch !== batch.producerEpoch) return undefined;
  return entry.batches.find(
    (sent) => sent.firstSequence === batch.baseSequence && sent.lastSequence === batch.lastSequence,
  );
}

/**
 * Returns the error code for a batch of an idempotent producer that is not a duplicate; 0 if it may be appended. As in
 * Kafka since 2.5 (KIP-360), an epoch below the known one is INVALID_PRODUCER_EPOCH, a new epoch starts with sequence
 * 0, and within an epoch each sequence number follows the last, modulo 2^31. A producer unknown to the partition may
 * start with any sequence number, because its state may have expired or been deleted with its records. Before 2.5 it had
 * to start with 0 (UNKNOWN_PRODUCER_ID).
 */
export function checkSequence(producers: Producers, batch: Batch, takesAnyFirst = true): number {
  const entry = producers.get(batch.producerId);
  if (entry === undefined) {
    return takesAnyFirst || batch.baseSequence === 0 ? codes.NONE : codes.UNKNOWN_PRODUCER_ID;
  }
  if (batch.producerEpoch < entry.epoch) return codes.INVALID_PRODUCER_EPOCH;
  if (entry.transactionStart !== undefined && !batch.isTransactional) return codes.INVALID_TXN_STATE;
  const last = batch.producerEpoch === entry.epoch ? (entry.batches.at(-1)?.lastSequence ?? -1) : -1;
  return batch.baseSequence === (last + 1) % 0x8000_0000 ? codes.NONE : codes.OUT_OF_ORDER_SEQUENCE_NUMBER;
}

/** A transaction that a marker has completed in a partition. */
export interface CompletedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: number;
  /** The offset of the marker. */
  readonly lastOffset: number;
  readonly isAborted: boolean;
}

/** Updates the producer state with an appended batch; returns the transaction that the batch completes, if any. */
export function applyBatch(producers: Producers, batch: Batch): CompletedTransaction | undefined {
  if (batch.producerId < 0n) return undefined;
  const entry = entryOf(producers, batch);
  if (batch.producerEpoch !== entry.epoch) entry.batches = [];
  entry.epoch = batch.producerEpoch;
  entry.lastTimestamp = batch.maxTimestamp;
  if (batch.isControl) return applyMarker(entry, batch);
  const delta = batch.lastOffset - batch.baseOffset;
  entry.batches.push({
    firstSequence: sequenceMinus(batch.lastSequence, delta),
    lastSequence: batch.lastSequence,
    firstOffset: batch.baseOffset,
    lastOffset: batch.lastOffset,
    timestamp: batch.maxTimestamp,
  });
  if (entry.batches.length > windowSize) entry.batches.shift();
  if (batch.isTransactional) entry.transactionStart ??= batch.baseOffset;
  return undefined;
}

function entryOf(producers: Producers, { producerId, producerEpoch, maxTimestamp }: Batch): ProducerEntry {
  const producer = producers.get(producerId);
  if (producer !== undefined) return producer;
  const entry: ProducerEntry = {
    epoch: producerEpoch,
    coordinatorEpoch: -1,
    lastTimestamp: maxTimestamp,
    batches: [],
    transactionStart: undefined,
  };
  producers.set(producerId, entry);
  return entry;
}

function applyMarker(entry: ProducerEntry, batch: Batch): CompletedTransaction | undefined {
  const marker = readMarker(batch);
  const firstOffset = entry.transactionStart;
  entry.coordinatorEpoch = marker?.coordinatorEpoch ?? entry.coordinatorEpoch;
  entry.transactionStart = undefined;
  if (marker === undefined || firstOffset === undefined) return undefined;
  return { producerId: batch.producerId, firstOffset, lastOffset: batch.lastOffset, isAborted: !marker.committed };
}
