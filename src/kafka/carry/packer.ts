import { nextHeader, openHeaders } from '../records/batches/batch-reader.ts';
import { createOutgoingRecord, type OutgoingRecord, type RecordHeader } from '../records/batches/batch-records.ts';
import { type BatchWriter, createBatchWriter } from '../records/batches/batch-writer.ts';
import type { Compression } from '../records/batches/compression/compressions.ts';
import { exactOffset, exactTimestamp, type RecordCursor, timestampIsSafe } from '../records/batches/cursor.ts';

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
      const known = free.get(compression)?.pop();
      if (known !== undefined) {
        bytes -= known.capacity;
        return known;
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

/** A batch that was built. */
export interface Packed {
  readonly writer: BatchWriter;
  /** The offset in the source of its first record. */
  readonly from: bigint;
}

/** Builds batches for one partition from records of other batches. */
export interface Packer {
  /** Adds the record under the cursor; returns a batch that became full before it. */
  add(cursor: RecordCursor, compression: Compression): Packed | undefined;
  /** Ends the open batch, if there is one. */
  end(): Packed | undefined;
  /** The compression of the open batch; undefined for none. */
  readonly compression: Compression | undefined;
  /** The size of the open batch, in bytes before compression. */
  readonly size: number;
}

/** How batches are built. */
export interface Packing {
  readonly pool: WriterPool;
  /** The size in bytes above which the destination takes no batch. */
  readonly maxBytes: number;
  /** Changes a record before it is added; undefined to leave it as it is. */
  readonly revise: Revision | undefined;
  /** Whether the offsets of the records are noted in the pool. */
  readonly notesOffsets?: boolean | undefined;
}

/** Changes a record, which has the bytes of the record under the cursor. */
export type Revision = (record: OutgoingRecord, cursor: RecordCursor) => void;

/** Creates a packer. */
export function createPacker({ pool, maxBytes, revise, notesOffsets }: Packing): Packer {
  const record = createOutgoingRecord();
  let open: (Packed & { readonly compression: Compression }) | undefined;
  const note = (writer: BatchWriter, cursor: RecordCursor): void => {
    if (notesOffsets === true) noteOffset(pool, writer, exactOffset(cursor));
  };
  const begin = (cursor: RecordCursor, compression: Compression) => ({
    writer: pool.take(compression),
    from: exactOffset(cursor),
    compression,
  });
  const end = (): Packed | undefined => {
    const ended = open;
    open = undefined;
    return ended;
  };
  return {
    add(cursor, compression) {
      copyRecord(cursor, record);
      revise?.(record, cursor);
      const isOther = open !== undefined && open.compression !== compression;
      const hasRoom = open === undefined || open.writer.size + greatestSize(record) <= maxBytes;
      let full = isOther || !hasRoom ? end() : undefined;
      open ??= begin(cursor, compression);
      if (!open.writer.append(record)) {
        full = end();
        open = begin(cursor, compression);
        open.writer.append(record);
      }
      note(open.writer, cursor);
      return full;
    },
    end,
    get compression() {
      return open?.compression;
    },
    get size() {
      return open?.writer.size ?? 0;
    },
  };
}

/** Notes where the next record of a batch comes from. */
export function noteOffset({ offsets }: WriterPool, writer: BatchWriter, offset: bigint): void {
  const known = offsets.get(writer);
  if (known === undefined) offsets.set(writer, [offset]);
  else known.push(offset);
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
export function copyRecord(cursor: RecordCursor, record: OutgoingRecord): void {
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
