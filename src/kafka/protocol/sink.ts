/** A growing buffer (doubled when full), with pieces of other buffers in between. */
export interface Sink {
  buffer: Buffer;
  /** The number of bytes of `buffer` that are filled. */
  length: number;
  /** The start of the bytes in `buffer` that are in no piece yet. */
  from: number;
  /** Everything written before `from`, in order. */
  readonly pieces: Buffer[];
}

/** The size in bytes below which a copy costs less than another buffer for the socket. */
const lentBytes = 4096;

/** Creates an empty sink. */
export function createSink(): Sink {
  return { buffer: Buffer.allocUnsafe(256), length: 0, from: 0, pieces: [] };
}

/** Makes room for `size` bytes and returns where they start. */
export function reserve(sink: Sink, size: number): number {
  const at = sink.length;
  sink.length += size;
  if (sink.length > sink.buffer.length) {
    const grown = Buffer.allocUnsafe(Math.max(sink.length, sink.buffer.length * 2));
    sink.buffer.copy(grown, 0, 0, at);
    sink.buffer = grown;
  }
  return at;
}

/** Appends an unsigned 32-bit varint: seven bits a byte, low bits first. */
export function writeUvarint(sink: Sink, value: number): void {
  let rest = value >>> 0;
  while (rest >= 0x80) {
    const at = reserve(sink, 1);
    sink.buffer[at] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  const at = reserve(sink, 1);
  sink.buffer[at] = rest;
}

/** Appends a copy of `value`. */
export function writeRaw(sink: Sink, value: Uint8Array): void {
  const at = reserve(sink, value.length);
  sink.buffer.set(value, at);
}

/** Appends `value` itself, unless it is small. */
export function lend(sink: Sink, value: Buffer): void {
  if (value.length < lentBytes) {
    writeRaw(sink, value);
    return;
  }
  sink.pieces.push(sink.buffer.subarray(sink.from, sink.length), value);
  sink.from = sink.length;
}

/** Returns everything that was written, in order, in few buffers. */
export function piecesOf(sink: Sink): readonly Buffer[] {
  return [...sink.pieces, sink.buffer.subarray(sink.from, sink.length)];
}
