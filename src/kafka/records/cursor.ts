import { type Arena, createArena, viewOver } from './arena.ts';
import { type Position, readExactVarlong } from './varint.ts';

/** Where records came from: what a format may print besides the record itself. Marks beyond 2^53 are BigInt. */
export interface RecordOrigin {
  readonly topic: string;
  /** `topic` in UTF-8, made once. */
  readonly topicBytes: Buffer;
  readonly partition: number;
  /** The marks of the partition when the records were fetched; undefined for produced records. */
  readonly logStart: number | bigint | undefined;
  readonly lastStable: number | bigint | undefined;
  readonly highWatermark: number | bigint | undefined;
}

/** The marks that one Fetch answer tells of a partition. */
export type PartitionMarks = Pick<RecordOrigin, 'logStart' | 'lastStable' | 'highWatermark'>;

/** An origin for the records of one partition; make it once per partition, or per Fetch answer when marks are printed. */
export function recordOrigin(topic: string, partition: number, marks?: PartitionMarks): RecordOrigin {
  const { logStart, lastStable, highWatermark } = marks ?? {};
  return { topic, topicBytes: Buffer.from(topic), partition, logStart, lastStable, highWatermark };
}

/**
 * One place in a sequence of record batches. The reader overwrites its fields instead of making an
 * object per record; ranges are positions in `bytes`, a length of -1 is null.
 */
export interface RecordCursor extends Position {
  // What is walked.
  origin: RecordOrigin;
  /** The bytes handed to `openRecords`. */
  source: Buffer;
  /** Over exactly `source`. */
  sourceView: DataView;
  /** Where the next batch begins, within `source`. */
  next: number;
  /** Where the bytes end, within `source`. */
  end: number;
  /** Set when the bytes end inside a batch: how many bytes that batch has in all (0 when not even that is known). */
  truncated: number | undefined;

  // The batch, valid after `nextBatch`.
  batchStart: number;
  batchEnd: number;
  /** 2 since Kafka 0.11; 0 and 1 are the older message sets. */
  magic: number;
  /** The base offset as a number: exact up to 2^53; `exactOffset` is exact always. */
  baseOffset: number;
  baseOffsetHigh: number;
  baseOffsetLow: number;
  lastOffsetDelta: number;
  /** -1 when unknown. */
  leaderEpoch: number;
  /** The attribute bits as they stand in the batch. */
  attributes: number;
  /** Milliseconds since the epoch, -1 for none; NaN beyond 2^53. */
  baseTimestamp: number;
  maxTimestamp: number;
  /** -1 for a producer that is not idempotent. */
  producerId: number;
  producerEpoch: number;
  baseSequence: number;
  /** Records in the batch; 1 for a message set's (unopened) entry. */
  recordCount: number;

  // The record, valid after `nextRecord`.
  /** Holds the ranges below: `source`, or unpacked bytes that live until the next batch. */
  bytes: Buffer;
  /** Over exactly `bytes`. */
  view: DataView;
  recordEnd: number;
  offsetDelta: number;
  /** `baseOffset + offsetDelta`: exact up to 2^53. */
  offset: number;
  /** Milliseconds since the epoch, where `timestampIsSafe`; else `exactTimestamp` has it. */
  timestamp: number;
  /** Where it, or its distance from the batch's, stands in `bytes`. */
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

  // Kept by the reader.
  recordsLeft: number;
  recordsEnd: number;
  /** Whether the batch was unpacked (or needed no unpacking). */
  opened: boolean;
  readonly scratch: Arena;
  readonly maxUnpackedBytes: number;
  readonly checkCrc: boolean;
}

/** How a cursor reads. */
export interface CursorOptions {
  /** The most that one batch may unpack to, in bytes; 256 MiB when absent. */
  readonly maxUnpackedBytes?: number;
  /** Whether checksums are checked; true when absent. */
  readonly checkCrc?: boolean;
}

const nowhere = recordOrigin('', 0);
const nothing = Buffer.alloc(0);
/** No real value: a fraction makes V8 keep the field as a double from the start, for numbers beyond 2^31. */
const double = -0.5;

/** A cursor to be used again for any number of Fetch answers; `openRecords` puts it to work. */
export function createCursor({ maxUnpackedBytes = 256 * 2 ** 20, checkCrc = true }: CursorOptions = {}): RecordCursor {
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

/** Where the timestamps of a batch stand within it (magic 2, KIP-98). */
export const baseTimestampAt = 27;
export const maxTimestampAt = 35;
/** Where that of a message of magic 1 stands within it. */
export const messageTimestampAt = 18;

const highBeyondSafe = 0x1fffff;

/** Whether all offsets of the batch are exact as numbers (below 2^53). */
export function offsetsAreSafe(cursor: RecordCursor): boolean {
  return cursor.baseOffsetHigh >= 0 && cursor.baseOffsetHigh < highBeyondSafe;
}

/** Whether the offset is known: not for a record that was written to a broker which did not report it. */
export function hasOffset(cursor: RecordCursor): boolean {
  return cursor.baseOffsetHigh >= 0;
}

/** The offset of the record, exact. */
export function exactOffset(cursor: RecordCursor): bigint {
  return exactBaseOffset(cursor) + BigInt(cursor.offsetDelta);
}

/** Whether the timestamp of the record is exact as a number. */
export function timestampIsSafe({ timestamp }: RecordCursor): boolean {
  // False for NaN.
  return timestamp <= Number.MAX_SAFE_INTEGER && timestamp >= Number.MIN_SAFE_INTEGER;
}

/** The timestamp of the record, exact for all 64 bits; a sum beyond them wraps, as in Java. */
export function exactTimestamp(cursor: RecordCursor): bigint {
  const { source, bytes, batchStart, magic, timestampAt } = cursor;
  if (magic === 0) return -1n;
  if (isLogAppendTime(cursor))
    return source.readBigInt64BE(batchStart + (magic === 2 ? maxTimestampAt : messageTimestampAt));
  if (magic === 1) return bytes.readBigInt64BE(timestampAt);
  const base = source.readBigInt64BE(batchStart + baseTimestampAt);
  return BigInt.asIntN(64, base + readExactVarlong(bytes, timestampAt));
}

/** The base offset of the batch, exact. */
export function exactBaseOffset(cursor: RecordCursor): bigint {
  return (BigInt(cursor.baseOffsetHigh) << 32n) + BigInt(cursor.baseOffsetLow);
}

/** The offset after the batch, exact: where the next Fetch goes on, also behind a batch that compaction thinned out. */
export function offsetAfterBatch(cursor: RecordCursor): bigint {
  return exactBaseOffset(cursor) + BigInt(cursor.lastOffsetDelta) + 1n;
}

const producerIdAt = 43;

/** The producer id of a batch of magic 2, exact; the field is a number, which is exact up to 2^53 only. */
export function exactProducerId(cursor: RecordCursor): bigint {
  return cursor.source.readBigInt64BE(cursor.batchStart + producerIdAt);
}

/** Whether the batch holds markers of a transaction's end instead of records. */
export function isControlBatch(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x20) !== 0;
}

/** Whether the batch belongs to a transaction. */
export function isTransactional(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x10) !== 0;
}

/** Whether timestamps were set by the broker when it appended. */
export function isLogAppendTime(cursor: RecordCursor): boolean {
  return (cursor.attributes & 0x08) !== 0;
}

/** How a transaction ended, for a record of a control batch (key: version, type; KIP-98). */
export function controlType(cursor: RecordCursor): 'abort' | 'commit' | 'unknown' {
  if (cursor.keyLength < 4) return 'unknown';
  const type = cursor.bytes.readInt16BE(cursor.keyStart + 2);
  if (type === 0) return 'abort';
  return type === 1 ? 'commit' : 'unknown';
}

/** A copy of the key, null when it is null: for callers off the hot path. */
export function copyKey(cursor: RecordCursor): Buffer | null {
  return copyOf(cursor, cursor.keyStart, cursor.keyLength);
}

/** A copy of the value, null when it is null: for callers off the hot path. */
export function copyValue(cursor: RecordCursor): Buffer | null {
  return copyOf(cursor, cursor.valueStart, cursor.valueLength);
}

function copyOf(cursor: RecordCursor, start: number, length: number): Buffer | null {
  return length < 0 ? null : Buffer.from(cursor.bytes.subarray(start, start + length));
}
