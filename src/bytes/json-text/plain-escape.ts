import { type Arena, reserve } from '../arena.ts';
import type { Escape } from './wasm-escape.ts';

const backslash = 0x5c;
const letterU = 0x75;
const zero = 0x30;
const hexDigits = Buffer.from('0123456789abcdef');

/** The first byte of U+2028 and U+2029. These are escaped, since many line readers take them for the end of a line. */
const separatorLead = 0xe2;
/** The last byte of U+2028. */
const lineSeparator = 0xa8;

/** The bit of bytes that JSON requires to be escaped, or that may begin a line separator. */
export const isEscaped = 1;
/** The bit of bytes that are not ASCII. */
export const isHigh = 2;
const isPlain = 0;
const isOther = 1;
/** For each byte: 0 if it is written as it is, the letter after the backslash if it has one, or 1 for other escapes. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === separatorLead) return isOther;
  return byte === 0x22 || byte === backslash ? byte : isPlain;
});
for (const [byte, letter] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' })) {
  letters[Number(byte)] = letter.charCodeAt(0);
}

/** For each byte: its `isEscaped` and `isHigh` bits. */
export const classes = Uint8Array.from(
  letters,
  (letter, byte) => (letter === isPlain ? 0 : isEscaped) | (byte >= 0x80 ? isHigh : 0),
);

/** The most bytes that one byte can become. */
export const mostPerByte = 6;

/** The number of bytes for which room is made at once; each may become six. */
const pieceBytes = 1 << 12;

/** Escapes byte by byte: the fastest way for a few bytes, and the only one without WebAssembly. */
export const plainEscape: Escape = (arena, { bytes }, start, length) => {
  const end = start + length;
  let seen = 0;
  for (let at = start; at < end; ) {
    const stop = Math.min(at + pieceBytes, end);
    reserve(arena, (stop - at) * mostPerByte);
    const target = arena.bytes;
    let to = arena.length;
    for (; at < stop; at++) {
      const byte = bytes[at] as number;
      const letter = letters[byte] as number;
      seen |= byte;
      if (letter === isPlain) {
        target[to++] = byte;
        continue;
      }
      if (letter !== isOther) {
        target[to++] = backslash;
        target[to++] = letter;
        continue;
      }
      if (byte !== separatorLead) {
        to = writeControl(target, to, byte);
        continue;
      }
      if (!isSeparator(bytes, at, end)) {
        target[to++] = byte;
        continue;
      }
      to = writeSeparator(target, to, bytes[at + 2] as number);
      at += 2;
    }
    arena.length = to;
  }
  return seen < 0x80;
};

function isSeparator(bytes: Buffer, at: number, end: number): boolean {
  return at + 3 <= end && bytes[at + 1] === 0x80 && ((bytes[at + 2] as number) & 0xfe) === lineSeparator;
}

function writeControl(target: Arena['bytes'], at: number, byte: number): number {
  target[at] = backslash;
  target[at + 1] = letterU;
  target[at + 2] = zero;
  target[at + 3] = zero;
  target[at + 4] = zero + (byte >>> 4);
  target[at + 5] = hexDigits[byte & 15] as number;
  return at + 6;
}

function writeSeparator(target: Arena['bytes'], at: number, last: number): number {
  target.write(last === lineSeparator ? '\\u2028' : '\\u2029', at, 'latin1');
  return at + 6;
}
