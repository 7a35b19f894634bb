/** An error about bytes that do not match their layout. A broker closes the connection, a client reports it. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes';
  /** The position of the byte where reading ended. */
  readonly at: number;

  constructor(at: number, why: string) {
    super(why);
    this.at = at;
  }
}

/**
 * The most list items and tagged fields that one message may have in all. An item can take a single byte of a message,
 * but a hundred in memory, so the size of the message alone does not limit the memory. The metadata of a cluster of a
 * million partitions has fewer.
 */
export const mostItems = 2_000_000;

/** A buffer that is read sequentially. */
export interface Source {
  readonly buffer: Buffer;
  /** The position of the next byte to read. */
  at: number;
  /** How many items may follow. */
  items: number;
}

/** Creates a source that begins at a position. */
export function sourceOf(buffer: Buffer, at = 0): Source {
  return { buffer, at, items: mostItems };
}

/** Advances by `size` bytes and returns their position. */
export function take(source: Source, size: number): number {
  const { at } = source;
  const left = source.buffer.length - at;
  if (size > left) throw new MalformedBytes(at, `expected ${size} bytes, found ${left}`);
  source.at = at + size;
  return at;
}

/** Advances by `size` bytes and returns a view of them. */
export function view(source: Source, size: number): Buffer {
  const at = take(source, size);
  return source.buffer.subarray(at, at + size);
}

/** Reads an unsigned 32-bit varint: seven bits per byte, low bits first. */
export function readUvarint(source: Source): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = source.buffer[take(source, 1)] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new MalformedBytes(source.at, 'unterminated variable-length number');
}

/** Checks the length of a list before memory is allocated for it. */
export function checkCount(source: Source, count: number, leastBytes: number): void {
  if (count * leastBytes > source.buffer.length - source.at)
    throw new MalformedBytes(source.at, `invalid list length ${count}`);
}

/** Counts items, of which a message has no more than so many. */
export function spend(source: Source, items: number): void {
  source.items -= items;
  if (source.items < 0) throw new MalformedBytes(source.at, `it has more than ${mostItems} items`);
}
