/** Bytes that are written from front to back, in memory that grows. */
export interface Sink {
  buffer: Buffer;
  /** Where the next byte goes. */
  at: number;
}

/** An empty sink; the first `reserved` bytes are left for the caller to fill. */
export function createSink(reserved = 0): Sink {
  return { buffer: Buffer.allocUnsafe(512), at: reserved };
}

/** Makes room for `size` bytes and returns where they go. */
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

/** Appends bytes as they are. */
export function append(sink: Sink, bytes: Uint8Array): void {
  const at = reserve(sink, bytes.length);
  sink.buffer.set(bytes, at);
}

/** An unsigned number of 32 bits, seven bits a byte, the low ones first. */
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

/** An integer of a number's precision as 64 bits. */
export function writeNumber64(buffer: Buffer, at: number, value: number): void {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  buffer.writeUInt32BE(value >>> 0, at + 4);
}

/** What was written. */
export function written(sink: Sink): Buffer {
  return sink.buffer.subarray(0, sink.at);
}
