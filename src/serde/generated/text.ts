import { type Arena, reserve, type ViewedBytes } from '../../bytes/arena.ts';
import { jsonTextWriter } from '../../bytes/json-text/json-text.ts';

/** Thrown when a payload has anything irregular, so that the careful decoder starts again and finds out what. */
export const bail: unique symbol = Symbol('bail');

/** Up to this size in bytes text is copied word by word. */
const wordBytes = 256;
const writeText = jsonTextWriter();

/** Appends text of any length with its quotes; returns the position after it. Throws `bail` if it is not valid. */
export function appendText(
  source: ViewedBytes & { readonly end: number },
  arena: Arena,
  start: number,
  length: number,
): number {
  if (length > source.end - start) throw bail;
  if (length <= wordBytes) {
    reserve(arena, length + 16);
    const to = arena.length;
    if (copyPlain(source.view, start, arena.view, to + 1, length)) {
      arena.bytes[to] = 0x22;
      arena.bytes[to + length + 1] = 0x22;
      arena.length = to + length + 2;
      return start + length;
    }
  }
  if (!writeText(arena, source, start, length)) throw bail;
  return start + length;
}

/** Copies text if it is ASCII without anything that JSON escapes; up to three bytes more are written. */
// biome-ignore lint/complexity/useMaxParams: an object for them would cost more than the rest
export function copyPlain(source: DataView, from: number, view: DataView, to: number, length: number): boolean {
  let odd = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const word = source.getInt32(from + at, true);
    view.setInt32(to + at, word, true);
    // The high bit of each byte: not ASCII, below a blank, a quote, a backslash; sometimes of the byte above, too.
    odd |= word | (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101);
  }
  for (; at < length; at++) {
    const byte = source.getUint8(from + at);
    view.setUint8(to + at, byte);
    if (byte < 0x20 || byte >= 0x80 || byte === 0x22 || byte === 0x5c) return false;
  }
  return (odd & 0x80808080) === 0;
}
