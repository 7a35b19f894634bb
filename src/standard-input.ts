import { fstatSync, read } from 'node:fs';
import { createRequire } from 'node:module';

/** Input in large pieces; the memory of a piece is valid until the next one is asked for. */
export interface InputChunks extends AsyncIterable<Uint8Array> {
  /** Lets go of the descriptor. */
  destroy(): void;
}

/** One read of a file: more is not faster, and less lets the reads be seen. */
const fileBytes = 1 << 20;
/** More than a pipe holds (64 KiB) and about what a socket does. */
const pipeBytes = 1 << 18;

const load = createRequire(import.meta.url);

/**
 * The bytes behind a descriptor that is a file, a pipe or a socket, read into the same memory again and again; the
 * streams of Node.js take new memory for every 64 KiB. Undefined for anything else: that is for such a stream.
 */
export function openChunks(descriptor: number): InputChunks | undefined {
  const found = fstatSync(descriptor);
  if (found.isFile() || found.isFIFO() || found.isSocket()) keepHeapSmall();
  if (found.isFile()) return { [Symbol.asyncIterator]: () => fileChunks(descriptor), destroy: () => undefined };
  return found.isFIFO() || found.isSocket() ? pipeChunks(descriptor) : undefined;
}

/**
 * Whoever reads in bulk makes much garbage that is gone soon. V8 doubles the memory that it keeps for such, up to
 * 100 MB, for a few objects of every request that live while it cleans up; from here on it stays as large as it is.
 * 5 GB took 260 MB of memory before, and no less time.
 */
function keepHeapSmall(): void {
  (load('node:v8') as typeof import('node:v8')).setFlagsFromString('--semi-space-growth-factor=1');
}

/** Reads one piece ahead, while the one before is in use. */
async function* fileChunks(descriptor: number): AsyncGenerator<Uint8Array, void> {
  let [current, other] = [Buffer.allocUnsafeSlow(fileBytes), Buffer.allocUnsafeSlow(fileBytes)];
  let reading = readInto(descriptor, current);
  for (let length = await reading; length > 0; length = await reading) {
    const chunk = current.subarray(0, length);
    [current, other] = [other, current];
    reading = readInto(descriptor, current);
    // Whoever reads no further never hears of it.
    reading.catch(() => undefined);
    yield chunk;
  }
}

/** From where the descriptor stands: `(read line; weir …) < file` leaves out the first line. */
function readInto(descriptor: number, target: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, target, 0, target.length, null, (error, length) =>
      error === null ? resolve(length) : reject(error),
    );
  });
}

type Chunk = IteratorResult<Uint8Array, undefined>;
const ended: Chunk = { done: true, value: undefined };

/** A socket of Node.js: a thread that is blocked in a read could not be left at the end of the process. */
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
    ...{ fd: descriptor, readable: true, writable: false },
    onread: {
      buffer,
      callback(length) {
        settle({ done: false, value: buffer.subarray(0, length) });
        // Stops reading: the memory is in use.
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
    }),
  };
}
