import { codes } from '../protocol/wire/error-codes.ts';
import { nextBatch, nextHeader, nextRecord, openHeaders, openRecords } from '../records/batches/batch-reader.ts';
import { createOutgoingRecord, type OutgoingRecord, type RecordHeader } from '../records/batches/batch-records.ts';
import { type BatchWriter, createBatchWriter } from '../records/batches/batch-writer.ts';
import { type Compression, compressions } from '../records/batches/compression/compressions.ts';
import {
  createCursor,
  exactOffset,
  exactTimestamp,
  type RecordCursor,
  recordOrigin,
  timestampIsSafe,
} from '../records/batches/cursor.ts';
import type { Batch, Refusal } from '../streams/produce/lane.ts';

/** The memory of writers that is kept for reuse, in bytes. */
const keptBytes = 8 << 20;

/** Writers for batches that are built from the records of others. */
export interface WriterPool {
  take(compression: Compression): BatchWriter;
  /** Where the records of batches that are built come from, if that is noted. */
  readonly offsets: Map<BatchWriter, bigint[]>;
  /** Takes back a writer whose batch is settled. */
  release(writer: BatchWriter): void;
}

/** Creates a pool of writers whose batches have at most `maxBytes` before compression, or one record. */
export function createWriterPool(maxBytes: number, isTransactional: boolean): WriterPool {
  const free = new Map<Compression, BatchWriter[]>();
  const origins = new WeakMap<BatchWriter, Compression>();
  const offsets = new Map<BatchWriter, bigint[]>();
  let bytes = 0;
  return {
    offsets,
    take(compression) {
      const released = free.get(compression)?.pop();
      if (released !== undefined) {
        bytes -= released.capacity;
        return released;
      }
      const writer = createBatchWriter({ compression, maxBytes, transactional: isTransactional });
      origins.set(writer, compression);
      return writer;
    },
    release(writer) {
      offsets.delete(writer);
      const compression = origins.get(writer);
      if (compression === undefined || bytes + writer.capacity > keptBytes) return;
      writer.reset();
      bytes += writer.capacity;
      const same = free.get(compression);
      if (same === undefined) free.set(compression, [writer]);
      else same.push(writer);
    },
  };
}

/** A batch that is built. */
export interface Packed {
  readonly writer: BatchWriter;
  readonly compression: Compression;
  /** The offset in the source of its first record. */
  readonly from: bigint;
}

/** Builds batches for one partition from records of other batches. */
export interface Packer {
  readonly pool: WriterPool;
  /** The size in bytes above which the destination takes no batch. */
  readonly maxBytes: number;
  /** Changes a record before it is added; undefined to leave it is. */
  readonly revise: Revision | undefined;
  /** Whether the offsets of the records are noted in the pool. */
  readonly notesOffsets: boolean;
  readonly record: OutgoingRecord;
  /** The batch that takes records. */
  open: Packed | undefined;
}

/** Changes a record, which has the bytes of the record under the cursor. */
export type Revision = (record: OutgoingRecord, cursor: RecordCursor) => void;

/** Adds the record under the cursor; returns a batch that became full before it. */
export function packRecord(packer: Packer, cursor: RecordCursor, compression: Compression): Packed | undefined {
  const { pool, maxBytes, record, open } = packer;
  copyRecord(cursor, record);
  packer.revise?.(record, cursor);
  const takesIt =
    open === undefined || (open.compression === compression && open.writer.size + greatestSize(record) <= maxBytes);
  let full = takesIt ? undefined : endBatch(packer);
  let batch = beginBatch(packer, cursor, compression);
  if (!batch.writer.append(record)) {
    full = endBatch(packer);
    batch = beginBatch(packer, cursor, compression);
    batch.writer.append(record);
  }
  if (packer.notesOffsets) noteOffset(pool, batch.writer, exactOffset(cursor));
  return full;
}

/** The open batch, or a new one. */
function beginBatch(packer: Packer, cursor: RecordCursor, compression: Compression): Packed {
  packer.open ??= { writer: packer.pool.take(compression), compression, from: exactOffset(cursor) };
  return packer.open;
}

/** Ends the open batch, if there is one. */
export function endBatch(packer: Packer): Packed | undefined {
  const { open } = packer;
  packer.open = undefined;
  return open;
}

/** Notes where the next record of a batch comes from. */
export function noteOffset({ offsets }: WriterPool, writer: BatchWriter, offset: bigint): void {
  const writerOffsets = offsets.get(writer);
  if (writerOffsets === undefined) offsets.set(writer, [offset]);
  else writerOffsets.push(offset);
}

/** At most so many bytes of a batch are taken by a header or a record besides its keys and values: varints. */
const mostMarks = 40;

/** The size of a record in a batch, or a little more. */
function greatestSize({ keyLength, valueLength, headers }: OutgoingRecord): number {
  let size = keyLength + valueLength + mostMarks;
  for (const { key, value } of headers) size += key.length + (value?.length ?? 0) + mostMarks;
  return size;
}

/** Takes everything of the record under the cursor but its offset; the bytes are those of the cursor. */
function copyRecord(cursor: RecordCursor, record: OutgoingRecord): void {
  record.keyBytes = cursor.bytes;
  record.keyStart = cursor.keyStart;
  record.keyLength = cursor.keyLength;
  record.valueBytes = cursor.bytes;
  record.valueStart = cursor.valueStart;
  record.valueLength = cursor.valueLength;
  if (timestampIsSafe(cursor)) record.timestamp = cursor.timestamp;
  else {
    record.timestamp = Number.NaN;
    record.exactTimestamp = exactTimestamp(cursor);
  }
  record.headers = cursor.headerCount === 0 ? noHeaders : headersOf(cursor);
}

const noHeaders: readonly RecordHeader[] = [];

function headersOf(cursor: RecordCursor): readonly RecordHeader[] {
  const headers: RecordHeader[] = [];
  openHeaders(cursor);
  while (nextHeader(cursor)) {
    const { bytes, headerKeyStart, headerKeyLength, headerValueStart, headerValueLength } = cursor;
    headers.push({
      key: bytes.subarray(headerKeyStart, headerKeyStart + headerKeyLength),
      value: headerValueLength < 0 ? null : bytes.subarray(headerValueStart, headerValueStart + headerValueLength),
    });
  }
  return headers;
}

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
