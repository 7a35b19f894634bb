import type { Arena, ViewedBytes } from '../../bytes/arena.ts';
import { showPath } from '../json/value-path.ts';
import { PayloadError } from '../schema.ts';

/** A payload that is being read with all checks. */
export interface Reading extends ViewedBytes {
  readonly start: number;
  at: number;
  readonly end: number;
  readonly arena: Arena;
  /** The length of the arena that the JSON must not exceed. */
  readonly limit: number;
  /** The way to the value that is being read. */
  readonly path: (string | number)[];
}

/** Throws the error for the value that is being read. */
export function refuse({ path }: Reading, reason: string): never {
  throw new PayloadError(reason, showPath(path));
}

/** Claims that many bytes; returns where they start. */
export function take(reading: Reading, count: number, what: string): number {
  const { at, end } = reading;
  if (count > end - at) refuse(reading, `the payload ends inside ${what}`);
  reading.at = at + count;
  return at;
}

/** Reads an integer of up to 64 bits; a bigint if a number cannot hold it exactly. */
export function readLong(reading: Reading, what = 'a long'): number | bigint {
  const start = reading.at;
  let exact = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reading.bytes[take(reading, 1, what)] as number;
    if (shift === 63n && byte > 1) break;
    exact |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      const value = exact & 1n ? -(exact >> 1n) - 1n : exact >> 1n;
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  }
  reading.at = start;
  return refuse(reading, `${what} has more than 64 bits`);
}

/** Reads an integer of up to 32 bits. */
export function readInt(reading: Reading): number {
  const value = readLong(reading, 'an int');
  if (value === Number(value) && value === (value | 0)) return value;
  return refuse(reading, `${value} is outside the range of int`);
}

/** Reads the length of something and claims that many bytes; returns where they start. */
export function takeLengthOf(reading: Reading, what: string): number {
  const length = readLong(reading, `the length of ${what}`);
  if (length < 0) refuse(reading, `${what} has the length ${length}`);
  const left = reading.end - reading.at;
  if (length > left) refuse(reading, `${what} of ${length} bytes does not fit into the ${left} bytes that are left`);
  return take(reading, Number(length), what);
}

/** Reads an index below `count`. */
export function readIndex(reading: Reading, count: number, what: string): number {
  const index = readLong(reading, `the index of a ${what}`);
  if (index >= 0 && index < count) return Number(index);
  return refuse(reading, `there is no ${what} ${index}, only ${count}`);
}

/**
 * Reads the number of items in the next block of an array or map; 0 at its end. The size of a block, which a negative
 * count announces, is checked for range only, as other readers do.
 */
export function readCount(reading: Reading): number | bigint {
  const count = readLong(reading, 'a number of items');
  if (count >= 0) return count;
  const size = readLong(reading, 'the size of a block');
  if (size < 0 || size > reading.end - reading.at) refuse(reading, `a block of ${size} bytes is not there`);
  return -count;
}
