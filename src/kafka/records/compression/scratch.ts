import { type Arena, grow } from '../arena.ts';
import { CompressionError } from '../corrupt.ts';

/**
 * Makes `scratch` hold `needed` bytes, keeping what is filled.
 * @throws CompressionError when that is more than `limit`
 */
export function growScratch(scratch: Arena, needed: number, limit: number): void {
  if (needed > limit) throw new CompressionError(`it unpacks to more than ${limit} bytes`);
  if (needed > scratch.bytes.length)
    grow(scratch, Math.min(limit, Math.max(needed, scratch.bytes.length * 2, 1 << 16)));
}
