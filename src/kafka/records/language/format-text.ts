import { type Arena, copyInto, reserve, type ViewedBytes } from '../../../bytes/arena.ts';
import { writeBase64 } from '../../../bytes/base64.ts';

/** Appends `source[start, start + length)` in some encoding; a length of -1 (null) appends nothing. */
export type WriteText = (arena: Arena, source: ViewedBytes, start: number, length: number) => void;

/** Appends the bytes as they are. */
export function writeRaw(arena: Arena, source: ViewedBytes, start: number, length: number): void {
  if (length <= 0) return;
  reserve(arena, length);
  copyInto(arena, source.view, start, length);
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const highDigit = Uint8Array.from(hexPairs, (pair) => pair.charCodeAt(0));
const lowDigit = Uint8Array.from(hexPairs, (pair) => pair.charCodeAt(1));

/** Appends lower-case hex. */
export function writeHex(arena: Arena, source: ViewedBytes, start: number, length: number): void {
  if (length <= 0) return;
  reserve(arena, length * 2);
  const target = arena.bytes;
  const { bytes } = source;
  let at = arena.length;
  for (let index = start; index < start + length; index++) {
    const byte = bytes[index] as number;
    target[at++] = highDigit[byte] as number;
    target[at++] = lowDigit[byte] as number;
  }
  arena.length = at;
}

/** Appends base64 in the standard alphabet, without padding. */
export function writeBase64Raw(arena: Arena, source: ViewedBytes, start: number, length: number): void {
  writeBase64(arena, source, start, length);
  if (length <= 0) return;
  while (arena.bytes[arena.length - 1] === 0x3d) arena.length--;
}

const writers: ReadonlyMap<string, WriteText> = new Map([
  ['', writeRaw],
  ['hex', writeHex],
  ['base64', writeBase64],
  ['base64raw', writeBase64Raw],
]);

/** The modifiers of text verbs except `unpack`, for help. */
export const textModifiers: readonly string[] = [...writers.keys()].filter((word) => word !== '');

/** Returns the encoding for a text modifier other than `unpack`; undefined for an unknown word. */
export function textFormat(modifier: string): WriteText | undefined {
  return writers.get(modifier);
}
