import { constants, createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { CompressionError } from '../corrupt.ts';

/** The bytes that one step consumed and wrote. */
export interface ZstdProgress {
  readonly consumed: number;
  readonly written: number;
}

/**
 * A reusable zstd decompressor that writes into given memory. The documented functions of node:zlib create a new
 * decompressor for every call and new memory for every result, which takes two thirds more time in total. The engine
 * uses a method and a field of Node's own streams that are not documented, but have been the same since Node 10;
 * `openZstdEngine` tests them before they are used.
 */
export interface ZstdEngine {
  /** Starts over. */
  reset(): void;
  /**
   * Decompresses from `input[at]` into `output[from]` until the end of a frame, of the input, or of the output.
   * @throws CompressionError if the input is damaged or ends inside a frame
   */
  run(input: Buffer, at: number, output: Buffer, from: number): ZstdProgress;
}

interface Handle {
  onerror: (message: string) => void;
  writeSync(...inputAndOutput: readonly [number, Buffer, number, number, Buffer, number, number]): void;
}

interface Stream {
  readonly handle: Handle;
  /** The bytes left in the output, and in the input. */
  readonly left: Uint32Array;
  reset(): void;
  close(): void;
}

/** Creates an engine; undefined if Node's internals have changed. */
export function openZstdEngine(): ZstdEngine | undefined {
  const expected = Buffer.from('a frame to try it with');
  const output = Buffer.alloc(100);
  try {
    const engine = openEngine();
    const packed = zstdCompressSync(expected);
    const { consumed, written } = engine.run(packed, 0, output, 0);
    const isRight = consumed === packed.length && expected.equals(output.subarray(0, written));
    return isRight ? engine : undefined;
  } catch {
    return undefined;
  }
}

function openEngine(): ZstdEngine {
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
        // A stream that has failed keeps failing with the same message.
        stream.close();
        stream = openStream();
        throw new CompressionError(failure.toLowerCase());
      }
      return { consumed: size - (left[1] as number), written: room - (left[0] as number) };
    },
  };
}

function openStream(): Stream {
  // The stream's own memory is never used.
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
