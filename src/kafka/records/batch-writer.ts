import { type Arena, createArena, reserve } from './arena.ts';
import type { UnpackedRecords } from './batch-reader.ts';
import {
  appendLines,
  appendRecord,
  createFillingBatch,
  type FillingBatch,
  headerBytes,
  type LineLimits,
  type Lines,
  type OutgoingRecord,
} from './batch-records.ts';
import { codecOf } from './compression/codec.ts';
import { type Compression, compressions } from './compression/compressions.ts';
import { crc32c } from './crc32c.ts';
import { baseTimestampAt, maxTimestampAt } from './cursor.ts';
import { writeInt64 } from './varint.ts';

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
  /** Bytes of memory that it holds. */
  readonly capacity: number;
  /** Adds the record; false when the batch is full, in which case nothing was written. */
  append(record: OutgoingRecord): boolean;
  /**
   * Adds the lines that are whole, as values with a timestamp, within the limits. True when that ended because the
   * batch is full.
   */
  appendLines(lines: Lines, timestamp: number, limits: LineLimits): boolean;
  /**
   * Ends the batch: the bytes for a Produce request, valid until `reset`. They may be stamped anew
   * with `stampBatch` for a retry.
   */
  finish(stamp: ProducerStamp): Buffer;
  /** The records of the batch as they were before compression, until `reset`. */
  readonly records: UnpackedRecords;
  /** Begins the next batch in the same memory. */
  reset(): void;
}

/** A writer with memory of its own; use several to have several batches in flight. */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const batch = createFillingBatch();
  const { arena } = batch;
  const { maxBytes } = options;
  const packed = createArena(0);
  return {
    get count() {
      return batch.count;
    },
    get size() {
      return arena.length;
    },
    get capacity() {
      return arena.bytes.length + packed.bytes.length;
    },
    append: (record) => appendRecord(batch, record, maxBytes),
    appendLines: (lines, timestamp, limits) => appendLines(batch, lines, timestamp, limits),
    finish(stamp) {
      const isPacked = pack(batch, options, packed);
      const { bytes: memory, length } = isPacked ? packed : arena;
      const bytes = memory.subarray(0, length);
      const code = isPacked ? compressions.indexOf(options.compression) : 0;
      writeHeader(bytes, batch, code | (options.transactional ? 0x10 : 0));
      stampBatch(bytes, stamp);
      return bytes;
    },
    get records() {
      return { bytes: arena.bytes, view: arena.view, start: headerBytes, end: arena.length };
    },
    reset() {
      arena.length = headerBytes;
      batch.count = 0;
    },
  };
}

/** Packs the records into `packed`; false when that does not make them smaller. */
function pack(batch: FillingBatch, { compression, level }: BatchWriterOptions, packed: Arena): boolean {
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

function writeHeader(bytes: Buffer, batch: FillingBatch, attributes: number): void {
  writeInt64(bytes, 0, 0);
  bytes.writeInt32BE(bytes.length - 12, 8);
  bytes.writeInt32BE(-1, 12); // leader epoch: the broker's to say
  bytes[16] = 2;
  bytes.writeInt16BE(attributes, 21);
  bytes.writeInt32BE(Math.max(batch.count - 1, 0), 23);
  writeTimestamps(bytes, batch);
  bytes.writeInt32BE(batch.count, 57);
}

function writeTimestamps(bytes: Buffer, { count, exact, baseTimestamp, maxTimestamp }: FillingBatch): void {
  if (count === 0 || exact === undefined) {
    writeInt64(bytes, baseTimestampAt, count === 0 ? -1 : baseTimestamp);
    writeInt64(bytes, maxTimestampAt, count === 0 ? -1 : maxTimestamp);
    return;
  }
  bytes.writeBigInt64BE(exact.base, baseTimestampAt);
  bytes.writeBigInt64BE(exact.max, maxTimestampAt);
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
 * it): a cursor over the batch then shows what was written where. -1 where the broker gave none.
 */
export function writeBaseOffset(batch: Buffer, baseOffset: bigint): void {
  batch.writeBigInt64BE(baseOffset, 0);
}

/**
 * Writes the append time that the broker gave (LogAppendTime, milliseconds since the epoch) into an acknowledged batch.
 * Nobody checks its checksum any more, which is not renewed.
 */
export function writeAppendTime(batch: Buffer, timestamp: bigint): void {
  batch.writeInt16BE(batch.readInt16BE(21) | 0x08, 21);
  batch.writeBigInt64BE(timestamp, maxTimestampAt);
}
