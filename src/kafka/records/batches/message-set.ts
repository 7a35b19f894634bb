import { crc32 } from 'node:zlib';
import { codecOf } from './compression/codec.ts';
import { compressions } from './compression/compressions.ts';
import { CompressionError, fail } from './corrupt.ts';
import { exactBaseOffset, messageTimestampAt, mostUnpacked, type RecordCursor } from './cursor.ts';
import { readSafeInt64 } from './varint.ts';

/*
 * Message sets of magic 0 and 1 (before Kafka 0.11), which still occur in old segments. For the cursor each outer
 * message is a batch, of one record or of the compressed message set inside it.
 *
 * offset int64, size int32, crc uint32 (CRC-32, not 32C), magic int8, attributes int8,
 * timestamp int64 (magic 1), key int32 + bytes, value int32 + bytes.
 */

/** The size of the offset and the size field before a message. */
const prefixBytes = 12;

/** Reads the outer message at `cursor.batchStart` as a batch header. */
export function readMessage(cursor: RecordCursor): void {
  const { source, batchStart: start, batchEnd, magic } = cursor;
  if (batchEnd - start < prefixBytes + 6 + (magic === 1 ? 8 : 0) + 8)
    fail(cursor, 'a message is shorter than its fields');
  if (cursor.checkCrc && crc32(source.subarray(start + 16, batchEnd)) !== source.readUInt32BE(start + 12)) {
    fail(cursor, 'the checksum of a message does not match');
  }
  const attributes = source[start + 17] as number;
  cursor.leaderEpoch = -1;
  cursor.attributes = attributes & 0x0f;
  cursor.lastOffsetDelta = 0;
  cursor.baseTimestamp = magic === 1 ? readSafeInt64(source, start + messageTimestampAt) : -1;
  cursor.maxTimestamp = cursor.baseTimestamp;
  cursor.producerId = -1;
  cursor.producerEpoch = -1;
  cursor.baseSequence = -1;
  cursor.recordCount = 1;
  cursor.recordsLeft = 1;
}

/** Moves the cursor before the records of the outer message, and decompresses them if necessary. */
export function openMessage(cursor: RecordCursor): void {
  const code = cursor.attributes & 7;
  if (code === 0) {
    cursor.bytes = cursor.source;
    cursor.view = cursor.sourceView;
    cursor.at = cursor.batchStart;
    cursor.recordsEnd = cursor.batchEnd;
    return;
  }
  const compression = compressions[code];
  if (compression === undefined || compression === 'none' || compression === 'zstd') {
    throw new CompressionError(`a message has the unsupported compression type ${code}`);
  }
  cursor.bytes = cursor.source;
  cursor.at = cursor.batchStart;
  readFields(cursor, cursor.batchEnd);
  if (cursor.valueLength < 0) fail(cursor, 'a compressed message has no value');
  const packed = cursor.source.subarray(cursor.valueStart, cursor.valueStart + cursor.valueLength);
  codecOf(compression).decompress(packed, cursor.scratch, mostUnpacked(cursor, packed));
  cursor.bytes = cursor.scratch.bytes;
  cursor.view = cursor.scratch.view;
  cursor.at = 0;
  cursor.recordsEnd = cursor.scratch.length;
  rebase(cursor);
}

/**
 * Counts the inner messages and finds the offset of the first one. The outer offset is that of the last inner message;
 * inner offsets are absolute in magic 0 and relative to the first in magic 1 (KIP-31).
 */
function rebase(cursor: RecordCursor): void {
  const { bytes, recordsEnd } = cursor;
  let count = 0;
  let last = 0;
  for (let at = 0; at < recordsEnd; count++) {
    if (recordsEnd - at < prefixBytes) fail(cursor, 'a compressed message set ends inside a message');
    const size = bytes.readInt32BE(at + 8);
    if (size < 14 || size > recordsEnd - at - prefixBytes) fail(cursor, 'a compressed message has an invalid size');
    last = at;
    at += prefixBytes + size;
  }
  cursor.recordsLeft = count;
  cursor.recordCount = count;
  if (count === 0) return;
  const outer = exactBaseOffset(cursor);
  const isRelative = cursor.magic === 1;
  const spread = bytes.readBigInt64BE(last) - (isRelative ? 0n : bytes.readBigInt64BE(0));
  if (spread < 0n || spread > 0x7fffffffn) fail(cursor, 'a compressed message set has offsets out of order');
  const base = outer - spread;
  cursor.lastOffsetDelta = Number(spread);
  cursor.baseOffsetHigh = Number(base >> 32n);
  cursor.baseOffsetLow = Number(base & 0xffffffffn);
  cursor.baseOffset = Number(base);
}

/** Reads the message at `cursor.at` as the next record. */
export function nextMessage(cursor: RecordCursor): void {
  const { bytes, at: start, recordsEnd, magic } = cursor;
  const isInner = (cursor.attributes & 7) !== 0;
  const end = isInner ? start + prefixBytes + bytes.readInt32BE(start + 8) : recordsEnd;
  if (isInner && ((bytes[start + 17] as number) & 7) !== 0) fail(cursor, 'a compressed message is compressed again');
  if (isInner && bytes[start + 16] !== magic) fail(cursor, 'a compressed message has a different magic byte');
  readFields(cursor, end);
  cursor.offsetDelta = isInner ? innerDelta(cursor, start) : 0;
  cursor.offset = cursor.baseOffset + cursor.offsetDelta;
  const isAppendTime = (cursor.attributes & 8) !== 0;
  cursor.timestampAt = start + messageTimestampAt;
  if (magic === 0) cursor.timestamp = -1;
  else cursor.timestamp = isAppendTime ? cursor.maxTimestamp : readSafeInt64(bytes, cursor.timestampAt);
  cursor.recordEnd = end;
  cursor.headerCount = 0;
  cursor.headersStart = end;
  cursor.at = end;
}

function innerDelta(cursor: RecordCursor, start: number): number {
  const offset = cursor.bytes.readBigInt64BE(start);
  const delta = cursor.magic === 1 ? offset : offset - exactBaseOffset(cursor);
  if (delta < 0n || delta > 0x7fffffffn) fail(cursor, 'a compressed message set has offsets out of order');
  return Number(delta);
}

/** Reads key and value of the message at `cursor.at`, checked against `end`. */
function readFields(cursor: RecordCursor, end: number): void {
  let at = cursor.at + prefixBytes + 6 + (cursor.magic === 1 ? 8 : 0);
  if (at + 8 > end) fail(cursor, 'a message is shorter than its fields');
  const keyLength = cursor.bytes.readInt32BE(at);
  at += 4;
  if (keyLength < -1 || keyLength > end - at - 4) fail(cursor, 'a message key has an invalid length');
  cursor.keyStart = at;
  cursor.keyLength = keyLength;
  at += Math.max(keyLength, 0);
  const valueLength = cursor.bytes.readInt32BE(at);
  at += 4;
  if (valueLength < -1 || Math.max(valueLength, 0) !== end - at) fail(cursor, 'a message value has an invalid length');
  cursor.valueStart = at;
  cursor.valueLength = valueLength;
}
