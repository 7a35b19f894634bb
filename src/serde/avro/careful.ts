import { type Arena, appendAscii, appendByte, reserve, type ViewedBytes } from '../../bytes/arena.ts';
import { jsonTextWriter } from '../../bytes/json-text/json-text.ts';
import { showPath } from '../json/value-path.ts';
import { doubleText, floatText } from '../number-text.ts';
import { mostText, PayloadError } from '../schema.ts';
import { type Decimal, decimalIn } from './decimal.ts';
import { writeLatin1 } from './latin1.ts';
import {
  type ArrayType,
  type AvroType,
  deepest,
  type MapType,
  type RecordType,
  tagOf,
  type UnionType,
} from './model.ts';

/** A payload that is being read with all checks. */
interface Reading extends ViewedBytes {
  readonly start: number;
  at: number;
  readonly end: number;
  readonly arena: Arena;
  /** The length of the arena that the JSON must not exceed. */
  readonly limit: number;
  /** The way to the value that is being read. */
  readonly path: (string | number)[];
}

/** Throws the error for the value that is being read. */
function refuse({ path }: Reading, reason: string): never {
  throw new PayloadError(reason, showPath(path));
}

/** Claims that many bytes; returns where they start. */
function take(reading: Reading, count: number, what: string): number {
  const { at, end } = reading;
  if (count > end - at) refuse(reading, `the payload ends inside ${what}`);
  reading.at = at + count;
  return at;
}

/** Reads an integer of up to 64 bits; a bigint if a number cannot hold it exactly. */
function readLong(reading: Reading, what = 'a long'): number | bigint {
  const start = reading.at;
  let exact = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reading.bytes[take(reading, 1, what)] as number;
    if (shift === 63n && byte > 1) break;
    exact |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      const value = exact & 1n ? -(exact >> 1n) - 1n : exact >> 1n;
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
  }
  reading.at = start;
  return refuse(reading, `${what} has more than 64 bits`);
}

/** Reads an integer of up to 32 bits. */
function readInt(reading: Reading): number {
  const value = readLong(reading, 'an int');
  if (value === Number(value) && value === (value | 0)) return value;
  return refuse(reading, `${value} is outside the range of int`);
}

/** Reads the length of something and claims that many bytes; returns where they start. */
function takeLengthOf(reading: Reading, what: string): number {
  const length = readLong(reading, `the length of ${what}`);
  if (length < 0) refuse(reading, `${what} has the length ${length}`);
  const left = reading.end - reading.at;
  if (length > left) refuse(reading, `${what} of ${length} bytes does not fit into the ${left} bytes that are left`);
  return take(reading, Number(length), what);
}

/** Reads an index below `count`. */
function readIndex(reading: Reading, count: number, what: string): number {
  const index = readLong(reading, `the index of a ${what}`);
  if (index >= 0 && index < count) return Number(index);
  return refuse(reading, `there is no ${what} ${index}, only ${count}`);
}

/**
 * Reads the number of items in the next block of an array or map; 0 at its end. The size of a block, which a negative
 * count announces, is checked for range only, as other readers do.
 */
function readCount(reading: Reading): number | bigint {
  const count = readLong(reading, 'a number of items');
  if (count >= 0) return count;
  const size = readLong(reading, 'the size of a block');
  if (size < 0 || size > reading.end - reading.at) refuse(reading, `a block of ${size} bytes is not there`);
  return -count;
}

/** Turns one payload into JSON, or throws PayloadError. */
type DecodeCarefully = (source: ViewedBytes, start: number, end: number, arena: Arena) => void;

/**
 * Creates a decoder that walks through the model of the schema and knows where it is. It is slow; its errors are the
 * ones that people see, and it decodes with schemas that are too large for generated code.
 */
export function carefulDecoder(type: AvroType): DecodeCarefully {
  return ({ bytes, view }, start, end, arena) => {
    const limit = arena.length + mostText(end - start);
    const reading: Reading = { bytes, view, start, at: start, end, arena, limit, path: [] };
    try {
      // Other readers ignore bytes after the value, too.
      readValue(reading, type, 0);
    } catch (error) {
      if (error instanceof RangeError) refuse(reading, 'values are nested too deep');
      throw error;
    }
  };
}

function readValue(reading: Reading, type: AvroType, depth: number): void {
  const { arena, view } = reading;
  if (arena.length > reading.limit) {
    refuse(reading, `the JSON becomes too long for a payload of ${reading.end - reading.start} bytes`);
  }
  switch (type.kind) {
    case 'null':
      appendAscii(arena, 'null');
      break;
    case 'boolean':
      readBoolean(reading);
      break;
    case 'int':
      appendAscii(arena, String(readInt(reading)));
      break;
    case 'long':
      appendAscii(arena, String(readLong(reading)));
      break;
    case 'float':
      appendAscii(arena, floatText(view.getFloat32(take(reading, 4, 'a float'), true)));
      break;
    case 'double':
      appendAscii(arena, doubleText(view.getFloat64(take(reading, 8, 'a double'), true)));
      break;
    case 'string':
      readText(reading);
      break;
    case 'bytes':
      readBytes(reading, takeLengthOf(reading, 'a byte string'), type.decimal);
      break;
    case 'fixed':
      readBytes(reading, take(reading, type.size, `a fixed of ${type.size} bytes`), type.decimal);
      break;
    case 'enum':
      appendText(arena, JSON.stringify(type.symbols[readIndex(reading, type.symbols.length, 'symbol')]));
      break;
    default:
      readContainer(reading, type, depth);
  }
}

function readContainer(reading: Reading, type: RecordType | UnionType | ArrayType | MapType, depth: number): void {
  if (depth >= deepest) refuse(reading, `values are nested deeper than ${deepest} levels`);
  if (type.kind === 'record') readRecord(reading, type, depth + 1);
  else if (type.kind === 'union') readUnion(reading, type, depth + 1);
  else readItems(reading, type, depth + 1);
}

function readBoolean(reading: Reading): void {
  const byte = reading.bytes[take(reading, 1, 'a boolean')];
  if (byte !== 0 && byte !== 1) refuse(reading, `a boolean is 0 or 1, not ${byte}`);
  appendAscii(reading.arena, byte === 1 ? 'true' : 'false');
}

const writeText = jsonTextWriter();

/** Returns where the text starts. */
function readText(reading: Reading): number {
  const start = takeLengthOf(reading, 'a string');
  if (!writeText(reading.arena, reading, start, reading.at - start)) refuse(reading, 'a string is not UTF-8');
  return start;
}

/** Appends a name or symbol, which may have letters of any script. */
function appendText(arena: Arena, text: string): void {
  reserve(arena, text.length * 3);
  arena.length += arena.bytes.write(text, arena.length);
}

function readBytes(reading: Reading, start: number, decimal: Decimal | undefined): void {
  const number = decimal && decimalIn(reading.bytes, start, reading.at - start, decimal.scale);
  if (number !== undefined) {
    appendAscii(reading.arena, number);
    return;
  }
  appendByte(reading.arena, 0x22);
  writeLatin1(reading.arena, reading.bytes, start, reading.at);
  appendByte(reading.arena, 0x22);
}

function readRecord(reading: Reading, { fields }: RecordType, depth: number): void {
  appendByte(reading.arena, 0x7b);
  for (const [index, { name, type }] of fields.entries()) {
    appendText(reading.arena, `${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
    reading.path.push(name);
    readValue(reading, type, depth);
    reading.path.pop();
  }
  appendByte(reading.arena, 0x7d);
}

function readUnion(reading: Reading, { branches }: UnionType, depth: number): void {
  const branch = branches[readIndex(reading, branches.length, 'branch')] as AvroType;
  if (branch.kind === 'null') {
    appendAscii(reading.arena, 'null');
    return;
  }
  const tag = tagOf(branch);
  appendText(reading.arena, `{${JSON.stringify(tag)}:`);
  reading.path.push(tag);
  readValue(reading, branch, depth);
  reading.path.pop();
  appendByte(reading.arena, 0x7d);
}

function readItems(reading: Reading, type: ArrayType | MapType, depth: number): void {
  const { arena } = reading;
  const isArray = type.kind === 'array';
  const keys = isArray ? undefined : new Set<string>();
  let index = 0;
  appendByte(arena, isArray ? 0x5b : 0x7b);
  for (let count = readCount(reading); count > 0; count = readCount(reading)) {
    for (let item = 0; item < count; item++, index++) {
      if (index > 0) appendByte(arena, 0x2c);
      reading.path.push(keys === undefined ? index : readKey(reading, keys));
      readValue(reading, isArray ? type.items : type.values, depth);
      reading.path.pop();
    }
  }
  appendByte(arena, isArray ? 0x5d : 0x7d);
}

/**
 * Reads the key of an entry; returns its beginning for the path. One that is there twice is refused, as in Go's library:
 * readers of JSON would keep only one of the values.
 */
function readKey(reading: Reading, keys: Set<string>): string {
  const start = readText(reading);
  appendByte(reading.arena, 0x3a);
  const name = reading.bytes.toString('utf8', start, Math.min(reading.at, start + 60));
  const key = reading.bytes.toString('latin1', start, reading.at);
  if (keys.has(key)) refuse(reading, `the map has the key ${JSON.stringify(name)} twice`);
  keys.add(key);
  return name;
}
