import { isUtf8 } from 'node:buffer';
import { type Arena, appendByte, appendBytes, copyInto, reserve, type ViewedBytes } from '../records/arena.ts';
import { writeBase64 } from './format-text.ts';

const quote = 0x22;
const backslash = 0x5c;
const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [quote, '\\"'],
  [backslash, '\\\\'],
]);

/** What stands for each byte that JSON does not take as it is. */
const escapes: readonly (Buffer | undefined)[] = Array.from({ length: 128 }, (_, byte) => {
  if (byte >= 0x20 && byte !== quote && byte !== backslash) return undefined;
  return Buffer.from(shortEscapes.get(byte) ?? `\\u${byte.toString(16).padStart(4, '0')}`);
});

const isPlain = 0;
const isEscaped = 1;
const isHigh = 2;
/** The first byte of U+2028 and U+2029, which many readers of lines take for the end of one: they are escaped. */
const separatorLead = 0xe2;
const separators: ReadonlyMap<number, Buffer> = new Map([
  [0xa8, Buffer.from('\\u2028')],
  [0xa9, Buffer.from('\\u2029')],
]);
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === separatorLead) return isHigh | isEscaped;
  if (byte >= 0x80) return isHigh;
  return escapes[byte] === undefined ? isPlain : isEscaped;
});

/** Appends bytes as a JSON string; false when they are not UTF-8 and became base64. */
export function writeJsonText(arena: Arena, source: ViewedBytes, start: number, length: number): boolean {
  const { bytes, view } = source;
  const end = start + length;
  let found = 0;
  for (let at = start; at < end; at++) found |= classes[bytes[at] as number] as number;
  reserve(arena, length + 2);
  arena.bytes[arena.length++] = quote;
  let isText = true;
  if (found === isPlain) copyInto(arena, view, start, length);
  else if ((found & isHigh) !== 0 && !isUtf8(bytes.subarray(start, end))) {
    writeBase64(arena, source, start, length);
    isText = false;
  } else if ((found & isEscaped) === 0) copyInto(arena, view, start, length);
  else writeEscaped(arena, source, start, end);
  appendByte(arena, quote);
  return isText;
}

/** Runs of plain bytes with escapes between them. */
function writeEscaped(arena: Arena, { bytes, view }: ViewedBytes, start: number, end: number): void {
  let runStart = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (((classes[byte] as number) & isEscaped) === 0) continue;
    const isSeparator = byte === separatorLead && bytes[at + 1] === 0x80;
    const replacement = isSeparator ? separators.get(bytes[at + 2] as number) : escapes[byte];
    if (replacement === undefined) continue;
    reserve(arena, at - runStart + 6);
    copyInto(arena, view, runStart, at - runStart);
    appendBytes(arena, replacement);
    if (isSeparator) at += 2;
    runStart = at + 1;
  }
  reserve(arena, end - runStart);
  copyInto(arena, view, runStart, end - runStart);
}
