import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

/** A file that is not read although the system would allow it; the message is the reason. */
export class ReadRefusal extends Error {}

const load = createRequire(import.meta.url);

/**
 * Reads a small file that a person named, or a pipe such as the one of `<(pass show weir)`. A pipe without a writer
 * blocks nothing: `readFile` would block a thread of Node.js, and with it the end of the process.
 * @throws ReadRefusal for a device and for more than `maxBytes`; the signal's reason; otherwise the system's error
 */
export async function readSmallFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  signal?.throwIfAborted(); // before a pipe is opened, which nobody would close
  const { O_RDONLY, O_NONBLOCK = 0 } = constants; // Windows does not have O_NONBLOCK
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  let isTaken = false;
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO()) {
      isTaken = true;
      const { Socket } = load('node:net') as typeof import('node:net');
      // The socket closes the descriptor.
      return await readStream(new Socket({ fd: descriptor, readable: true, writable: false }), maxBytes, signal);
    }
    if (found.isCharacterDevice() || found.isBlockDevice()) throw new ReadRefusal('neither a file nor a pipe');
    return readFile(descriptor, maxBytes);
  } finally {
    if (!isTaken) closeSync(descriptor);
  }
}

/**
 * Reads a file of weir's own. A pipe in its place is refused: a read would wait for a writer and keep the process alive.
 * @throws ReadRefusal for everything that is not a regular file, and for more than `maxBytes`; otherwise the system's error
 */
export function readOwnFile(path: string, maxBytes: number): string {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw new ReadRefusal('it is not a regular file');
    return readFile(descriptor, maxBytes).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

function readFile(descriptor: number, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  for (let length = 0; ; ) {
    const piece = Buffer.alloc(64 * 1024);
    const read = readSync(descriptor, piece);
    if (read === 0) return Buffer.concat(pieces);
    length += read;
    checkSize(length, maxBytes);
    pieces.push(piece.subarray(0, read));
  }
}

/**
 * Reads a stream to its end.
 * @throws ReadRefusal for more than `maxBytes`; the signal's reason if it is aborted first
 */
export async function readStream(stream: Readable, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  signal?.throwIfAborted();
  const stop = (): void => void stream.destroy(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      checkSize(length, maxBytes);
      pieces.push(bytes);
    }
    return Buffer.concat(pieces);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function checkSize(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new ReadRefusal(`larger than ${maxBytes / 1024} KiB`);
}
