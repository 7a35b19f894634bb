import type { Clock } from '../../../clock.ts';
import { CliError, exitCodes } from '../../../errors.ts';

/** Reads input in chunks and notices pauses. */
export interface ChunkReader {
  /** Returns the next chunk; undefined at the end. `onIdle` is called once if none comes for `idleMs`. */
  next(onIdle: () => void): Promise<Buffer | undefined>;
  /** Whether `stop` was called, so that the last chunk may end with half a record. */
  readonly isStopped: boolean;
  /** Makes a pending and every later `next` resolve with undefined. */
  stop(): void;
}

/** The pause, in milliseconds, after which lines of a person or a slow program are sent. */
export const idleMs = 5;

/** Opens a reader that never reads ahead: it asks for one chunk at a time. */
export function openChunkReader(input: AsyncIterable<Uint8Array | string>, clock: Clock): ChunkReader {
  const chunks = input[Symbol.asyncIterator]();
  let isStopped = false;
  let wake: (end: undefined) => void = () => undefined;
  // One promise per chunk: a promise that lives as long as the stream would retain something of every chunk.
  const nextOrStop = (): Promise<IteratorResult<Uint8Array | string> | undefined> =>
    new Promise((resolve, reject) => {
      wake = resolve;
      chunks.next().then(resolve, reject);
    });
  return {
    get isStopped() {
      return isStopped;
    },
    async next(onIdle) {
      if (isStopped) return undefined;
      const cancel = clock.after(idleMs, onIdle);
      try {
        const result = await nextOrStop().catch(readFailure);
        if (result === undefined || result.done === true) return undefined;
        const { value } = result;
        if (typeof value === 'string') return Buffer.from(value);
        return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      } finally {
        cancel();
      }
    },
    stop() {
      isStopped = true;
      wake(undefined);
      // Otherwise a pending read would take input that nobody gets.
      chunks.return?.().catch(() => undefined);
    },
  };
}

function readFailure(cause: unknown): never {
  if (cause instanceof CliError || !(cause instanceof Error)) throw cause;
  throw new CliError(exitCodes.failure, `unable to read the input: ${cause.message}`, { code: 'INPUT_FAILED', cause });
}
