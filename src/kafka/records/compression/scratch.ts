import { CompressionError } from '../corrupt.ts';

/** Unpacked bytes, in memory that the next batch uses again. */
export interface Scratch {
  bytes: Buffer;
  length: number;
}

/** An empty scratch; memory comes with the first use. */
export function createScratch(): Scratch {
  return { bytes: Buffer.alloc(0), length: 0 };
}

/**
 * Makes `scratch.bytes` hold `needed` bytes, keeping the first `scratch.length`.
 * @throws CompressionError when that is more than `limit`
 */
export function growScratch(scratch: Scratch, needed: number, limit: number): void {
  if (needed > limit) throw new CompressionError(`it unpacks to more than ${limit} bytes`);
  if (needed <= scratch.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, scratch.bytes.length * 2, 1 << 16)));
  scratch.bytes.copy(larger, 0, 0, scratch.length);
  scratch.bytes = larger;
}
