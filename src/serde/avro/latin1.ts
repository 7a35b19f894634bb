import { type Arena, reserve } from '../../bytes/arena.ts';

const backslash = 0x5c;
const hexDigits = Buffer.from('0123456789abcdef');
/** The most characters that one byte becomes. */
const mostPerByte = 6;
const pieceBytes = 1 << 12;

/** The letter after the backslash, for bytes that have one; 0 for others. */
const letters = new Uint8Array(256);
for (const [byte, letter] of [
  [0x22, '"'],
  [backslash, '\\'],
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [12, 'f'],
  [13, 'r'],
] as const) {
  letters[byte] = letter.charCodeAt(0);
}

/**
 * Appends bytes as they appear inside a JSON string: each is the character with that number (ISO-8859-1), and those that
 * are not ASCII are escaped as `\u00ff`.
 */
export function writeLatin1(arena: Arena, bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const stop = Math.min(at + pieceBytes, end);
    reserve(arena, (stop - at) * mostPerByte);
    let to = arena.length;
    for (; at < stop; at++) to = writeByte(arena.bytes, to, bytes[at] as number);
    arena.length = to;
  }
}

function writeByte(target: Buffer, at: number, byte: number): number {
  const letter = letters[byte] as number;
  if (letter === 0 && byte >= 0x20 && byte < 0x7f) {
    target[at] = byte;
    return at + 1;
  }
  target[at] = backslash;
  if (letter !== 0) {
    target[at + 1] = letter;
    return at + 2;
  }
  target[at + 1] = 0x75;
  target[at + 2] = 0x30;
  target[at + 3] = 0x30;
  target[at + 4] = hexDigits[byte >>> 4] as number;
  target[at + 5] = hexDigits[byte & 15] as number;
  return at + mostPerByte;
}
