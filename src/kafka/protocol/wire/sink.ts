/** A growing buffer that is written sequentially, with pieces of other buffers in between. */
export interface Sink {
  buffer: Buffer;
  /** The position of the next byte. */
  at: number;
  /** The start of the bytes in `buffer` that are in no piece yet. */
  from: number;
  /** Everything written before `from`, in order. */
  readonly pieces: Buffer[];
}

/** The size in bytes below which a copy costs less than another buffer for the socket. */
const leastLent = 4096;

/** Creates an empty sink. */
export function createSink(): Sink {
  return { buffer: Buffer.allocUnsafe(256), at: 0, from: 0, pieces: [] };
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

/** Appends a copy of the bytes. */
export function append(sink: Sink, bytes: Uint8Array): void {
  const at = reserve(sink, bytes.length);
  sink.buffer.set(bytes, at);
}

/** Appends the bytes themselves, unless there are few: they must not change while the result is in use. */
export function lend(sink: Sink, bytes: Uint8Array): void {
  if (bytes.length < leastLent) {
    append(sink, bytes);
    return;
  }
  sink.pieces.push(sink.buffer.subarray(sink.from, sink.at), asBuffer(bytes));
  sink.from = sink.at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
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

/** Returns everything that was written, in order, in few buffers; lent bytes are not copied. */
export function piecesOf(sink: Sink): readonly Buffer[] {
  return [...sink.pieces, sink.buffer.subarray(sink.from, sink.at)];
}

/** Returns everything that was written, in one buffer. */
export function written(sink: Sink): Buffer {
  return sink.pieces.length === 0 ? sink.buffer.subarray(0, sink.at) : Buffer.concat(piecesOf(sink));
}
