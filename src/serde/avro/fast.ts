import { type Arena, appendAscii, reserve, type ViewedBytes } from '../../bytes/arena.ts';
import { smallIntegers, writeAscii, writeDouble, writeFloat, writeInt, writeSigned } from '../generated/numbers.ts';
import { compile } from '../generated/symbols.ts';
import { appendText, bail, copyPlain } from '../generated/text.ts';
import { mostText } from '../schema.ts';
import type { Census } from './census.ts';
import { decimalIn } from './decimal.ts';
import { emitDecoder } from './emit.ts';
import { writeLatin1 } from './latin1.ts';
import type { AvroType } from './model.ts';

/** A payload that generated code is reading. */
interface FastRun {
  bytes: Buffer;
  view: DataView;
  end: number;
  /** The position after what the last function read. */
  at: number;
  /** The length of the arena that the JSON must not exceed. */
  limit: number;
  /** Where in the output the keys of the open maps start and end. */
  keys: number[];
}

/** Up to this number of keys each is compared with each. */
const fewKeys = 8;

/** Throws `bail` if a map, whose keys are those from `first`, has one of them twice. */
function checkKeys({ keys }: FastRun, out: Buffer, first: number): void {
  const count = (keys.length - first) / 2;
  if (count > 1 && (count > fewKeys ? hasDouble(keys, out, first) : hasDoubleOfFew(keys, out, first))) throw bail;
  keys.length = first;
}

function hasDouble(keys: readonly number[], out: Buffer, first: number): boolean {
  const seen = new Set<string>();
  for (let at = first; at < keys.length; at += 2) seen.add(out.toString('latin1', keys[at], keys[at + 1]));
  return seen.size < (keys.length - first) / 2;
}

function hasDoubleOfFew(keys: readonly number[], out: Buffer, first: number): boolean {
  for (let at = first; at < keys.length; at += 2) {
    const [start = 0, end = 0] = [keys[at], keys[at + 1]];
    for (let other = first; other < at; other += 2) {
      const [from = 0, to = 0] = [keys[other], keys[other + 1]];
      if (to - from === end - start && out.compare(out, start, end, from, to) === 0) return true;
    }
  }
  return false;
}

/** Reads an integer of several bytes at `at` and writes it. */
function longText(run: FastRun, at: number, view: DataView, to: number): number {
  const { bytes } = run;
  let byte = 0;
  let low = 0;
  let next = at;
  for (let shift = 0; shift < 28; shift += 7) {
    byte = bytes[next++] as number;
    low |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      run.at = next;
      return writeInt(view, to, (low >>> 1) ^ -(low & 1));
    }
  }
  let high = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    byte = bytes[next++] as number;
    high |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      const half = (low >>> 1) + high * 0x8000000;
      if (half >= Number.MAX_SAFE_INTEGER) break;
      run.at = next;
      return (low & 1) === 0 ? writeSigned(view, to, half, false) : writeSigned(view, to, half + 1, true);
    }
  }
  return exactText(run, at, view, to);
}

/** Reads an integer beyond 2^53 and writes it. */
function exactText(run: FastRun, at: number, view: DataView, to: number): number {
  let exact = 0n;
  let next = at;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (next >= run.end) throw bail;
    const byte = run.bytes[next++] as number;
    if (shift === 63n && byte > 1) throw bail;
    exact |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      run.at = next;
      return writeAscii(view, to, String(exact & 1n ? -(exact >> 1n) - 1n : exact >> 1n));
    }
  }
  throw bail;
}

/** Reads an int of several bytes at `at` and writes it. */
function intText(run: FastRun, at: number, view: DataView, to: number): number {
  const value = integerAt(run, at);
  if (value !== (value | 0)) throw bail;
  return writeInt(view, to, value);
}

/** Reads an integer of up to 35 bits. */
function integerAt(run: FastRun, at: number): number {
  let low = 0;
  let next = at;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = run.bytes[next++] as number;
    low |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      run.at = next;
      return (low >>> 1) ^ -(low & 1);
    }
  }
  const byte = run.bytes[next++] as number;
  if (!(byte < 0x80)) throw bail;
  run.at = next;
  const half = (low >>> 1) + byte * 0x8000000;
  return (low & 1) === 0 ? half : -half - 1;
}

/** Reads an index below `count`. */
function indexAt(run: FastRun, at: number, count: number): number {
  const index = integerAt(run, at);
  if (index < 0 || index >= count) throw bail;
  return index;
}

/** Reads the number of items of a block, and its size if there is one. */
function countAt(run: FastRun, at: number): number {
  const count = integerAt(run, at);
  if (count >= 0) return count;
  const size = integerAt(run, run.at);
  if (size < 0 || size > run.end - run.at) throw bail;
  return -count;
}

/** Reads text of any length at `at` and appends it with its quotes; returns the position after it. */
function text(run: FastRun, arena: Arena, at: number): number {
  const length = integerAt(run, at);
  if (length < 0) throw bail;
  return appendText(run, arena, run.at, length);
}

/** Reads bytes at `at` and appends them with quotes; returns the position after them. */
function bytesText(run: FastRun, arena: Arena, at: number): number {
  const length = integerAt(run, at);
  if (length < 0) throw bail;
  return fixedText(run, arena, run.at, length);
}

/** Reads a number of bytes at `at` and appends them with quotes; returns the position after them. */
function fixedText(run: FastRun, arena: Arena, at: number, length: number): number {
  if (length > run.end - at) throw bail;
  reserve(arena, 1);
  arena.bytes[arena.length++] = 0x22;
  writeLatin1(arena, run.bytes, at, at + length);
  reserve(arena, 1);
  arena.bytes[arena.length++] = 0x22;
  return at + length;
}

/** Reads a decimal at `run.at` and appends its number; returns the position after it. @param size -1: a length precedes it */
function decimalText(run: FastRun, arena: Arena, size: number, scale: number): number {
  const length = size < 0 ? integerAt(run, run.at) : size;
  const { at } = run;
  if (length < 0 || length > run.end - at) throw bail;
  const number = decimalIn(run.bytes, at, length, scale);
  if (number === undefined) return fixedText(run, arena, at, length);
  appendAscii(arena, number);
  return at + length;
}

/** Turns one payload into JSON; returns false, with the arena unchanged, if the careful decoder must look at it. */
type DecodeFast = (source: ViewedBytes, start: number, end: number, arena: Arena) => boolean;

const library = {
  reserve,
  bail,
  small: smallIntegers,
  writeDouble,
  writeFloat,
  bytesText,
  checkKeys,
  copyPlain,
  countAt,
  decimalText,
  fixedText,
  indexAt,
  intText,
  longText,
  text,
};

type Run = (run: FastRun, arena: Arena, start: number, depth: number) => number;

/**
 * Creates a decoder of generated code: straight code over local variables, which V8 compiles as a whole. It has only
 * the checks that keep it from harm, and leaves all else to the careful decoder.
 * @returns undefined if Node.js was told not to generate code
 */
export function fastDecoder(type: AvroType, census: Census): DecodeFast | undefined {
  const decode = compile<Run>(library, emitDecoder(type, census));
  if (decode === undefined) return undefined;
  const empty = Buffer.alloc(0);
  const run: FastRun = { bytes: empty, view: new DataView(new ArrayBuffer(0)), end: 0, at: 0, limit: 0, keys: [] };
  return (source, start, end, arena) => {
    const before = arena.length;
    run.bytes = source.bytes;
    run.view = source.view;
    run.end = end;
    run.limit = before + mostText(end - start);
    run.keys.length = 0;
    try {
      // Other readers ignore bytes after the value, too.
      if (decode(run, arena, start, 0) <= end) return true;
    } catch (error) {
      // The careful decoder finds out why; reads beyond the end of the payload throw a RangeError.
      if (error !== bail && !(error instanceof RangeError)) throw error;
    }
    arena.length = before;
    return false;
  };
}
