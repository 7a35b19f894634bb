/** Bytes of a client that are no request of the protocol; a broker closes the connection. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** Bytes that are read from front to back. */
export interface Source {
  readonly buffer: Buffer;
  /** The next byte to read. */
  at: number;
}

/** Moves on by `size` bytes and returns where they start. */
export function take(source: Source, size: number): number {
  const { at } = source;
  if (size > source.buffer.length - at) throw new MalformedRequest(`${size} bytes are missing at ${at}`);
  source.at = at + size;
  return at;
}

/** A view of the next `size` bytes. */
export function view(source: Source, size: number): Buffer {
  const at = take(source, size);
  return source.buffer.subarray(at, at + size);
}

/** An unsigned number of 32 bits, seven bits a byte, the low ones first. */
export function readUvarint(source: Source): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = source.buffer[take(source, 1)] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new MalformedRequest('a variable-length number does not end');
}

/** A 64-bit integer as the number nearest to it. */
export function readNumber64(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) * 0x1_0000_0000 + buffer.readUInt32BE(at + 4);
}
