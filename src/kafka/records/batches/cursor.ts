import { type Arena, createArena, viewOver } from '../../../bytes/arena.ts';
import { type Position, readExactVarlong } from './varint.ts';

/** The origin of records: what a format may print in addition to the record itself. Marks beyond 2^53 are BigInt. */
export interface RecordOrigin {
  readonly topic: string;
  /** `topic` in UTF-8, encoded once. */
  readonly topicBytes: Buffer;
  readonly partition: number;
  /** The offset marks of the partition when the records were fetched; undefined for produced records. */
  readonly logStart: number | bigint | undefined;
  readonly lastStable: number | bigint | undefined;
  readonly highWatermark: number | bigint | undefined;
}

/** The offset marks of a partition in one Fetch answer. */
export type PartitionMarks = Pick<RecordOrigin, 'logStart' | 'lastStable' | 'highWatermark'>;

/**
 * Creates the origin for the records of one partition; create it once per partition, or per Fetch answer if marks are
 * printed.
 */
export function recordOrigin(topic: string, partition: number, marks?: PartitionMarks): RecordOrigin {
  const { logStart, lastStable, highWatermark } = marks ?? {};
  return { topic, topicBytes: Buffer.from(topic), partition, logStart, lastStable, highWatermark };
}

/**
 * A position in a sequence of record batches. The reader overwrites its fields instead of creating an object per
 * record. Ranges are positions in `bytes`; a length of -1 is null.
 */
export interface RecordCursor extends Position {
  // The bytes being read.
  origin: RecordOrigin;
  /** The bytes handed to `openRecords`. */
  source: Buffer;
  /** A view over exactly `source`. */
  sourceView: DataView;
  /** The start of the next batch in `source`. */
  next: number;
  /** The end of the bytes in `source`. */
  end: number;
  /** Set if the bytes end inside a batch: the full size of that batch in bytes, or 0 if even that is unknown. */
  truncated: number | undefined;

  // The batch, valid after `nextBatch`.
  batchStart: number;
  batchEnd: number;
  /** 2 since Kafka 0.11; 0 and 1 are the older message sets. */
  magic: number;
  /** The base offset as a number, exact up to 2^53; `exactBaseOffset` is always exact. */
  baseOffset: number;
  baseOffsetHigh: number;
  baseOffsetLow: number;
  lastOffsetDelta: number;
  /** -1 when unknown. */
  leaderEpoch: number;
  /** The attribute bits of the batch. */
  attributes: number;
  /** Milliseconds since the epoch, -1 for none; NaN beyond 2^53. */
  baseTimestamp: number;
  maxTimestamp: number;
  /** -1 for a producer that is not idempotent; exact up to 2^53, `exactProducerId` always is. */
  producerId: number;
  producerEpoch: number;
  baseSequence: number;
  /** The number of records in the batch; 1 for an unopened entry of a message set. */
  recordCount: number;

  // The record, valid after `nextRecord`.
  /** The bytes that the ranges below refer to: `source`, or decompressed bytes that are valid until the next batch. */
  bytes: Buffer;
  /** A view over exactly `bytes`. */
  view: DataView;
  recordEnd: number;
  offsetDelta: number;
  /** `baseOffset + offsetDelta`, exact up to 2^53. */
  offset: number;
  /** Milliseconds since the epoch if `timestampIsSafe`; otherwise use `exactTimestamp`. */
  timestamp: number;
  /** The position in `bytes` of the timestamp, or of its difference to that of the batch. */
  timestampAt: number;
  keyStart: number;
  keyLength: number;
  valueStart: number;
  valueLength: number;
  headerCount: number;
  headersStart: number;

  // The header, valid after `nextHeader`.
  headersLeft: number;
  headerKeyStart: number;
  headerKeyLength: number;
  headerValueStart: number;
  headerValueLength: number;

  // The state of the reader.
  recordsLeft: number;
  recordsEnd: number;
  /** Whether the batch was decompressed, or did not need to be. */
  opened: boolean;
  readonly scratch: Arena;
  readonly maxUnpackedBytes: number;
  readonly checkCrc: boolean | 'messages';
}

/** The options of a cursor. */
export interface CursorOptions {
  /** The maximum size of a decompressed batch in bytes, unless it is large on the wire, too; 64 MiB by default. */
  readonly maxUnpackedBytes?: number;
  /** Whether checksums are checked; true by default. `messages`: those of magic 2 by the caller, with `checkBatch`. */
  readonly checkCrc?: boolean | 'messages';
}

const nowhere = recordOrigin('', 0);
const nothing = Buffer.alloc(0);
/** A placeholder: a fraction makes V8 store the field as a double from the start, for numbers beyond 2^31. */
const double = -0.5;

/**
 * The most bytes that a batch may have when it is decompressed. Brokers limit only what it has on the wire, so 8 KB of
 * someone else could take gigabytes here. Real batches of more than 64 MiB are large on the wire as well.
 */
export function mostUnpacked({ maxUnpackedBytes }: Pick<RecordCursor, 'maxUnpackedBytes'>, packed: Buffer): number {
  return Math.max(maxUnpackedBytes, Math.min(16 * packed.length, 256 * 2 ** 20));
}

/** Creates a cursor that can be reused for any number of Fetch answers; start with `openRecords`. */
export function createCursor({ maxUnpackedBytes = 64 * 2 ** 20, checkCrc = true }: CursorOptions = {}): RecordCursor {
  return {
    origin: nowhere,
    source: nothing,
    sourceView: viewOver(nothing),
    next: 0,
    end: 0,
    at: 0,
    truncated: undefined,
    batchStart: 0,
    batchEnd: 0,
    magic: 2,
    baseOffset: 0,
    baseOffsetHigh: 0,
    baseOffsetLow: 0,
    lastOffsetDelta: 0,
    leaderEpoch: -1,
    attributes: 0,
    baseTimestamp: double,
    maxTimestamp: double,
    producerId: double,
    producerEpoch: -1,
    baseSequence: -1,
    recordCount: 0,
    bytes: nothing,
    view: viewOver(nothing),
    recordEnd: 0,
    offsetDelta: 0,
    offset: double,
    timestamp: double,
    timestampAt: 0,
    keyStart: 0,
    keyLength: -1,
    valueStart: 0,
    valueLength: -1,
    headerCount: 0,
    headersStart: 0,
    headersLeft: 0,
    headerKeyStart: 0,
    headerKeyLength: 0,
    headerValueStart: 0,
    headerValueLength: -1,
    recordsLeft: 0,
    recordsEnd: 0,
    opened: false,
    scratch: createArena(0),
    maxUnpackedBytes,
    checkCrc,
  };
}

/** The positions of the timestamps in a batch (magic 2, KIP-98). */
export const baseTimestampAt = 27;
export const maxTimestampAt = 35;
/** The position of the timestamp in a message of magic 1. */
export const messageTimestampAt = 18;

const highBeyondSafe = 0x1fffff;

/** Whether all offsets of the batch are exact as numbers (below 2^53). */
export function offsetsAreSafe(cursor: RecordCursor): boolean {
  return cursor.baseOffsetHigh >= 0 && cursor.baseOffsetHigh < highBeyondSafe;
}

/** Whether the offset is known; false for a produced record whose offset the broker did not report. */
export function hasOffset(cursor: RecordCursor): boolean {
  return cursor.baseOffsetHigh >= 0;
}

/** Returns the exact offset of the record. */
export function exactOffset(cursor: RecordCursor): bigint {
  return exactBaseOffset(cursor) + BigInt(cursor.offsetDelta);
}

/** Whether the timestamp of the record is exact as a number. */
export function timestampIsSafe({ timestamp }: RecordCursor): boolean {
  // Both are false for NaN.
  return timestamp <= Number.MAX_SAFE_INTEGER && timestamp >= Number.MIN_SAFE_INTEGER;
}

/** Returns the exact timestamp of the record in all 64 bits; a sum beyond them wraps, as in Java. */
export function exactTimestamp(cursor: RecordCursor): bigint {
  const { source, bytes, batchStart, magic, timestampAt } = cursor;
  if (magic === 0) return -1n;
  if (isLogAppendTime(cursor))
    return source.readBigInt64BE(batchStart + (magic === 2 ? maxTimestampAt : messageTimestampAt));
  if (magic === 1) return bytes.readBigInt64BE(timestampAt);
  const base = source.readBigInt64BE(batchStart + baseTimestampAt);
  return BigInt.asIntN(64, base + readExactVarlong(bytes, timestampAt));
}

/** Returns the exact base offset of the batch. */
export function exactBaseOffset(cursor: RecordCursor): bigint {
  return (BigInt(cursor.baseOffsetHigh) << 32n) + BigInt(cursor.baseOffsetLow);
}

/**
 * Returns the exact offset after the batch, at which the next Fetch continues, even after a batch that compaction has
 * thinned out.
 */
export function offsetAfterBatch(cursor: RecordCursor): bigint {
  return exactBaseOffset(cursor) + BigInt(cursor.lastOffsetDelta) + 1n;
}

const producerIdAt = 43;

/**
 * Returns the exact producer id of a batch of magic 2; the `producerId` field is a number and exact only up to 2^53.
 */
export function exactProducerId(cursor: RecordCursor): bigint {
  return cursor.source.readBigInt64BE(cursor.batchStart + producerIdAt);
}

/** Whether the batch contains transaction markers instead of records. */
export function isControlBatch(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x20) !== 0;
}

/** Whether the batch belongs to a transaction. */
export function isTransactional(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x10) !== 0;
}

/** Whether the broker set the timestamps when it appended the batch. */
export function isLogAppendTime(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x08) !== 0;
}

/** Returns the outcome of a transaction from a record of a control batch (key: version, type; KIP-98). */
export function controlType(cursor: RecordCursor): 'abort' | 'commit' | 'unknown' {
  if (cursor.keyLength < 4) return 'unknown';
  const type = cursor.bytes.readInt16BE(cursor.keyStart + 2);
  if (type === 0) return 'abort';
  return type === 1 ? 'commit' : 'unknown';
}
