import { codes } from '../protocol/wire/error-codes.ts';
import { nextBatch, nextRecord, openRecords } from '../records/batches/batch-reader.ts';
import { createOutgoingRecord } from '../records/batches/batch-records.ts';
import type { BatchWriter } from '../records/batches/batch-writer.ts';
import { compressions } from '../records/batches/compression/compressions.ts';
import { createCursor, recordOrigin } from '../records/batches/cursor.ts';
import type { Batch, Refusal } from '../streams/produce/lane.ts';
import { copyRecord, noteOffset, type WriterPool } from './packer.ts';

/** What becomes of the records of a refused batch. */
export interface Divided {
  /** Batches without the records at fault, in order. */
  readonly writers: readonly BatchWriter[];
  /** Where the records at fault come from. */
  readonly left: readonly bigint[];
}

/** Leaves out the records for which a batch was refused; where the broker does not name them, halves are tried. */
export function divideRefused(batch: Batch, refusal: Refusal, pool: WriterPool): Divided {
  const { records, writer } = batch;
  const offsets = pool.offsets.get(writer) ?? [];
  if (records === 1 || refusal.code === codes.TOPIC_AUTHORIZATION_FAILED) return { writers: [], left: offsets };
  const faulty = new Set(refusal.indexes.filter((index) => index >= 0 && index < records));
  const half = faulty.size > 0 ? records : Math.ceil(records / 2);
  const groups = new Map<boolean, BatchWriter>();
  const record = createOutgoingRecord();
  const cursor = createCursor();
  openRecords(cursor, recordOrigin(batch.lane.topic, batch.lane.partition), {
    bytes: batch.bytes,
    start: 0,
    end: batch.bytes.length,
  });
  nextBatch(cursor);
  for (let index = 0; nextRecord(cursor); index += 1) {
    if (faulty.has(index)) continue;
    const isSecond = index >= half;
    const to = groups.get(isSecond) ?? pool.take(compressions[cursor.attributes & 7] ?? 'none');
    groups.set(isSecond, to);
    copyRecord(cursor, record);
    to.append(record);
    const offset = offsets[index];
    if (offset !== undefined) noteOffset(pool, to, offset);
  }
  return { writers: [...groups.values()], left: offsets.filter((_, index) => faulty.has(index)) };
}
