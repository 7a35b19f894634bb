import { type Arena, reserve, type ViewedBytes } from '../../bytes/arena.ts';
import { smallIntegers, writeDouble, writeFloat } from '../generated/numbers.ts';
import { compile } from '../generated/symbols.ts';
import { bail, copyPlain } from '../generated/text.ts';
import { mostText } from '../schema.ts';
import type { Census } from './census.ts';
import { emitDecoder } from './emit.ts';
import {
  bytesText,
  checkKeys,
  countAt,
  decimalText,
  type FastRun,
  fixedText,
  indexAt,
  intText,
  longText,
  text,
} from './fast-reads.ts';
import type { AvroType } from './model.ts';

/** Turns one payload into JSON; returns false, with the arena unchanged, if the careful decoder must look at it. */
export type DecodeFast = (source: ViewedBytes, start: number, end: number, arena: Arena) => boolean;

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
