import { type Arena, createArena, grow } from '../../../../bytes/arena.ts';
import { CompressionError } from '../corrupt.ts';

/**
 * Grows `scratch` to `needed` bytes and keeps the filled ones.
 * @throws CompressionError if that exceeds `limit`
 */
export function growScratch(scratch: Arena, needed: number, limit: number): void {
  if (needed > limit) throw new CompressionError(`it decompresses to more than ${limit} bytes`);
  if (needed > scratch.bytes.length)
    grow(scratch, Math.min(limit, Math.max(needed, scratch.bytes.length * 2, 1 << 16)));
}

/** Memory beyond this size in bytes is released after the batch that needed it. */
const keptBytes = 32 * 2 ** 20;

/** Empties `scratch` for the next batch. */
export function resetScratch(scratch: Arena): void {
  scratch.length = 0;
  if (scratch.bytes.length > keptBytes) Object.assign(scratch, createArena(0));
}
