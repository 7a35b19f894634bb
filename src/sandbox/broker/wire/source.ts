/** An error about bytes that are not a valid request; a broker then closes the connection. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** A buffer that is read sequentially. */
export interface Source {
  readonly buffer: Buffer;
  /** The position of the next byte to read. */
  at: number;
}

/** Advances by `size` bytes and returns their position. */
export function take(source: Source, size: number): number {
  const { at } = source;
  if (size > source.buffer.length - at) throw new MalformedRequest(`${size} bytes are missing at ${at}`);
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
  throw new MalformedRequest('a variable-length number is too long');
}

/** Reads a signed 64-bit integer as the nearest number. */
export function readNumber64(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) * 0x1_0000_0000 + buffer.readUInt32BE(at + 4);
}
