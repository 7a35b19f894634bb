import { fstatSync, read } from 'node:fs';
import { createRequire } from 'node:module';
import { versions } from 'node:process'; // only they tell Bun from Node.js

/** Whether Bun runs weir, as in the executable; otherwise, Node.js does. */
export const isBun = versions.bun !== undefined;

/** Input in large chunks; a chunk is valid until the next one is requested. */
export interface InputChunks extends AsyncIterable<Uint8Array> {
  /** Releases the descriptor. */
  destroy(): void;
}

/** The size of one read from a file, in bytes: larger reads are not faster, smaller ones cost measurable time. */
const fileBytes = 1 << 20;
/** The size of one read from a pipe or a socket, in bytes: a pipe holds 64 KiB, a socket about this much. */
const pipeBytes = 1 << 18;

const load = createRequire(import.meta.url);
/** A descriptor that another program has made non-blocking is asked again after this time, in milliseconds. */
const againMs = 5;

/**
 * Reads a file, a pipe or a socket into the same memory again and again; a Node.js stream allocates new memory for
 * every 64 KiB. Undefined for any other descriptor, which needs a Node.js stream.
 */
export function openChunks(descriptor: number): InputChunks | undefined {
  const stats = fstatSync(descriptor);
  if (stats.isFile() || stats.isFIFO() || stats.isSocket()) keepHeapSmall();
  // A directory, whose read fails: a Node.js stream of it is empty.
  const isFile = stats.isFile() || stats.isDirectory();
  if (!isFile && !stats.isFIFO() && !stats.isSocket()) return undefined;
  // Sockets of Bun read no descriptor, and what its threads still read does not keep it from ending.
  if (!isFile && !isBun) return pipeChunks(descriptor);
  const bytes = isFile ? fileBytes : pipeBytes;
  return { [Symbol.asyncIterator]: () => readChunks(descriptor, bytes), destroy: () => undefined };
}

/**
 * Keeps V8's young generation at its current size. Bulk reads produce much short-lived garbage, and the few objects
 * that survive each collection make V8 double that space, up to 100 MB. Without this, reading 5 GB took 260 MB of
 * memory and was not faster.
 */
function keepHeapSmall(): void {
  setEngineFlag('--semi-space-growth-factor=1');
}

/** Sets a flag of V8 while it runs; Bun, which has another engine, ignores it. */
export function setEngineFlag(flag: string): void {
  (load('node:v8') as typeof import('node:v8')).setFlagsFromString(flag);
}

/** Reads one chunk ahead while the previous one is in use. */
async function* readChunks(descriptor: number, bytes: number): AsyncGenerator<Uint8Array, void> {
  let [current, other] = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
  let reading = readInto(descriptor, current);
  for (let length = await reading; length > 0; length = await reading) {
    const chunk = current.subarray(0, length);
    [current, other] = [other, current];
    reading = readInto(descriptor, current);
    // If the consumer stops here, nothing awaits this read.
    reading.catch(() => undefined);
    yield chunk;
  }
}

/** Reads from the descriptor's current position, so that `(read line; weir …) < file` skips the first line. */
function readInto(descriptor: number, target: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const readNow = (): void =>
      read(descriptor, target, 0, target.length, null, (error, length) => {
        if (error === null) resolve(length);
        else if (error.code === 'EAGAIN') setTimeout(readNow, againMs);
        else reject(error);
      });
    readNow();
  });
}

type Chunk = IteratorResult<Uint8Array, undefined>;
const ended: Chunk = { done: true, value: undefined };

/** Reads through a Node.js socket: a thread blocked in `read` would keep the process from ending. */
function pipeChunks(descriptor: number): InputChunks {
  const { Socket } = load('node:net') as typeof import('node:net');
  let came: Chunk | undefined;
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const settle = (chunk: Chunk): void => {
    came ??= chunk;
    wake();
  };
  const buffer = Buffer.allocUnsafeSlow(pipeBytes);
  const socket = new Socket({
    fd: descriptor,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback(length) {
        settle({ done: false, value: buffer.subarray(0, length) });
        // Pauses reading while the buffer is in use.
        return false;
      },
    },
  });
  socket.once('error', (error) => {
    failure = error;
  });
  socket.once('end', () => settle(ended)).once('close', () => settle(ended));
  return {
    destroy: () => void socket.destroy(),
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<Chunk> {
        if (came === undefined) {
          socket.read(0);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (failure !== undefined) throw failure;
        const chunk = came ?? ended;
        if (chunk.done !== true) came = undefined;
        return chunk;
      },
      async return(): Promise<Chunk> {
        socket.destroy();
        return ended;
      },
    }),
  };
}
