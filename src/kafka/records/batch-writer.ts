import { type Arena, copyInto, createArena, reserve, viewOver } from './arena.ts';
import { codecOf } from './compression/codec.ts';
import { type Compression, compressions } from './compression/compressions.ts';
import { crc32c } from './crc32c.ts';
import { sizeOfVarint, sizeOfVarlong, writeInt64, writeVarint, writeVarlong } from './varint.ts';

/** A header of a record; the value may be null. */
export interface RecordHeader {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** A record about to be written, as ranges; the parser fills one and the same again and again. */
export interface OutgoingRecord {
  keyBytes: Uint8Array;
  keyStart: number;
  /** -1 for null. */
  keyLength: number;
  valueBytes: Uint8Array;
  valueStart: number;
  /** -1 for null (a tombstone). */
  valueLength: number;
  /** In order; the same key may come several times. */
  headers: readonly RecordHeader[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

const noHeaders: readonly RecordHeader[] = [];
const noBytes = Buffer.alloc(0);

/** A record with null key, null value and no headers, to be filled. */
export function createOutgoingRecord(): OutgoingRecord {
  return {
    keyBytes: noBytes,
    keyStart: 0,
    keyLength: -1,
    valueBytes: noBytes,
    valueStart: 0,
    valueLength: -1,
    headers: noHeaders,
    timestamp: -1,
  };
}

/** Who writes: -1 for all three without idempotence. Producer ids are exact up to 2^53. */
export interface ProducerStamp {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Sequence of the batch's first record. */
  readonly baseSequence: number;
}

/** How batches are written. */
export interface BatchWriterOptions {
  readonly compression: Compression;
  /** The codec's own level; its default when absent. */
  readonly level?: number;
  /** The most that a batch may take before compression, in bytes; one record always fits into an empty batch. */
  readonly maxBytes: number;
  readonly transactional?: boolean;
}

/** Builds one RecordBatch (magic 2, KIP-98) after the other in memory of its own. */
export interface BatchWriter {
  /** Records in the batch so far. */
  readonly count: number;
  /** Bytes of the batch so far, before compression. */
  readonly size: number;
  /** Adds the record; false when the batch is full, in which case nothing was written. */
  append(record: OutgoingRecord): boolean;
  /**
   * Ends the batch: the bytes for a Produce request, valid until `reset`. They may be stamped anew
   * with `stampBatch` for a retry.
   */
  finish(stamp: ProducerStamp): Buffer;
  /** Begins the next batch in the same memory. */
  reset(): void;
}

const headerBytes = 61;

interface Batch {
  /** The batch as it will be sent without compression: header and records. */
  readonly arena: Arena;
  count: number;
  baseTimestamp: number;
  maxTimestamp: number;
  /** Views over what keys and values came from last: records usually come from one chunk. */
  readonly keySource: Source;
  readonly valueSource: Source;
}

interface Source {
  bytes: Uint8Array;
  view: DataView;
}

/** A writer with memory of its own; use several to have several batches in flight. */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const arena = createArena(1 << 14);
  arena.length = headerBytes;
  const source = (): Source => ({ bytes: noBytes, view: viewOver(noBytes) });
  const batch: Batch = {
    arena,
    count: 0,
    baseTimestamp: -1,
    maxTimestamp: -1,
    keySource: source(),
    valueSource: source(),
  };
  const packed = createArena(0);
  return {
    get count() {
      return batch.count;
    },
    get size() {
      return arena.length;
    },
    append: (record) => appendRecord(batch, record, options.maxBytes),
    finish(stamp) {
      const isPacked = pack(batch, options, packed);
      const { bytes: memory, length } = isPacked ? packed : arena;
      const bytes = memory.subarray(0, length);
      const code = isPacked ? compressions.indexOf(options.compression) : 0;
      writeHeader(bytes, batch, code | (options.transactional ? 0x10 : 0));
      stampBatch(bytes, stamp);
      return bytes;
    },
    reset() {
      arena.length = headerBytes;
      batch.count = 0;
    },
  };
}

/** What the record takes in a batch, without the length in front, as the `index`th after `baseTimestamp`. */
function sizeOfBody(record: OutgoingRecord, index: number, timestampDelta: number): number {
  const { keyLength, valueLength, headers } = record;
  let size = 1 + sizeOfVarlong(timestampDelta) + sizeOfVarint(index) + sizeOfVarint(headers.length);
  size += sizeOfVarint(keyLength) + Math.max(keyLength, 0);
  size += sizeOfVarint(valueLength) + Math.max(valueLength, 0);
  for (const { key, value } of headers) {
    size += sizeOfVarint(key.length) + key.length;
    size += value === null ? 1 : sizeOfVarint(value.length) + value.length;
  }
  return size;
}

function appendRecord(batch: Batch, record: OutgoingRecord, maxBytes: number): boolean {
  const { arena, count } = batch;
  const isFirst = count === 0;
  const timestampDelta = isFirst ? 0 : record.timestamp - batch.baseTimestamp;
  const body = sizeOfBody(record, count, timestampDelta);
  const extra = sizeOfVarint(body) + body;
  if (!isFirst && arena.length + extra > maxBytes) return false;
  reserve(arena, extra);
  if (isFirst) batch.baseTimestamp = record.timestamp;
  if (isFirst || record.timestamp > batch.maxTimestamp) batch.maxTimestamp = record.timestamp;
  const { bytes } = arena;
  let at = writeVarint(bytes, arena.length, body);
  bytes[at++] = 0;
  at = writeVarlong(bytes, at, timestampDelta);
  arena.length = writeVarint(bytes, at, count);
  writeField(arena, viewOf(batch.keySource, record.keyBytes), record.keyStart, record.keyLength);
  writeField(arena, viewOf(batch.valueSource, record.valueBytes), record.valueStart, record.valueLength);
  writeHeaders(arena, record.headers);
  batch.count = count + 1;
  return true;
}

function viewOf(source: Source, bytes: Uint8Array): DataView {
  if (source.bytes !== bytes) {
    source.bytes = bytes;
    source.view = viewOver(bytes);
  }
  return source.view;
}

function writeHeaders(arena: Arena, headers: readonly RecordHeader[]): void {
  arena.length = writeVarint(arena.bytes, arena.length, headers.length);
  for (const { key, value } of headers) {
    writeField(arena, viewOver(key), 0, key.length);
    writeField(arena, viewOver(value ?? noBytes), 0, value === null ? -1 : value.length);
  }
}

function writeField(arena: Arena, source: DataView, start: number, length: number): void {
  arena.length = writeVarint(arena.bytes, arena.length, length);
  if (length > 0) copyInto(arena, source, start, length);
}

/** Packs the records into `packed`; false when that does not make them smaller. */
function pack(batch: Batch, { compression, level }: BatchWriterOptions, packed: Arena): boolean {
  if (compression === 'none' || batch.count === 0) return false;
  const records = batch.arena.bytes.subarray(headerBytes, batch.arena.length);
  const bytes = codecOf(compression).compress(records, level);
  if (bytes.length >= records.length) return false;
  packed.length = 0;
  reserve(packed, headerBytes + bytes.length);
  bytes.copy(packed.bytes, headerBytes);
  packed.length = headerBytes + bytes.length;
  return true;
}

function writeHeader(bytes: Buffer, batch: Batch, attributes: number): void {
  writeInt64(bytes, 0, 0);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes.writeInt32BE(-1, 12); // leader epoch: the broker's to say
  bytes[16] = 2;
  bytes.writeInt16BE(attributes, 21);
  bytes.writeInt32BE(Math.max(batch.count - 1, 0), 23);
  writeInt64(bytes, 27, batch.count === 0 ? -1 : batch.baseTimestamp);
  writeInt64(bytes, 35, batch.count === 0 ? -1 : batch.maxTimestamp);
  bytes.writeInt32BE(batch.count, 57);
}

/** Writes producer id, epoch and sequence into a finished batch and renews its checksum (a retry after an epoch bump). */
export function stampBatch(batch: Buffer, stamp: ProducerStamp): void {
  writeInt64(batch, 43, stamp.producerId);
  batch.writeInt16BE(stamp.producerEpoch, 51);
  batch.writeInt32BE(stamp.baseSequence, 53);
  batch.writeUInt32BE(crc32c(batch, 21), 17);
}

/**
 * Writes the offset that the broker gave into an acknowledged batch (the checksum does not cover
 * it): a cursor over the batch then shows what was written where.
 */
export function writeBaseOffset(batch: Buffer, baseOffset: bigint): void {
  batch.writeBigInt64BE(baseOffset, 0);
}

/** Writes the append time that the broker gave (LogAppendTime) into an acknowledged batch; renews the checksum. */
export function writeAppendTime(batch: Buffer, timestamp: number): void {
  batch.writeInt16BE(batch.readInt16BE(21) | 0x08, 21);
  writeInt64(batch, 35, timestamp);
  batch.writeUInt32BE(crc32c(batch, 21), 17);
}
