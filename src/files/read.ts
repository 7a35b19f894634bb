import { close, closeSync, constants, fstatSync, open, openSync, read, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A file that is not read although the system would allow it; the message is the reason. */
export class ReadRefusal extends Error {}

/** What is being waited for, for the message of a timeout. */
const waits = new Set<{ readonly name: string }>();

/** The pipes that are being read, as the user named them. */
export function pipesWaitedFor(): readonly string[] {
  return [...waits].map(({ name }) => name);
}

/** Descriptors that the shell hands over, such as that of `<(pass show weir)`: what they have comes only once. */
const handedOver = /^\/(?:dev\/(?:stdin$|fd\/)|proc\/self\/fd\/)(?:(\d+)$)?/;
const keptByPath = new Map<string, Promise<Buffer>>();

/**
 * Reads a small file that a person named: a file, a pipe, a device, or what the shell makes of `<(pass show weir)`.
 * @throws ReadRefusal for more than `maxBytes`; the signal's reason; otherwise the system's error
 */
export async function readSmallFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  signal?.throwIfAborted(); // before a pipe is opened, which nobody would close
  const stats = statSync(path);
  if (stats.isFile() || stats.isDirectory()) return readWhole(path, maxBytes);
  if (!handedOver.test(path)) return await readWaiting(path, maxBytes, signal);
  const reading = keptByPath.get(path) ?? readWaiting(path, maxBytes, signal);
  keptByPath.set(path, reading);
  reading.catch(() => keptByPath.delete(path));
  return await reading;
}

function readWhole(path: string, maxBytes: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    return readFile(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens and reads in a thread, which waits for the writer. Sockets of Bun read no pipe, and an end of input that comes at
 * once may only mean that the writer has not opened it yet.
 */
async function readWaiting(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const wait = { name: path };
  waits.add(wait);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([readAll(path, maxBytes, signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', stop);
    waits.delete(wait);
  }
}

async function readAll(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const number = handedOver.exec(path)?.[1] ?? (path === '/dev/stdin' ? '0' : undefined);
  // Sockets and files of another user cannot be opened again.
  const descriptor = number === undefined ? await opened(path) : Number(number);
  const pieces: Buffer[] = [];
  try {
    for (let length = 0; signal?.aborted !== true; ) {
      const piece = await nextPiece(descriptor);
      if (piece.length === 0) break;
      length += piece.length;
      checkSize(length, maxBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    if (number === undefined) close(descriptor);
  }
}

function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (error, descriptor) => (error === null ? resolve(descriptor) : reject(error)));
  });
}

/** A descriptor that another program has made non-blocking is asked again after this time, in milliseconds. */
const againMs = 5;

function nextPiece(descriptor: number): Promise<Buffer> {
  const piece = Buffer.alloc(64 * 1024);
  return new Promise((resolve, reject) => {
    const readNow = (): void =>
      read(descriptor, piece, 0, piece.length, null, (error, length) => {
        if (error === null) resolve(piece.subarray(0, length));
        else if (error.code === 'EAGAIN') setTimeout(readNow, againMs);
        else reject(error);
      });
    readNow();
  });
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
 * Reads standard input to its end.
 * @throws ReadRefusal for more than `maxBytes`; the signal's reason if it is aborted first
 */
export async function readStream(stream: Readable, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  signal?.throwIfAborted();
  const wait = { name: 'standard input' };
  waits.add(wait);
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
    waits.delete(wait);
  }
}

function checkSize(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new ReadRefusal(`larger than ${maxBytes / 1024} KiB`);
}
