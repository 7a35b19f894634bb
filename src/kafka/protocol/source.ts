import { ProtocolError } from './protocol-error.ts';

/**
 * The most list items and tagged fields that one answer may have in all. An item can take a single byte of an answer,
 * but a hundred in memory, so the size of the answer alone does not limit the memory. The metadata of a cluster of a
 * million partitions has fewer.
 */
export const mostItems = 2_000_000;

/** The bytes being read, and the position. */
export interface Source {
  readonly buffer: Buffer;
  readonly api: string;
  /** How many items may follow, in this answer and in the tagged fields in it. */
  readonly allowance: { items: number };
  position: number;
}

/** Advances by `size` bytes and returns where they start. */
export function take(source: Source, size: number): number {
  const at = source.position;
  const left = source.buffer.length - at;
  if (size > left) throw new ProtocolError(source.api, at, `expected ${size} bytes, found ${left}`);
  source.position += size;
  return at;
}

/** Reads an unsigned number of 32 bits, of seven bits to the byte. */
export function readUvarint(source: Source): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = source.buffer[take(source, 1)] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new ProtocolError(source.api, source.position, 'unterminated variable-length number');
}

/** Returns a view of the next `length` bytes. */
export function readRaw(source: Source, length: number): Buffer {
  const at = take(source, length);
  return source.buffer.subarray(at, at + length);
}

/** Refuses null where the protocol does not allow it. */
export function present<T>(source: Source, value: T | undefined): T {
  if (value === undefined) throw new ProtocolError(source.api, source.position, 'unexpected null');
  return value;
}

/** Checks the length of a list before memory is allocated for it. */
export function checkCount(source: Source, count: number, leastBytes: number): void {
  if (count * leastBytes > source.buffer.length - source.position)
    throw new ProtocolError(source.api, source.position, `invalid list length ${count}`);
}

/** Counts items that an answer has no more than so many of. */
export function spend({ allowance, api, position }: Source, items: number): void {
  allowance.items -= items;
  if (allowance.items < 0) throw new ProtocolError(api, position, `it has more than ${mostItems} items`);
}
