/**
 * The variable-length integers of the record format (KIP-98; zigzag, seven bits per byte, low bits first): 32-bit
 * `varint` for lengths and counts, 64-bit `varlong` for timestamps.
 */

/** A position in the bytes, advanced by each read. */
export interface Position {
  at: number;
}

/** The error for bytes that end inside an integer, or an integer that is too long. */
export class VarintError extends Error {
  override readonly name = 'VarintError';
}

/** Reads a zigzag varint of at most 5 bytes at `position`, before `end`. */
export function readVarint(bytes: Uint8Array, position: Position, end: number): number {
  const at = position.at;
  if (at < end) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      position.at = at + 1;
      return (byte >>> 1) ^ -(byte & 1);
    }
  }
  const raw = readRaw32(bytes, position, end);
  return (raw >>> 1) ^ -(raw & 1);
}

function readRaw32(bytes: Uint8Array, position: Position, end: number): number {
  let at = position.at;
  let raw = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    if (at >= end) throw new VarintError('the data ends inside a length');
    const byte = bytes[at++] as number;
    raw |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      position.at = at;
      return raw;
    }
  }
  throw new VarintError('a length is longer than 5 bytes');
}

const two7 = 2 ** 7;
const two27 = 2 ** 27;
const two55 = 2 ** 55;

/**
 * Reads a zigzag varlong of at most 10 bytes; returns NaN beyond 2^53, when `readExactVarlong` can read the same bytes.
 */
export function readVarlong(bytes: Uint8Array, position: Position, end: number): number {
  let at = position.at;
  let low = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    if (at >= end) throw new VarintError('the data ends inside a timestamp');
    const byte = bytes[at++] as number;
    low |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      position.at = at;
      return (low >>> 1) ^ -(low & 1);
    }
  }
  return readLongVarlong(bytes, position, end, low);
}

/**
 * Reads the bytes after the first four, which have the 28 low bits. Three parts, since bitwise operators are limited to
 * 32 bits and BigInt is too slow here.
 */
function readLongVarlong(bytes: Uint8Array, position: Position, end: number, low: number): number {
  let at = position.at + 4;
  let middle = 0;
  let high = 0;
  for (let index = 0; index < 6; index++) {
    if (at >= end) throw new VarintError('the data ends inside a timestamp');
    const byte = bytes[at++] as number;
    const bits = byte & 0x7f;
    if (index < 4) middle |= bits << (7 * index);
    else high += index === 4 ? bits : (bits & 1) * two7;
    if (byte < 0x80) {
      position.at = at;
      const half = (low >>> 1) + middle * two27 + high * two55;
      if (half > Number.MAX_SAFE_INTEGER) return Number.NaN;
      return low & 1 ? -half - 1 : half;
    }
  }
  throw new VarintError('a timestamp is longer than 10 bytes');
}

/** Reads the zigzag varlong at `at`, which must have been checked by `readVarlong`. */
export function readExactVarlong(bytes: Uint8Array, at: number): bigint {
  let raw = 0n;
  let next = at;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[next++] as number;
    raw |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const half = BigInt.asUintN(63, raw >> 1n);
  return raw & 1n ? -half - 1n : half;
}

/** Returns the number of bytes that `writeVarint` writes for a 32-bit `value`. */
export function sizeOfVarint(value: number): number {
  const raw = ((value << 1) ^ (value >> 31)) >>> 0;
  if (raw < 0x80) return 1;
  if (raw < 0x4000) return 2;
  if (raw < 0x200000) return 3;
  return raw < 0x10000000 ? 4 : 5;
}

/** Writes a zigzag varint; returns the position after it. */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let raw = ((value << 1) ^ (value >> 31)) >>> 0;
  let at = start;
  while (raw >= 0x80) {
    bytes[at++] = (raw & 0x7f) | 0x80;
    raw >>>= 7;
  }
  bytes[at++] = raw;
  return at;
}

const inInt32 = (value: number) => value === (value | 0);

/** Returns the number of bytes that `writeVarlong` writes for an integer. */
export function sizeOfVarlong(value: number): number {
  if (inInt32(value)) return sizeOfVarint(value);
  let raw = value < 0 ? -value - 1 : value;
  let size = 1;
  // The first byte has 6 bits of the magnitude and the sign.
  for (raw = Math.floor(raw / 64); raw > 0; raw = Math.floor(raw / 128)) size++;
  return size;
}

/** Writes a zigzag varlong of an integer (exact up to 2^53); returns the position after it. */
export function writeVarlong(bytes: Uint8Array, start: number, value: number): number {
  if (inInt32(value)) return writeVarint(bytes, start, value);
  const magnitude = value < 0 ? -value - 1 : value;
  let at = start;
  let byte = ((magnitude % 64) << 1) | (value < 0 ? 1 : 0);
  for (let rest = Math.floor(magnitude / 64); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[at++] = byte | 0x80;
    byte = rest % 128;
  }
  bytes[at++] = byte;
  return at;
}

/** Writes a zigzag varlong of any 64-bit integer; returns the position after it. */
export function writeExactVarlong(bytes: Uint8Array, start: number, value: bigint): number {
  let raw = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  let at = start;
  for (; raw >= 0x80n; raw >>= 7n) bytes[at++] = Number(raw & 0x7fn) | 0x80;
  bytes[at++] = Number(raw);
  return at;
}

/** Returns the number of bytes that `writeExactVarlong` writes. */
export function sizeOfExactVarlong(value: bigint): number {
  let raw = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  let size = 1;
  for (raw >>= 7n; raw > 0n; raw >>= 7n) size++;
  return size;
}

/**
 * Reads the big-endian two's complement 64-bit integer at `at`; NaN if a number cannot hold it exactly (beyond 2^53).
 */
export function readSafeInt64(bytes: Buffer, at: number): number {
  const value = readInt64(bytes, at);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/** Reads the big-endian two's complement 64-bit integer at `at` as a number, exact up to 2^53. */
export function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 4294967296 + bytes.readUInt32BE(at + 4);
}

/** Writes an integer (exact up to 2^53) as a big-endian two's complement 64-bit integer. */
export function writeInt64(bytes: Buffer, at: number, value: number): void {
  bytes.writeInt32BE(Math.floor(value / 4294967296), at);
  bytes.writeUInt32BE(value - Math.floor(value / 4294967296) * 4294967296, at + 4);
}
