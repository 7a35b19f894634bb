/** A growing buffer that is written sequentially. */
export interface Sink {
  buffer: Buffer;
  /** The position of the next byte. */
  at: number;
}

/** Creates an empty sink; the first `reserved` bytes are left for the caller to fill. */
export function createSink(reserved = 0): Sink {
  return { buffer: Buffer.allocUnsafe(512), at: reserved };
}

/** Reserves `size` bytes and returns their position. */
export function reserve(sink: Sink, size: number): number {
  const { at } = sink;
  const end = at + size;
  if (end > sink.buffer.length) {
    const larger = Buffer.allocUnsafe(Math.max(end, sink.buffer.length * 2));
    sink.buffer.copy(larger, 0, 0, at);
    sink.buffer = larger;
  }
  sink.at = end;
  return at;
}

/** Appends raw bytes. */
export function append(sink: Sink, bytes: Uint8Array): void {
  const at = reserve(sink, bytes.length);
  sink.buffer.set(bytes, at);
}

/** Writes an unsigned 32-bit integer as a varint: seven bits per byte, low bits first. */
export function writeUvarint(sink: Sink, value: number): void {
  let left = value >>> 0;
  while (left > 0x7f) {
    const at = reserve(sink, 1);
    sink.buffer[at] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  const at = reserve(sink, 1);
  sink.buffer[at] = left;
}

/** Writes an integer within the precision of a number as 64 bits. */
export function writeNumber64(buffer: Buffer, at: number, value: number): void {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  buffer.writeUInt32BE(value >>> 0, at + 4);
}

/** Returns the written bytes. */
export function written(sink: Sink): Buffer {
  return sink.buffer.subarray(0, sink.at);
}
