import { type Arena, reserve, type ViewedBytes } from '../../../../bytes/arena.ts';
import { lead, smallIntegers, writeDouble, writeFloat, writeInt, writeSigned } from '../../../generated/numbers.ts';
import { compile } from '../../../generated/symbols.ts';
import { bail, copyPlain } from '../../../generated/text.ts';
import { mostText, PayloadError } from '../../../schema.ts';
import type { MessagePlan } from '../message-plan.ts';
import { createPayload } from '../payload.ts';
import { emitDecoder } from './emit.ts';
import * as reads from './reads.ts';

/** Turns one message into JSON; returns false, with the arena unchanged, if the careful decoder must look at it. */
export type DecodeFast = (source: ViewedBytes, start: number, end: number, arena: Arena) => boolean;

const library = {
  ...reads,
  reserve,
  bail,
  small: smallIntegers,
  lead,
  writeDouble,
  writeFloat,
  writeInt,
  writeSigned,
  copyPlain,
};

// biome-ignore lint/complexity/useMaxParams: an object for them would cost more than the rest
type Run = (run: reads.FastRun, arena: Arena, start: number, stop: number, depth: number) => number;

/**
 * Creates a decoder of generated code: straight code over local variables, which V8 compiles as a whole. It has only
 * the checks that keep it from harm, and leaves all else to the careful decoder.
 * @returns undefined if the message type is one that the careful decoder does better
 */
export function fastDecoder(plan: MessagePlan): DecodeFast | undefined {
  const emitted = emitDecoder(plan);
  const decode = emitted && compile<Run>(library, emitted, emitted.fields);
  if (decode === undefined) return undefined;
  const bytes = Buffer.alloc(0);
  const run: reads.FastRun = {
    bytes,
    view: new DataView(bytes.buffer),
    end: 0,
    limit: 0,
    at: 0,
    payload: createPayload(),
  };
  return (source, start, end, arena) => {
    const before = arena.length;
    run.bytes = source.bytes;
    run.view = source.view;
    run.end = end;
    run.limit = before + mostText(end - start);
    run.payload.source = source;
    run.payload.most = run.limit;
    run.payload.foundLength = 0;
    try {
      if (decode(run, arena, start, end, 0) === end) return true;
    } catch (error) {
      // The careful decoder finds out why; reads beyond the end of the payload throw a RangeError.
      if (error !== bail && !(error instanceof RangeError || error instanceof PayloadError)) throw error;
    }
    arena.length = before;
    return false;
  };
}
