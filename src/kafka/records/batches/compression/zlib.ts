import { CompressionError } from '../corrupt.ts';

/**
 * The size of the pieces of memory that node:zlib fills and then joins. A piece that fits everything saves the joining,
 * and one that is no larger saves most of the work for small batches.
 */
export interface Pieces {
  readonly chunkSize: number;
}

const leastPiece = 1 << 12;
const mostPiece = 4 << 20;

/** Returns the pieces for a result of about `size` bytes; a wrong estimate only costs time. */
export function piecesOf(size: number): Pieces {
  // From one spare byte Node sees that it has reached the end.
  return { chunkSize: Math.min(Math.max(size + 1, leastPiece), mostPiece) };
}

/** Returns the maximum size of gzip and zstd output for input that does not shrink. */
export function mostPacked(input: Buffer): number {
  return input.length + (input.length >>> 8) + 512;
}

/** Runs a function of node:zlib; its errors become a CompressionError. */
export function unpackWith<T>(limit: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new CompressionError(reasonOf(error, limit), { cause: error });
  }
}

function reasonOf(error: unknown, limit: number): string {
  if (!(error instanceof Error)) return 'it cannot be decompressed';
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_BUFFER_TOO_LARGE' ? `it decompresses to more than ${limit} bytes` : error.message.toLowerCase();
}
