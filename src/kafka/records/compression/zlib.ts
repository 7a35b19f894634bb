import { CompressionError } from '../corrupt.ts';

/**
 * node:zlib fills pieces of memory of one size and joins them. One piece that all fits into saves the joining, and one
 * no larger than that saves most of the work where batches are small.
 */
export interface Pieces {
  readonly chunkSize: number;
}

const leastPiece = 1 << 12;
const mostPiece = 4 << 20;

/** Pieces for what is expected to take `size` bytes; a wrong guess costs time only. */
export function piecesOf(size: number): Pieces {
  // With one byte more than it fills, node sees that it has come to the end.
  return { chunkSize: Math.min(Math.max(size + 1, leastPiece), mostPiece) };
}

/** The most that gzip and zstd make of input that does not shrink. */
export function mostPacked(input: Buffer): number {
  return input.length + (input.length >>> 8) + 512;
}

/** Runs a function of node:zlib; what it throws becomes a CompressionError. */
export function unpackWith<T>(limit: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new CompressionError(reasonOf(error, limit), { cause: error });
  }
}

function reasonOf(error: unknown, limit: number): string {
  if (!(error instanceof Error)) return 'it cannot be unpacked';
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_BUFFER_TOO_LARGE' ? `it unpacks to more than ${limit} bytes` : error.message.toLowerCase();
}
