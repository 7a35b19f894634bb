import { type Arena, reserve, type ViewedBytes } from './arena.ts';

/** Appends base64 in the standard alphabet, with padding. */
export function writeBase64(arena: Arena, source: ViewedBytes, start: number, length: number): void {
  if (length <= 0) return;
  const size = Math.ceil(length / 3) * 4;
  reserve(arena, size);
  arena.length += arena.bytes.write(source.bytes.toString('base64', start, start + length), arena.length, 'latin1');
}
