import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import { reserve } from '../../../bytes/arena.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { nearestHint } from '../../json/nearest-name.ts';
import { noNumbers } from '../../number-text.ts';
import { mismatch, type Output, writeByte, writeLongVarint, writeSized, writeVarint } from './output.ts';

/** How values of a type are written. */
export interface ValueWriter {
  /** The wire type. */
  readonly wire: number;
  /** Appends the value, without a tag. @throws MismatchError if the JSON does not fit */
  readonly write: (output: Output, value: JsonValue) => void;
  /** Whether values are booleans, which a key of a map is a text for. */
  readonly takesBooleans?: true;
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** More digits than any number of 64 bits needs; it bounds the time for texts. */
const mostDigits = 1000;

/** Returns the integer that a JSON number or a text stands for; undefined if it is none. */
function integerOf(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== 'string' || value.length > mostDigits || !number.test(value)) return undefined;
  if (/^-?\d+$/.test(value)) return BigInt(value);
  const parsed = Number(value);
  return Number.isSafeInteger(parsed) ? BigInt(parsed) : undefined;
}

interface Range {
  readonly name: string;
  readonly least: bigint;
  readonly most: bigint;
}

function rangeOf(name: string, bits: 32 | 64, isSigned: boolean): Range {
  const size = 1n << BigInt(isSigned ? bits - 1 : bits);
  return { name, least: isSigned ? -size : 0n, most: size - 1n };
}

function integer(range: Range, wire: number, append: (output: Output, value: bigint) => void): ValueWriter {
  const write = (output: Output, value: JsonValue) => {
    const integer = integerOf(value);
    if (integer === undefined || integer < range.least || integer > range.most)
      throw mismatch(output, range.name, value);
    append(output, integer);
  };
  return { wire, write };
}

const small = (output: Output, value: bigint) => writeVarint(output, Number(value));
const four = ({ arena }: Output, value: bigint) => {
  reserve(arena, 4);
  arena.view.setInt32(arena.length, Number(BigInt.asIntN(32, value)), true);
  arena.length += 4;
};
const eight = ({ arena }: Output, value: bigint) => {
  reserve(arena, 8);
  arena.view.setBigInt64(arena.length, value, true);
  arena.length += 8;
};
const zigzag = (output: Output, value: bigint) => writeLongVarint(output, (value << 1n) ^ (value >> 63n));

const writers: ReadonlyMap<ScalarType, ValueWriter> = new Map([
  [ScalarType.INT32, integer(rangeOf('int32', 32, true), 0, writeLongVarint)],
  [ScalarType.UINT32, integer(rangeOf('uint32', 32, false), 0, small)],
  [ScalarType.SINT32, integer(rangeOf('sint32', 32, true), 0, zigzag)],
  [ScalarType.INT64, integer(rangeOf('int64', 64, true), 0, writeLongVarint)],
  [ScalarType.UINT64, integer(rangeOf('uint64', 64, false), 0, writeLongVarint)],
  [ScalarType.SINT64, integer(rangeOf('sint64', 64, true), 0, zigzag)],
  [ScalarType.FIXED32, integer(rangeOf('fixed32', 32, false), 5, four)],
  [ScalarType.SFIXED32, integer(rangeOf('sfixed32', 32, true), 5, four)],
  [ScalarType.FIXED64, integer(rangeOf('fixed64', 64, false), 1, eight)],
  [ScalarType.SFIXED64, integer(rangeOf('sfixed64', 64, true), 1, eight)],
  [ScalarType.DOUBLE, { wire: 1, write: (output, value) => writeDouble(output, doubleOf(output, value, 'double')) }],
  [ScalarType.FLOAT, { wire: 5, write: writeFloat }],
  [ScalarType.BOOL, { wire: 0, write: writeBoolean, takesBooleans: true }],
  [ScalarType.STRING, { wire: 2, write: writeText }],
  [ScalarType.BYTES, { wire: 2, write: writeBytes }],
]);

/** Returns the writer for a scalar type. */
export function scalarWriter(type: ScalarType): ValueWriter {
  const writer = writers.get(type);
  if (writer === undefined) throw new Error(`no writer for the type ${type}`);
  return writer;
}

function doubleOf(output: Output, value: JsonValue, expected: string): number {
  if (typeof value === 'string') {
    if (noNumbers.includes(value)) return Number(value);
    if (value.length > mostDigits || !number.test(value)) throw mismatch(output, expected, value);
  } else if (typeof value !== 'number' && typeof value !== 'bigint') throw mismatch(output, expected, value);
  const result = Number(value);
  if (!Number.isFinite(result)) throw mismatch(output, expected, value);
  return result;
}

/** Appends a double. */
export function writeDouble({ arena }: Output, value: number): void {
  reserve(arena, 8);
  arena.view.setFloat64(arena.length, value, true);
  arena.length += 8;
}

function writeFloat(output: Output, value: JsonValue): void {
  const result = doubleOf(output, value, 'float');
  if (Number.isFinite(result) && !Number.isFinite(Math.fround(result))) throw mismatch(output, 'float', value);
  const { arena } = output;
  reserve(arena, 4);
  arena.view.setFloat32(arena.length, result, true);
  arena.length += 4;
}

function writeBoolean(output: Output, value: JsonValue): void {
  if (typeof value !== 'boolean') throw mismatch(output, 'bool', value);
  writeByte(output, value ? 1 : 0);
}

/** Appends a text with its length in front. */
export function writeText(output: Output, value: JsonValue): void {
  if (typeof value !== 'string') throw mismatch(output, 'string', value);
  if (!value.isWellFormed()) throw mismatch(output, 'string of whole Unicode characters', value);
  writeSized(output, Buffer.from(value));
}

function writeBytes(output: Output, value: JsonValue): void {
  const digits = typeof value === 'string' ? value.replace(/={1,2}$/, '') : '*';
  if (typeof value !== 'string' || digits.length % 4 === 1 || !/^[\w+/-]*$/.test(digits)) {
    throw mismatch(output, 'bytes in base64', value);
  }
  writeSized(output, Buffer.from(digits, 'base64'));
}

/** Returns the writer for an enum: names, or numbers; a closed enum takes only the numbers that it has. */
export function enumWriter({ typeName, values, open }: DescEnum): ValueWriter {
  const numbers = new Map<JsonValue, number>(values.map((value) => [value.name, value.number]));
  const ofValues = new Set(numbers.values());
  if (typeName === 'google.protobuf.NullValue') numbers.set(null, 0);
  const takes = (number: bigint) => (open ? BigInt.asIntN(32, number) === number : ofValues.has(Number(number)));
  const write = (output: Output, value: JsonValue) => {
    const number = numbers.get(value);
    const given = number === undefined && typeof value !== 'string' ? integerOf(value) : number;
    if (given === undefined || !takes(BigInt(given))) {
      const hint =
        typeof value === 'string'
          ? nearestHint(
              value,
              values.map(({ name }) => name),
            )
          : '';
      throw mismatch(output, `a value of enum ${typeName}${hint}`, value);
    }
    writeLongVarint(output, BigInt(given));
  };
  return { wire: 0, write };
}
