import type { RecordCursor } from './cursor.ts';

/** The maximum size of a varint that is read here. */
const mostVarintBytes = 2;
/** The maximum size of the part before the key: length, attributes, timestamp, offset, and the length of the key. */
const mostBeforeKey = 4 * mostVarintBytes + 1;

/**
 * Reads the record under the cursor if all its lengths and deltas take at most two bytes, as in nearly all records.
 * With the position in a local variable instead of the cursor, reading, checking and printing a record of 100 bytes
 * takes 57 ns instead of 70. Returns false, after changing only the ranges of the record, if the record is different or
 * corrupt; the general reader then reads it or reports the error.
 */
export function readShortRecord(cursor: RecordCursor): boolean {
  const { bytes, recordsEnd } = cursor;
  let at = cursor.at;
  if (at + mostBeforeKey > recordsEnd) return false;
  const length = rawAt(bytes, at);
  at += sizeOfRaw(length);
  const end = at + (length >>> 1);
  at++; // the record's own attributes: none are defined
  const timestampAt = at;
  const timestampDelta = rawAt(bytes, at);
  at += sizeOfRaw(timestampDelta);
  const offsetDelta = rawAt(bytes, at);
  at += sizeOfRaw(offsetDelta);
  const key = rawAt(bytes, at);
  at += sizeOfRaw(key);
  cursor.keyStart = at;
  // Null is 1, an odd number, and takes 0 bytes like the empty key.
  at += key >>> 1;
  if (at >= end || end > recordsEnd) return false;
  const value = rawAt(bytes, at);
  at += sizeOfRaw(value);
  cursor.valueStart = at;
  at += value >>> 1;
  if (at >= end) return false;
  const headers = rawAt(bytes, at);
  at += sizeOfRaw(headers);
  if ((length | timestampDelta | offsetDelta | key | value | headers) < 0) return false;
  if (isNegative(length) || isNegative(headers) || isBelowNull(key) || isBelowNull(value)) return false;
  if (headers === 0 ? at !== end : headers > end - at) return false;
  cursor.keyLength = signed(key);
  cursor.valueLength = signed(value);
  cursor.timestampAt = timestampAt;
  cursor.timestamp =
    (cursor.attributes & 8) !== 0 ? cursor.maxTimestamp : cursor.baseTimestamp + signed(timestampDelta);
  cursor.offsetDelta = signed(offsetDelta);
  cursor.offset = cursor.baseOffset + signed(offsetDelta);
  cursor.headerCount = headers >>> 1;
  cursor.headersStart = at;
  cursor.recordEnd = end;
  cursor.at = end;
  return true;
}

/**
 * Returns the varint at `at` before zigzag decoding; -1 for one that takes more than two bytes, or more than it needs.
 */
function rawAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return first;
  const second = bytes[at + 1] as number;
  return second < 0x80 && second > 0 ? (first & 0x7f) | (second << 7) : -1;
}

const sizeOfRaw = (raw: number) => (raw < 0x80 ? 1 : 2);
const isNegative = (raw: number) => (raw & 1) !== 0;
const isBelowNull = (raw: number) => raw > 1 && isNegative(raw);
const signed = (raw: number) => (raw >>> 1) ^ -(raw & 1);
