import { type Batch, keepRecords, readBatch } from '../../../src/sandbox/broker/log/batch.ts';
import { readRawRecords } from '../../../src/sandbox/broker/log/records.ts';
import { lastStableOffset, type ReplicaLog, replaceBatches } from '../../../src/sandbox/broker/log/replica-log.ts';
import { isAbortedAt } from './logged-records.ts';

/**
 * Compacts a log below an offset, as Kafka's cleaner does below the active segment: of the records with the same key only
 * the last one stays, and those without a key and those of aborted transactions go. Offsets keep their gaps. A batch
 * without records stays, empty, if it has the last sequence number of a producer, or if it is the last one below the
 * offset; otherwise it goes. Markers stay for `delete.retention.ms`, which is longer than any use of this model.
 * @returns whether anything has changed
 */
export function compact(log: ReplicaLog, belowOffset: number): boolean {
  const end = firstUncleanable(log, belowOffset);
  const isClean = (batch: Batch): boolean => batch.isControl || batch.lastOffset >= end;
  const last = lastOffsets(log, (batch) => !isClean(batch));
  const before = log.batches;
  const after = before.flatMap((batch) => (isClean(batch) ? batch : (cleaned(log, batch, { last, end }) ?? [])));
  if (after.length === before.length && after.every((batch, index) => batch === before[index])) return false;
  replaceBatches(log, after);
  return true;
}

/** The base offset of the first batch that may not be cleaned; the last batch is in the active segment. */
function firstUncleanable(log: ReplicaLog, belowOffset: number): number {
  const bound = Math.min(belowOffset, lastStableOffset(log), log.batches.at(-1)?.baseOffset ?? 0);
  return log.batches.find(({ lastOffset }) => lastOffset >= bound)?.baseOffset ?? 0;
}

/** The offset of the last record with each key. */
function lastOffsets(log: ReplicaLog, isCleaned: (batch: Batch) => boolean): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const batch of log.batches.filter(isCleaned)) {
    for (const { record } of readRawRecords(batch)) {
      if (record.key !== undefined && !isAbortedAt(log, batch, record.offset))
        last.set(record.key.toString('hex'), record.offset);
    }
  }
  return last;
}

interface Cleaning {
  readonly last: ReadonlyMap<string, number>;
  readonly end: number;
}

/** What is left of a batch; undefined for nothing. */
function cleaned(log: ReplicaLog, batch: Batch, { last, end }: Cleaning): Batch | undefined {
  const all = readRawRecords(batch);
  const kept = all.filter(
    ({ record: { key, offset } }) =>
      key !== undefined && last.get(key.toString('hex')) === offset && !isAbortedAt(log, batch, offset),
  );
  if (kept.length === all.length && all.length > 0) return batch;
  const isLastOfProducer = log.producers.get(batch.producerId)?.batches.at(-1)?.lastOffset === batch.lastOffset;
  if (kept.length === 0 && !isLastOfProducer && batch.lastOffset + 1 !== end) return undefined;
  const times = kept.map(({ record }) => record.timestamp);
  const maxTimestamp = times.reduce((most, time) => (time > most ? time : most), times[0] ?? batch.maxTimestamp);
  const bytes = keepRecords(
    batch,
    kept.map(({ raw }) => raw),
    maxTimestamp,
  );
  return readBatch(bytes, batch.position);
}
