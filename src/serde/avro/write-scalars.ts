import { reserve } from '../../bytes/arena.ts';
import { integerOf, type JsonValue } from '../json/json-value.ts';
import { noNumbers } from '../number-text.ts';
import { bytesOf, type Decimal } from './decimal.ts';
import { describe, type EnumType, type FixedType, type PrimitiveType } from './model.ts';
import { appendLong, mismatch, type Write, type Writing } from './writing.ts';

const mostInt = 2 ** 31 - 1;
const mostLong = 2n ** 63n - 1n;
const mostFloat = 2 ** 128 - 2 ** 104;

/** Checks whether a value is an integer in the range of int. */
export function isInt(value: JsonValue): value is number {
  return typeof value === 'number' && value === (value | 0);
}

/** Checks whether a value is an integer in the range of long. A number beyond 2^53 was a fraction in the text. */
export function isLong(value: JsonValue): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && value <= mostLong && value >= -mostLong - 1n;
}

/** Returns the number that a value stands for in a float or double; undefined if it is none. */
export function floatingOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && noNumbers.includes(value) ? Number(value) : undefined;
}

/** Checks whether each character of text stands for one byte. */
export function isBytes(value: JsonValue): value is string {
  return typeof value === 'string' && /^[\0-\xff]*$/.test(value);
}

/** The writers of the primitive types. */
export const writePrimitive: Readonly<Record<PrimitiveType['kind'], Write>> = {
  null(value, writing) {
    if (value !== null) mismatch(writing, 'null', value);
  },
  boolean(value, writing) {
    if (typeof value !== 'boolean') return mismatch(writing, 'boolean', value);
    appendLong(writing.arena, value ? -1 : 0);
  },
  int(value, writing) {
    if (isInt(value)) return appendLong(writing.arena, value);
    const isTooLarge = typeof value === 'bigint' || Number.isInteger(value);
    mismatch(writing, isTooLarge ? `int from ${-mostInt - 1} to ${mostInt}` : 'int', value);
  },
  long(value, writing) {
    if (isLong(value)) return appendLong(writing.arena, value);
    const isTooLarge = typeof value === 'bigint' || Number.isInteger(value);
    mismatch(writing, isTooLarge ? `long from ${-mostLong - 1n} to ${mostLong}` : 'long', value);
  },
  float(value, writing) {
    const number = floating(value, writing, 'float');
    const isTooLarge = !Number.isFinite(Math.fround(number)) && Number.isFinite(number);
    if (isTooLarge) mismatch(writing, `float from ${-mostFloat} to ${mostFloat}`, value);
    reserve(writing.arena, 4);
    writing.arena.view.setFloat32(writing.arena.length, number, true);
    writing.arena.length += 4;
  },
  double(value, writing) {
    const number = floating(value, writing, 'double');
    reserve(writing.arena, 8);
    writing.arena.view.setFloat64(writing.arena.length, number, true);
    writing.arena.length += 8;
  },
  bytes(value, writing) {
    if (!isBytes(value)) return refuseBytes(value, writing, 'bytes');
    appendLong(writing.arena, value.length);
    appendBytes(value, writing);
  },
  string(value, writing) {
    if (typeof value === 'string') return appendText(value, writing);
    mismatch(writing, 'string', value);
  },
};

/** Appends text with its length. */
export function appendText(text: string, writing: Writing): void {
  if (!text.isWellFormed()) mismatch(writing, 'string', text, 'half of a surrogate pair');
  const { arena } = writing;
  const length = Buffer.byteLength(text);
  appendLong(arena, length);
  reserve(arena, length);
  arena.length += arena.bytes.write(text, arena.length);
}

function floating(value: JsonValue, writing: Writing, kind: string): number {
  const number = floatingOf(value);
  if (number === undefined) return mismatch(writing, kind, value);
  // The text had a number that is too large.
  if (typeof value !== 'string' && !Number.isFinite(number)) {
    return mismatch(writing, `${kind} up to ${kind === 'float' ? mostFloat : Number.MAX_VALUE}`, value);
  }
  return number;
}

function refuseBytes(value: JsonValue, writing: Writing, expected: string): never {
  if (typeof value !== 'string') return mismatch(writing, `${expected} (text with one character per byte)`, value);
  return mismatch(writing, `${expected} (characters up to \\u00ff)`, value);
}

function appendBytes(text: string, { arena }: Writing): void {
  reserve(arena, text.length);
  arena.length += arena.bytes.write(text, arena.length, 'latin1');
}

/** Text that a person may mean as a number, such as `10.67` and `1,234.50`, while text stands for bytes. */
const printableText = /^[\x20-\x7e]*$/;

/**
 * Creates the writer of a decimal, which takes numbers. Text is bytes, as in Avro's own JSON; text that can be typed is
 * refused, because hardly anybody means its bytes.
 */
export function decimalWriter(decimal: Decimal, writeBytes: Write, size?: number): Write {
  const { precision, scale } = decimal;
  const most = `decimal of at most ${precision} digits, ${scale} of them after the point`;
  return (value, writing) => {
    if (typeof value === 'number' || typeof value === 'bigint') {
      const unscaled = integerOf(sourceOf(value, writing), scale, precision);
      if (unscaled === undefined) return mismatch(writing, most, value);
      writeBytes(bytesOf(unscaled, size).toString('latin1'), writing);
      return;
    }
    if (typeof value === 'string' && !writing.isDefault && printableText.test(value))
      return mismatch(writing, 'decimal as a number, without quotes (text stands for bytes)', value);
    if (typeof value !== 'string') return mismatch(writing, most, value);
    writeBytes(value, writing);
  };
}

/** The number as JSON had it; empty if that is not certain. */
function sourceOf(value: number | bigint, { sources }: Writing): string {
  return (typeof value === 'number' ? sources?.get(value) : undefined) ?? String(value);
}

/** Creates the writer of a fixed. */
export function fixedWriter(type: FixedType): Write {
  return (value, writing) => {
    if (!isBytes(value)) return refuseBytes(value, writing, describe(type));
    if (value.length !== type.size) mismatch(writing, describe(type), value, `${value.length} bytes`);
    appendBytes(value, writing);
  };
}

/** Creates the writer of an enum. */
export function enumWriter(type: EnumType): Write {
  const indexes = new Map<JsonValue, number>(type.symbols.map((symbol, index) => [symbol, index]));
  return (value, writing) => {
    const index = indexes.get(value);
    if (index === undefined) return mismatch(writing, describe(type), value);
    appendLong(writing.arena, index);
  };
}
