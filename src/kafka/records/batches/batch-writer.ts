import { type Arena, createArena, reserve } from '../../../bytes/arena.ts';
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

/** The identity of the producer; -1 for all three without idempotence. */
export interface ProducerStamp {
  /** A broker may use all 64 bits. */
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** The sequence number of the batch's first record. */
  readonly baseSequence: number;
}

/** The options of a batch writer. */
export interface BatchWriterOptions {
  readonly compression: Compression;
  /** The compression level of the codec; its default if absent. */
  readonly level?: number;
  /** The maximum size of a batch before compression, in bytes; one record always fits into an empty batch. */
  readonly maxBytes: number;
  readonly transactional?: boolean;
}

/** Builds RecordBatches (magic 2, KIP-98) one after the other in its own memory. */
export interface BatchWriter {
  /** The number of records in the batch. */
  readonly count: number;
  /** The size of the batch in bytes, before compression. */
  readonly size: number;
  /** The size of the writer's memory in bytes. */
  readonly capacity: number;
  /** Adds the record; returns false and writes nothing if the batch is full. */
  append(record: OutgoingRecord): boolean;
  /**
   * Adds complete lines as values with a timestamp, within the limits. Returns true if it stopped because the batch is
   * full.
   */
  appendLines(lines: Lines, timestamp: number, limits: LineLimits): boolean;
  /**
   * Finishes the batch and returns its bytes for a Produce request, valid until `reset`. For a retry they can be
   * stamped again with `stampBatch`.
   */
  finish(stamp: ProducerStamp): Buffer;
  /** The records of the batch as they were before compression; valid until `reset`. */
  readonly records: UnpackedRecords;
  /** Starts the next batch in the same memory. */
  reset(): void;
}

/** Creates a writer with its own memory; use several to have several batches in flight. */
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

/** Compresses the records into `packed`; returns false if that does not make them smaller. */
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
  bytes.writeInt32BE(-1, 12); // leader epoch: set by the broker
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

/**
 * Writes producer id, epoch and sequence number into a finished batch and updates its checksum (also for a retry after
 * an epoch bump).
 */
export function stampBatch(batch: Buffer, stamp: ProducerStamp): void {
  writeStamp(batch, stamp);
  batch.writeUInt32BE(crc32c(batch, 21), 17);
}

/** Does the same without the checksum. */
export function writeStamp(batch: Buffer, stamp: ProducerStamp): void {
  batch.writeBigInt64BE(stamp.producerId, 43);
  batch.writeInt16BE(stamp.producerEpoch, 51);
  batch.writeInt32BE(stamp.baseSequence, 53);
}

/**
 * Writes the offset given by the broker into an acknowledged batch (the checksum does not cover it), so that a cursor
 * over the batch returns the offsets of the written records. -1 if the broker gave none.
 */
export function writeBaseOffset(batch: Buffer, baseOffset: bigint): void {
  batch.writeBigInt64BE(baseOffset, 0);
}

/**
 * Writes the append time given by the broker (LogAppendTime, milliseconds since the epoch) into an acknowledged batch.
 * The checksum is not updated, since it is no longer used.
 */
export function writeAppendTime(batch: Buffer, timestamp: bigint): void {
  batch.writeInt16BE(batch.readInt16BE(21) | 0x08, 21);
  batch.writeBigInt64BE(timestamp, maxTimestampAt);
}
