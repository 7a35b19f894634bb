import { type Arena, reserve } from '../../bytes/arena.ts';
import { describeValue } from '../json/excerpt.ts';
import type { JsonValue } from '../json/json-value.ts';
import { showPath } from '../json/value-path.ts';
import { MismatchError } from '../schema.ts';
import { deepest } from './model.ts';

/** A payload that is being written. */
export interface Writing {
  readonly arena: Arena;
  /** The way to the value that is being written. */
  readonly path: (string | number)[];
  /** The levels of values around it. */
  depth: number;
  /** The number of keys of the objects that were written. */
  keys: number;
  /** Whether it is a default, in which unions have no tags. */
  readonly isDefault: boolean;
  /** What numbers exactly are, where JavaScript rounds some (`parseJson`). */
  readonly sources: ReadonlyMap<number, string> | undefined;
  /** How much defaults may still add: each one its bytes and 1. */
  left: number;
}

/** Writes a value of one type, or throws MismatchError. */
export type Write = (value: JsonValue, writing: Writing) => void;

/** Starts a payload. */
export function startWriting(
  arena: Arena,
  { isDefault, left, sources }: Pick<Writing, 'isDefault' | 'left'> & Partial<Pick<Writing, 'sources'>>,
): Writing {
  return { arena, path: [], depth: 0, keys: 0, isDefault, left, sources };
}

/** Throws the error for the value that is being written; `what` replaces the description of the value. */
export function mismatch(
  { path }: Writing,
  expected: string,
  value: JsonValue | undefined,
  what = describeValue(value),
): never {
  throw new MismatchError(showPath(path), expected, what);
}

/** Goes one level deeper. */
export function enter(writing: Writing, value: JsonValue): void {
  if (++writing.depth > deepest) mismatch(writing, `values at most ${deepest} levels deep`, value);
}

/** Writes a part of a value. */
export function writePart(writing: Writing, step: string | number, value: JsonValue, write: Write): void {
  writing.path.push(step);
  write(value, writing);
  writing.path.pop();
}

/** Appends an integer of up to 64 bits as a zigzag varint. */
export function appendLong(arena: Arena, value: number | bigint): void {
  reserve(arena, 10);
  if (typeof value === 'bigint' || value !== (value | 0)) {
    appendExact(arena, BigInt(value));
    return;
  }
  let raw = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; raw >= 0x80; raw >>>= 7) arena.bytes[arena.length++] = (raw & 0x7f) | 0x80;
  arena.bytes[arena.length++] = raw;
}

function appendExact(arena: Arena, value: bigint): void {
  let raw = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; raw >= 0x80n; raw >>= 7n) arena.bytes[arena.length++] = Number(raw & 0x7fn) | 0x80;
  arena.bytes[arena.length++] = Number(raw);
}
