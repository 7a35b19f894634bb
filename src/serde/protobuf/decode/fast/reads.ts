import type { Arena } from '../../../../bytes/arena.ts';
import { writeAscii, writeInt, writeSigned } from '../../../generated/numbers.ts';
import { appendText, bail } from '../../../generated/text.ts';
import { writeMap } from '../map.ts';
import type { FieldPlan } from '../message-plan.ts';
import { note, type Payload, readLength, readTag, readVarint } from '../payload.ts';

/** A payload that generated code is reading. */
export interface FastRun {
  bytes: Buffer;
  view: DataView;
  end: number;
  /** The length of the arena that the JSON must not exceed. */
  limit: number;
  /** The position after what the last function read. */
  at: number;
  /** For the parts that the careful decoder does. */
  readonly payload: Payload;
}

/** Reads a varint of several bytes into the payload; zero has only one byte. */
function readLong(run: FastRun, at: number): Payload {
  const { payload } = run;
  payload.at = at;
  payload.limit = run.end;
  readVarint(payload);
  if ((payload.low | payload.high) === 0) throw bail;
  run.at = payload.at;
  return payload;
}

/** Reads a length of several bytes. */
export function lengthAt(run: FastRun, at: number): number {
  const { low, high } = readLong(run, at);
  if (high !== 0 || low < 0) throw bail;
  return low;
}

/** Reads an int32 and writes it. */
export function int32Text(run: FastRun, at: number, view: DataView, to: number): number {
  return writeInt(view, to, readLong(run, at).low);
}

/** Reads a uint32 and writes it. */
export function uint32Text(run: FastRun, at: number, view: DataView, to: number): number {
  return writeSigned(view, to, readLong(run, at).low >>> 0, false);
}

/** Reads a sint32 and writes it. */
export function sint32Text(run: FastRun, at: number, view: DataView, to: number): number {
  const { low } = readLong(run, at);
  return writeInt(view, to, (low >>> 1) ^ -(low & 1));
}

/** Reads an int64 and writes its digits. */
export function int64Text(run: FastRun, at: number, view: DataView, to: number): number {
  const { low, high } = readLong(run, at);
  return signedText(view, to, high, low);
}

/** Reads a uint64 and writes its digits. */
export function uint64Text(run: FastRun, at: number, view: DataView, to: number): number {
  const { low, high } = readLong(run, at);
  return unsignedText(view, to, high, low);
}

/** Reads a sint64 and writes its digits. */
export function sint64Text(run: FastRun, at: number, view: DataView, to: number): number {
  const { low, high } = readLong(run, at);
  const sign = -(low & 1);
  return signedText(view, to, (high >>> 1) ^ sign, ((low >>> 1) | (high << 31)) ^ sign);
}

/** Below this, a high half makes a number that is exact as a double. */
const exactHigh = 1 << 21;

/** Writes the digits of a signed integer of 64 bits. */
export function signedText(view: DataView, to: number, high: number, low: number): number {
  if (high < -exactHigh || high >= exactHigh) {
    return writeAscii(view, to, String((BigInt(high) << 32n) + BigInt(low >>> 0)));
  }
  const value = high * 2 ** 32 + (low >>> 0);
  return writeSigned(view, to, Math.abs(value), value < 0);
}

/** Writes the digits of an unsigned integer of 64 bits. */
export function unsignedText(view: DataView, to: number, high: number, low: number): number {
  if (high >= 0 && high < exactHigh) return writeSigned(view, to, high * 2 ** 32 + (low >>> 0), false);
  return writeAscii(view, to, String((BigInt(high >>> 0) << 32n) + BigInt(low >>> 0)));
}

/** Reads text of any length and appends it with its quotes; returns the position after it. */
export function text(run: FastRun, arena: Arena, at: number): number {
  const byte = run.bytes[at] as number;
  if (byte < 128) return appendText(run, arena, at + 1, byte);
  const length = lengthAt(run, at);
  return appendText(run, arena, run.at, length);
}

/** Returns the position after the value of a field that the message type does not have. */
export function skip(run: FastRun, tag: number, at: number): number {
  if (tag < 8) throw bail;
  switch (tag & 7) {
    case 0:
      if ((run.bytes[at] as number) < 128) return at + 1;
      readLong(run, at);
      return run.at;
    case 1:
      return at + 8;
    case 2: {
      const byte = run.bytes[at] as number;
      return byte < 128 ? at + 1 + byte : lengthAt(run, at) + run.at;
    }
    case 5:
      return at + 4;
    default:
      throw bail;
  }
}

/** Where a value is in its message. */
interface ValuePosition {
  readonly at: number;
  readonly stop: number;
  readonly depth: number;
}

/** Lets the careful decoder append one value; returns the position after it. */
export function careful(run: FastRun, arena: Arena, { write }: FieldPlan, { at, stop, depth }: ValuePosition): number {
  const { payload } = run;
  payload.at = at;
  payload.limit = stop;
  payload.depth = depth;
  write(payload, arena);
  return payload.at;
}

/** Lets the careful decoder append a map whose entries follow one another; returns the position after them. */
export function map(run: FastRun, arena: Arena, field: FieldPlan, { at, stop, depth }: ValuePosition): number {
  const { payload } = run;
  const from = payload.foundLength;
  payload.depth = depth;
  payload.limit = stop;
  payload.at = at;
  let after: number;
  for (;;) {
    note(payload, 0, payload.at);
    const length = readLength(payload);
    after = payload.at + length;
    payload.at = after;
    if (after >= stop || readTag(payload) !== field.number * 8 + 2) break;
  }
  if (!writeMap(payload, arena, field, { from, to: payload.foundLength })) throw bail;
  payload.foundLength = from;
  return after;
}
