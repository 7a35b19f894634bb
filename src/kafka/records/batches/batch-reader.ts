import { type ViewedBytes, viewOver } from '../../../bytes/arena.ts';
import { codecOf } from './compression/codec.ts';
import { compressions } from './compression/compressions.ts';
import { CompressionError, CorruptRecordsError, fail } from './corrupt.ts';
import { crc32c } from './crc32c.ts';
import {
  baseTimestampAt,
  exactBaseOffset,
  maxTimestampAt,
  mostUnpacked,
  type RecordCursor,
  type RecordOrigin,
} from './cursor.ts';
import { nextMessage, openMessage, readMessage } from './message-set.ts';
import { readShortRecord } from './short-record.ts';
import { readInt64, readSafeInt64, readVarint, readVarlong, VarintError } from './varint.ts';

/**
 * Reads record batches (magic 2, KIP-98) and the older message sets in place, without an object per record or a BigInt
 * in the loop. Usage:
 *
 *     openRecords(cursor, origin, { bytes, start, end })
 *     while (nextBatch(cursor)) while (nextRecord(cursor)) format(cursor, arena)
 *
 * Since a batch is sent whole, records below the requested offset may come first; the caller skips them.
 */

/** The size of the offset and the length, which precede the part that the length counts. */
const prefixBytes = 12;
/** The size of the header of a batch of magic 2, up to the first record. */
const headerBytes = 61;
const magicAt = 16;

/** The bytes of one partition in a Fetch answer. */
export interface RecordBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Moves the cursor before the first batch of `records`. The bytes must not change while it reads them. */
export function openRecords(cursor: RecordCursor, origin: RecordOrigin, records: RecordBytes): void {
  cursor.origin = origin;
  if (cursor.source !== records.bytes) {
    cursor.source = records.bytes;
    cursor.sourceView = viewOver(records.bytes);
  }
  cursor.next = records.start;
  cursor.end = records.end;
  cursor.truncated = undefined;
  cursor.recordsLeft = 0;
  cursor.opened = false;
}

/**
 * Moves to the next complete batch and reads its header. Its records are only decompressed by the first `nextRecord`,
 * so skipping a batch costs nothing. Returns false at the end, or if the bytes end inside a batch (`cursor.truncated`).
 * @throws CorruptRecordsError if a length or the checksum is invalid
 */
export function nextBatch(cursor: RecordCursor): boolean {
  const { source, next: start, end } = cursor;
  if (start >= end) return false;
  if (end - start < prefixBytes) return truncate(cursor, 0);
  const length = source.readInt32BE(start + 8);
  readBaseOffset(cursor, start);
  // The smallest valid length is that of a message of magic 0 with null key and value.
  if (length < 14) fail(cursor, `the length ${length} is too small`);
  if (length > end - start - prefixBytes) return truncate(cursor, length + prefixBytes);
  cursor.batchStart = start;
  cursor.batchEnd = start + prefixBytes + length;
  cursor.next = cursor.batchEnd;
  cursor.opened = false;
  cursor.magic = source[start + magicAt] as number;
  if (cursor.magic === 2) readHeader(cursor);
  else if (cursor.magic < 2) guard(cursor, readMessage);
  else fail(cursor, `unsupported magic byte ${cursor.magic} (supported: 0, 1 and 2)`);
  return true;
}

function truncate(cursor: RecordCursor, needed: number): false {
  cursor.truncated = needed;
  cursor.next = cursor.end;
  return false;
}

function readBaseOffset(cursor: RecordCursor, start: number): void {
  cursor.baseOffsetHigh = cursor.source.readInt32BE(start);
  cursor.baseOffsetLow = cursor.source.readUInt32BE(start + 4);
  cursor.baseOffset = cursor.baseOffsetHigh * 4294967296 + cursor.baseOffsetLow;
}

function readHeader(cursor: RecordCursor): void {
  const { source, batchStart: start, batchEnd } = cursor;
  if (batchEnd - start < headerBytes) fail(cursor, 'it is shorter than a batch header');
  if (cursor.checkCrc === true) checkBatch(cursor);
  cursor.leaderEpoch = source.readInt32BE(start + 12);
  cursor.attributes = source.readInt16BE(start + 21);
  cursor.lastOffsetDelta = source.readInt32BE(start + 23);
  cursor.baseTimestamp = readSafeInt64(source, start + baseTimestampAt);
  cursor.maxTimestamp = readSafeInt64(source, start + maxTimestampAt);
  cursor.producerId = readInt64(source, start + 43);
  cursor.producerEpoch = source.readInt16BE(start + 51);
  cursor.baseSequence = source.readInt32BE(start + 53);
  cursor.recordCount = source.readInt32BE(start + 57);
  if (cursor.recordCount < 0) fail(cursor, `invalid record count ${cursor.recordCount}`);
  if (cursor.lastOffsetDelta < 0) fail(cursor, `invalid last offset delta ${cursor.lastOffsetDelta}`);
  cursor.recordsLeft = cursor.recordCount;
}

/** Compares the checksum of the batch of magic 2 under the cursor with its bytes. @throws CorruptRecordsError */
export function checkBatch(cursor: RecordCursor): void {
  const written = cursor.source.readUInt32BE(cursor.batchStart + 17);
  const counted = crc32c(cursor.source, cursor.batchStart + 21, cursor.batchEnd);
  if (written !== counted) fail(cursor, `the checksum is ${hex(counted)}, expected ${hex(written)}`);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** The uncompressed records of one batch of magic 2. */
export interface UnpackedRecords extends ViewedBytes {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the records of the current batch from the memory of its writer instead of decompressing them. That memory must
 * not change until the next batch.
 */
export function openUnpacked(cursor: RecordCursor, { bytes, view, start, end }: UnpackedRecords): void {
  cursor.opened = true;
  cursor.bytes = bytes;
  cursor.view = view;
  cursor.at = start;
  cursor.recordsEnd = end;
}

/**
 * Moves to the next record of the batch; returns false after the last one.
 * @throws CorruptRecordsError if the record is corrupt or cannot be decompressed
 */
export function nextRecord(cursor: RecordCursor): boolean {
  if (cursor.opened && cursor.recordsLeft > 0 && cursor.magic === 2 && readShortRecord(cursor)) {
    cursor.recordsLeft--;
    return true;
  }
  return nextRecordOfAnyKind(cursor);
}

function nextRecordOfAnyKind(cursor: RecordCursor): boolean {
  // Compaction leaves batches without records to keep their offsets and sequence numbers.
  if (cursor.recordCount === 0) return false;
  if (!cursor.opened) guard(cursor, openBatch);
  if (cursor.recordsLeft === 0)
    return cursor.at === cursor.recordsEnd ? false : fail(cursor, 'it contains more data than its records');
  cursor.recordsLeft--;
  guard(cursor, cursor.magic === 2 ? readRecord : nextMessage);
  return true;
}

/**
 * Decompresses the batch, so that its records are in `bytes` from `at` to `recordsEnd`, which is done by the first
 * `nextRecord` otherwise. Only for batches of magic 2.
 * @throws CorruptRecordsError if they cannot be decompressed
 */
export function openBatchRecords(cursor: RecordCursor): void {
  if (!cursor.opened) guard(cursor, openBatch);
}

function openBatch(cursor: RecordCursor): void {
  cursor.opened = true;
  if (cursor.magic < 2) {
    openMessage(cursor);
    return;
  }
  const { source, batchStart, batchEnd } = cursor;
  const code = cursor.attributes & 7;
  if (code === 0) {
    cursor.bytes = source;
    cursor.view = cursor.sourceView;
    cursor.at = batchStart + headerBytes;
    cursor.recordsEnd = batchEnd;
    return;
  }
  const compression = compressions[code];
  if (compression === undefined || compression === 'none')
    fail(cursor, `unsupported compression type ${code} (supported: 0 to 4)`);
  const packed = source.subarray(batchStart + headerBytes, batchEnd);
  codecOf(compression).decompress(packed, cursor.scratch, mostUnpacked(cursor, packed));
  cursor.bytes = cursor.scratch.bytes;
  cursor.view = cursor.scratch.view;
  cursor.at = 0;
  cursor.recordsEnd = cursor.scratch.length;
}

function readRecord(cursor: RecordCursor): void {
  const { bytes, recordsEnd } = cursor;
  const length = readVarint(bytes, cursor, recordsEnd);
  const end = cursor.at + length;
  if (length < 6 || end > recordsEnd) fail(cursor, `invalid record length ${length}`);
  cursor.at++; // the record's own attributes: none are defined
  cursor.timestampAt = cursor.at;
  const timestampDelta = readVarlong(bytes, cursor, end);
  cursor.timestamp = (cursor.attributes & 8) !== 0 ? cursor.maxTimestamp : cursor.baseTimestamp + timestampDelta;
  cursor.offsetDelta = readVarint(bytes, cursor, end);
  cursor.offset = cursor.baseOffset + cursor.offsetDelta;
  const keyLength = readVarint(bytes, cursor, end);
  cursor.keyStart = cursor.at;
  cursor.keyLength = keyLength;
  if (keyLength > 0) cursor.at += keyLength;
  const valueLength = readVarint(bytes, cursor, end);
  cursor.valueStart = cursor.at;
  cursor.valueLength = valueLength;
  if (valueLength > 0) cursor.at += valueLength;
  const headerCount = readVarint(bytes, cursor, end);
  cursor.headerCount = headerCount;
  cursor.headersStart = cursor.at;
  cursor.recordEnd = end;
  if (keyLength < -1 || valueLength < -1) fail(cursor, 'a key or a value has a negative length');
  // A header takes at least two bytes, which limits the count.
  if (headerCount < 0 || headerCount * 2 > end - cursor.at) fail(cursor, `invalid header count ${headerCount}`);
  if (headerCount === 0 && cursor.at !== end) fail(cursor, 'a record is longer than its fields');
  cursor.at = end;
}

/** Moves the cursor before the first header of the record. */
export function openHeaders(cursor: RecordCursor): void {
  cursor.headersLeft = cursor.headerCount;
  cursor.at = cursor.headersStart;
}

/**
 * Moves to the next header of the record; returns false after the last one, when the cursor is ready for `nextRecord`
 * again. Read all headers or none.
 * @throws CorruptRecordsError if the headers are corrupt
 */
export function nextHeader(cursor: RecordCursor): boolean {
  if (cursor.headersLeft === 0) {
    if (cursor.headerCount > 0 && cursor.at !== cursor.recordEnd) fail(cursor, 'a record is longer than its headers');
    cursor.at = cursor.recordEnd;
    return false;
  }
  cursor.headersLeft--;
  guard(cursor, readRecordHeader);
  return true;
}

function readRecordHeader(cursor: RecordCursor): void {
  const { bytes, recordEnd: end } = cursor;
  const keyLength = readVarint(bytes, cursor, end);
  cursor.headerKeyStart = cursor.at;
  cursor.headerKeyLength = keyLength;
  if (keyLength < 0 || keyLength > end - cursor.at) fail(cursor, 'a header key has an invalid length');
  cursor.at += keyLength;
  const valueLength = readVarint(bytes, cursor, end);
  cursor.headerValueStart = cursor.at;
  cursor.headerValueLength = valueLength;
  if (valueLength < -1 || valueLength > end - cursor.at) fail(cursor, 'a header value has an invalid length');
  if (valueLength > 0) cursor.at += valueLength;
}

function guard(cursor: RecordCursor, step: (cursor: RecordCursor) => void): void {
  try {
    step(cursor);
  } catch (error) {
    throw corrupt(cursor, error);
  }
}

function corrupt(cursor: RecordCursor, error: unknown): unknown {
  if (!(error instanceof VarintError || error instanceof CompressionError)) return error;
  return new CorruptRecordsError(exactBaseOffset(cursor), error.message, error);
}
