import { type Arena, copyInto } from './arena.ts';
import { type Compression, codecOf, compressions } from './compression/codec.ts';
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

interface Batch extends Arena {
  count: number;
  baseTimestamp: number;
  maxTimestamp: number;
}

/** A writer with memory of its own; use several to have several batches in flight. */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const batch: Batch = {
    bytes: Buffer.allocUnsafeSlow(1 << 14),
    length: headerBytes,
    count: 0,
    baseTimestamp: -1,
    maxTimestamp: -1,
  };
  let packed: Buffer = noBytes;
  return {
    get count() {
      return batch.count;
    },
    get size() {
      return batch.length;
    },
    append: (record) => appendRecord(batch, record, options.maxBytes),
    finish(stamp) {
      const finished = options.compression === 'none' ? undefined : pack(batch, options, packed);
      if (finished !== undefined) packed = finished.memory;
      const bytes =
        finished === undefined ? batch.bytes.subarray(0, batch.length) : finished.memory.subarray(0, finished.length);
      const code = finished === undefined ? 0 : compressions.indexOf(options.compression);
      writeHeader(bytes, batch, code | (options.transactional ? 0x10 : 0));
      stampBatch(bytes, stamp);
      return bytes;
    },
    reset() {
      batch.length = headerBytes;
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
  const isFirst = batch.count === 0;
  const timestampDelta = isFirst ? 0 : record.timestamp - batch.baseTimestamp;
  const body = sizeOfBody(record, batch.count, timestampDelta);
  const length = batch.length + sizeOfVarint(body) + body;
  if (length > maxBytes && !isFirst) return false;
  if (length > batch.bytes.length) growBatch(batch, length);
  if (isFirst) batch.baseTimestamp = record.timestamp;
  if (isFirst || record.timestamp > batch.maxTimestamp) batch.maxTimestamp = record.timestamp;
  batch.length = writeVarint(batch.bytes, batch.length, body);
  batch.bytes[batch.length++] = 0;
  batch.length = writeVarlong(batch.bytes, batch.length, timestampDelta);
  batch.length = writeVarint(batch.bytes, batch.length, batch.count);
  writeField(batch, record.keyBytes, record.keyStart, record.keyLength);
  writeField(batch, record.valueBytes, record.valueStart, record.valueLength);
  writeHeaders(batch, record.headers);
  batch.count++;
  return true;
}

function writeHeaders(batch: Batch, headers: readonly RecordHeader[]): void {
  batch.length = writeVarint(batch.bytes, batch.length, headers.length);
  for (const { key, value } of headers) {
    writeField(batch, key, 0, key.length);
    if (value === null) writeField(batch, noBytes, 0, -1);
    else writeField(batch, value, 0, value.length);
  }
}

function writeField(batch: Batch, source: Uint8Array, start: number, length: number): void {
  batch.length = writeVarint(batch.bytes, batch.length, length);
  if (length > 0) copyInto(batch, source, start, length);
}

function growBatch(batch: Batch, needed: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, batch.bytes.length * 2));
  batch.bytes.copy(larger, 0, 0, batch.length);
  batch.bytes = larger;
}

/** The batch with its records packed; undefined when that does not make it smaller. */
function pack(
  batch: Batch,
  options: BatchWriterOptions,
  memory: Buffer,
): { memory: Buffer; length: number } | undefined {
  if (options.compression === 'none' || batch.count === 0) return undefined;
  const records = batch.bytes.subarray(headerBytes, batch.length);
  const packed = codecOf(options.compression).compress(records, options.level);
  if (packed.length >= records.length) return undefined;
  const length = headerBytes + packed.length;
  const target = memory.length >= length ? memory : Buffer.allocUnsafeSlow(Math.max(length, memory.length * 2));
  packed.copy(target, headerBytes);
  return { memory: target, length };
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
