import type { Clock } from '../../clock.ts';

/** Input in chunks, with a word on whether more is there already. */
export interface ChunkReader {
  /** The next chunk; undefined at the end. `onIdle` is called once when none comes for `idleMs`. */
  next(onIdle: () => void): Promise<Buffer | undefined>;
  /** `stop` was called: what came last may be half a record. */
  readonly isStopped: boolean;
  /** Makes a waiting and every later `next` resolve with undefined. */
  stop(): void;
}

/** A person's line, or a slow program's, goes out after this long without more, in milliseconds. */
export const idleMs = 5;

/** Reads ahead of nobody: one chunk is asked for at a time. */
export function createChunkReader(input: AsyncIterable<Uint8Array | string>, clock: Clock): ChunkReader {
  const chunks = input[Symbol.asyncIterator]();
  let isStopped = false;
  let wake: (end: undefined) => void = () => undefined;
  // One promise per chunk: a promise that lives as long as the stream would keep something of every chunk.
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
        const result = await nextOrStop();
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
    },
  };
}
