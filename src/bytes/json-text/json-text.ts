import { isUtf8 } from 'node:buffer';
import { type Arena, appendByte, copyInto, reserve, type ViewedBytes } from '../arena.ts';
import { writeBase64 } from '../base64.ts';
import { classes, isEscaped, isHigh, mostPerByte, plainEscape } from './plain-escape.ts';
import { createWasmEscape, type Escape } from './wasm-escape.ts';

const quote = 0x22;
/** Text below this size in bytes takes less time to write than a call of WebAssembly. */
const shortBytes = 32;

/** Appends bytes as a JSON string; returns false if they are not UTF-8 and were written as base64. */
export type WriteJsonText = (arena: Arena, source: ViewedBytes, start: number, length: number) => boolean;

/**
 * Creates a writer for one field of many records. Since a field usually has the same kind of content, what the last
 * value was (UTF-8 or not) decides what to try first for the next. `escapeLong` escapes longer text; by default it is
 * the fastest available function.
 */
export function jsonTextWriter(escapeLong?: Escape): WriteJsonText {
  let writeLong = escapeLong;
  let expectsText = true;
  return (arena, source, start, length) => {
    if (length < shortBytes) return writeShort(arena, source, start, length);
    if (!expectsText && !isText(source, start, length)) return writeBytes(arena, source, start, length);
    writeLong ??= fastestEscape();
    const before = arena.length;
    appendByte(arena, quote);
    const isAscii = writeLong(arena, source, start, length);
    if (!isAscii && expectsText && !isText(source, start, length)) {
      expectsText = false;
      arena.length = before;
      return writeBytes(arena, source, start, length);
    }
    expectsText = true;
    appendByte(arena, quote);
    return true;
  };
}

function isText({ bytes }: ViewedBytes, start: number, length: number): boolean {
  return isUtf8(bytes.subarray(start, start + length));
}

function writeBytes(arena: Arena, source: ViewedBytes, start: number, length: number): false {
  appendByte(arena, quote);
  writeBase64(arena, source, start, length);
  appendByte(arena, quote);
  return false;
}

function writeShort(arena: Arena, source: ViewedBytes, start: number, length: number): boolean {
  const { bytes, view } = source;
  const end = start + length;
  let flags = 0;
  for (let at = start; at < end; at++) flags |= classes[bytes[at] as number] as number;
  if ((flags & isHigh) !== 0 && !isText(source, start, length)) return writeBytes(arena, source, start, length);
  reserve(arena, length * mostPerByte + 2);
  arena.bytes[arena.length++] = quote;
  if ((flags & isEscaped) === 0) copyInto(arena, view, start, length);
  else plainEscape(arena, source, start, length);
  arena.bytes[arena.length++] = quote;
  return true;
}

let fastest: Escape | undefined;

/** Returns the WebAssembly function, or the loop over bytes if there is no WebAssembly (`node --jitless`). */
function fastestEscape(): Escape {
  fastest ??= createFastest();
  return fastest;
}

function createFastest(): Escape {
  try {
    return createWasmEscape();
  } catch {
    return plainEscape;
  }
}
