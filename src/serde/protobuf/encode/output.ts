import { type Arena, createArena, reserve } from '../../../bytes/arena.ts';
import { describeValue } from '../../json/excerpt.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { showPath } from '../../json/value-path.ts';
import { MismatchError } from '../../schema.ts';

/** How deep messages may be nested; deeper ones could not be decoded. */
const mostDepth = 200;

/** The state of writing one payload. */
export interface Output {
  readonly arena: Arena;
  /** Where in the JSON the value is that is being written. */
  readonly path: (string | number)[];
  /** How many keys of objects were read; fewer than in the text if an object has a key twice. */
  keys: number;
  depth: number;
}

/** Creates the state for many payloads. */
export function createOutput(): Output {
  return { arena: createArena(1024), path: [], keys: 0, depth: 0 };
}

/** Creates the error for a value at the current place. */
export function mismatch({ path }: Output, expected: string, value: JsonValue | undefined): MismatchError {
  return new MismatchError(showPath(path), expected, describeValue(value));
}

/** Appends a byte. */
export function writeByte({ arena }: Output, byte: number): void {
  reserve(arena, 1);
  arena.bytes[arena.length++] = byte;
}

/** Appends a varint of up to 32 bits. */
export function writeVarint({ arena }: Output, value: number): void {
  reserve(arena, 5);
  let rest = value >>> 0;
  for (; rest > 0x7f; rest >>>= 7) arena.bytes[arena.length++] = (rest & 0x7f) | 0x80;
  arena.bytes[arena.length++] = rest;
}

/** Appends a varint of 64 bits; negative numbers take ten bytes. */
export function writeLongVarint(output: Output, value: bigint): void {
  const { arena } = output;
  reserve(arena, 10);
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) arena.bytes[arena.length++] = Number(rest & 0x7fn) | 0x80;
  arena.bytes[arena.length++] = Number(rest);
}

/** Appends bytes with their length in front. */
export function writeSized(output: Output, bytes: Buffer): void {
  writeVarint(output, bytes.length);
  const { arena } = output;
  reserve(arena, bytes.length);
  bytes.copy(arena.bytes, arena.length);
  arena.length += bytes.length;
}

/** Appends what `write` appends, with its length in front. */
export function writeWithLength(output: Output, write: () => void): void {
  const { arena, depth } = output;
  if (depth >= mostDepth)
    throw new MismatchError(showPath(output.path.slice(0, 3)), `at most ${mostDepth} levels of messages`, 'more');
  output.depth++;
  const start = arena.length;
  writeByte(output, 0);
  write();
  output.depth = depth;
  const length = arena.length - start - 1;
  if (length > 0x7f) moveForLength(output, start, length);
  else arena.bytes[start] = length;
}

/** Makes room for a length of more than one byte and writes it. */
function moveForLength(output: Output, start: number, length: number): void {
  const { arena } = output;
  const extra = Math.floor(Math.log2(length) / 7);
  reserve(arena, extra + 5);
  arena.bytes.copyWithin(start + 1 + extra, start + 1, start + 1 + length);
  arena.length = start;
  writeVarint(output, length);
  arena.length = start + 1 + extra + length;
}
