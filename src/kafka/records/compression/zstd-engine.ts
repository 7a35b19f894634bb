import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { CompressionError } from '../corrupt.ts';

/** What one step used up and gave. */
export interface ZstdProgress {
  readonly consumed: number;
  readonly written: number;
}

/**
 * A zstd decompressor that is used again and writes into given memory. What node:zlib documents makes a new one for
 * every call, and new memory for every result, which takes two thirds more time in the whole. Under it lie a method
 * and a field of node's own streams that are not documented, but the same since Node 10: `openZstdEngine` tries them
 * before they are trusted.
 */
export interface ZstdEngine {
  /** Begins anew. */
  reset(): void;
  /**
   * Unpacks from `input[at]` on into `output[from]` on, up to the end of a frame, of the input, or of the output.
   * @throws CompressionError when the input is damaged, or ends inside a frame
   */
  run(input: Buffer, at: number, output: Buffer, from: number): ZstdProgress;
}

interface Handle {
  onerror: (message: string) => void;
  writeSync(...inputAndOutput: readonly [number, Buffer, number, number, Buffer, number, number]): void;
}

interface Stream {
  readonly handle: Handle;
  /** What is left of the output, and of the input. */
  readonly left: Uint32Array;
  reset(): void;
  close(): void;
}

/** An engine, or undefined where node's insides are not what they were. */
export function openZstdEngine(): ZstdEngine | undefined {
  const expected = Buffer.from('a frame to try it with');
  const output = Buffer.alloc(100);
  try {
    const engine = createEngine();
    const packed = zstdCompressSync(expected);
    const { consumed, written } = engine.run(packed, 0, output, 0);
    const isRight = consumed === packed.length && expected.equals(output.subarray(0, written));
    return isRight ? engine : undefined;
  } catch {
    return undefined;
  }
}

function createEngine(): ZstdEngine {
  let stream = openStream();
  return {
    reset: () => stream.reset(),
    run(input, at, output, from) {
      const { handle, left } = stream;
      const size = input.length - at;
      const room = output.length - from;
      let failure: string | undefined;
      handle.onerror = (message) => {
        failure = message;
      };
      handle.writeSync(constants.ZSTD_e_end, input, at, size, output, from, room);
      if (failure !== undefined) {
        // What has failed once stays so, and its message with it.
        stream.close();
        stream = openStream();
        throw new CompressionError(failure.toLowerCase());
      }
      return { consumed: size - (left[1] as number), written: room - (left[0] as number) };
    },
  };
}

function openStream(): Stream {
  // The memory of its own is never used.
  const stream = createZstdDecompress({ chunkSize: 64 }) as unknown as {
    readonly _handle: Handle;
    readonly _writeState: Uint32Array;
    reset(): void;
    close(): void;
  };
  return {
    handle: stream._handle,
    left: stream._writeState,
    reset: () => stream.reset(),
    close: () => stream.close(),
  };
}
