import { isObject } from '../../shape/object.ts';
import { isArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { nearestHint } from '../json/nearest-name.ts';
import { appendFallback, type Fallbacks } from './fallback.ts';
import {
  type ArrayType,
  type AvroType,
  describe,
  type FixedType,
  type MapType,
  type PrimitiveType,
  type RecordType,
  tagOf,
  type UnionType,
} from './model.ts';
import {
  appendText,
  decimalWriter,
  enumWriter,
  fixedWriter,
  floatingOf,
  isBytes,
  isInt,
  isLong,
  writePrimitive,
} from './write-scalars.ts';
import { appendLong, enter, mismatch, type Write, type Writing, writePart } from './writing.ts';

/** The writers of the records of a schema, which may contain themselves. */
export interface RecordWriters {
  readonly made: Map<RecordType, Write>;
  /** What is left to do for the fields of records; not done at once, because chains of records can be long. */
  readonly rest: (() => void)[];
  readonly fallbacks: Fallbacks;
}

/** Creates the writer of a type. */
export function writerOf(type: AvroType, records: RecordWriters): Write {
  switch (type.kind) {
    case 'record':
      return records.made.get(type) ?? recordWriter(type, records);
    case 'union':
      return unionWriter(type, records);
    case 'array':
      return arrayWriter(type, records);
    case 'map':
      return mapWriter(type, records);
    case 'fixed':
      return type.decimal === undefined ? fixedWriter(type) : decimalWriter(type.decimal, fixedWriter(type), type.size);
    case 'bytes':
      return type.decimal === undefined ? writePrimitive.bytes : decimalWriter(type.decimal, writePrimitive.bytes);
    case 'enum':
      return enumWriter(type);
  }
  return writePrimitive[type.kind];
}

function recordWriter(type: RecordType, records: RecordWriters): Write {
  const writers: Write[] = [];
  const write: Write = (value, writing) => {
    if (!isObject(value)) return mismatch(writing, describe(type), value);
    enter(writing, value);
    const keys = Object.keys(value).length;
    let present = 0;
    for (const [index, field] of type.fields.entries()) {
      const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (given !== undefined) {
        present++;
        writePart(writing, field.name, given, writers[index] as Write);
      } else if (field.fallback !== undefined)
        appendFallback(writing, field, writers[index] as Write, records.fallbacks);
      else {
        refuseUnknown(type, value, writing);
        writing.path.push(field.name);
        mismatch(writing, describe(field.type), undefined);
      }
    }
    if (present < keys) refuseUnknown(type, value, writing);
    writing.keys += keys;
    writing.depth--;
  };
  records.made.set(type, write);
  records.rest.push(() => {
    for (const field of type.fields) writers.push(writerOf(field.type, records));
  });
  return write;
}

/** Throws the error for the first key that is not a field, if there is one. */
function refuseUnknown({ name, fields }: RecordType, value: JsonObject, writing: Writing): void {
  const names = new Set(fields.map((field) => field.name));
  const unknown = Object.keys(value).find((key) => !names.has(key));
  if (unknown === undefined) return;
  const absent = [...names].filter((one) => !Object.hasOwn(value, one));
  writing.path.push(unknown);
  mismatch(writing, `a field of record ${name}${nearestHint(unknown, absent)}`, null, 'an unknown one');
}

function arrayWriter({ items }: ArrayType, records: RecordWriters): Write {
  const write = writerOf(items, records);
  return (value, writing) => {
    if (!isArray(value)) return mismatch(writing, 'array', value);
    enter(writing, value);
    if (value.length > 0) appendLong(writing.arena, value.length);
    for (const [index, item] of value.entries()) writePart(writing, index, item, write);
    appendLong(writing.arena, 0);
    writing.depth--;
  };
}

function mapWriter({ values }: MapType, records: RecordWriters): Write {
  const write = writerOf(values, records);
  return (value, writing) => {
    if (!isObject(value)) return mismatch(writing, 'map', value);
    enter(writing, value);
    const entries = Object.entries(value);
    if (entries.length > 0) appendLong(writing.arena, entries.length);
    for (const [key, inner] of entries) {
      appendText(key, writing);
      writePart(writing, key, inner, write);
    }
    appendLong(writing.arena, 0);
    writing.keys += entries.length;
    writing.depth--;
  };
}

function unionWriter(type: UnionType, records: RecordWriters): Write {
  const writers = type.branches.map((branch) => writerOf(branch, records));
  const tags = tagsOf(type);
  return (value, writing) => {
    enter(writing, value);
    const tag = writing.isDefault ? undefined : tagIn(value, tags);
    const index = tag === undefined ? branchOf(type, value, writing) : (tags.get(tag) as number);
    appendLong(writing.arena, index);
    if (tag === undefined) (writers[index] as Write)(value, writing);
    else {
      writing.keys++;
      writePart(writing, tag, (value as JsonObject)[tag] as JsonValue, writers[index] as Write);
    }
    writing.depth--;
  };
}

/** The indexes of branches by their tags, and by the ones that Go's library has for logical types: `long.timestamp-millis`. */
function tagsOf({ branches }: UnionType): ReadonlyMap<string, number> {
  const tags = new Map(branches.map((branch, index) => [tagOf(branch), index]));
  for (const [index, branch] of branches.entries()) {
    const { kind, logicalType } = { logicalType: undefined, ...branch };
    const other = `${kind}.${logicalType}`;
    if (logicalType !== undefined && !tags.has(other)) tags.set(other, index);
  }
  return tags;
}

/** Returns the tag of a value that has one. */
function tagIn(value: JsonValue, tags: ReadonlyMap<string, number>): string | undefined {
  if (!isObject(value)) return undefined;
  const [key, second] = Object.keys(value);
  return key !== undefined && second === undefined && key !== 'null' && tags.has(key) ? key : undefined;
}

/** Returns the index of the only branch that can take a value without a tag; in a default, of the first one. */
function branchOf(type: UnionType, value: JsonValue, writing: Writing): number {
  const { branches } = type;
  const index = branches.findIndex((branch) => takes(branch, value));
  const [first, second] = writing.isDefault ? [branches[index]] : branches.filter((branch) => takes(branch, value));
  if (first === undefined) return mismatch(writing, describe(type), value);
  if (second === undefined) return index;
  const tags = [first, second].map((branch) => `{"${tagOf(branch)}": …}`);
  return mismatch(writing, tags.join(' or '), value);
}

/**
 * Checks whether a branch of a union can take a value without a tag. Only the value itself and the keys of an object
 * count, not what is inside, so that nested unions cannot make this slow.
 */
function takes(type: AvroType, value: JsonValue): boolean {
  switch (type.kind) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'int':
      return isInt(value);
    case 'long':
      return isLong(value);
    case 'float':
    case 'double':
      return floatingOf(value) !== undefined;
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return isBytes(value) || isDecimal(type, value);
    case 'fixed':
      return (isBytes(value) && value.length === type.size) || isDecimal(type, value);
    case 'enum':
      return typeof value === 'string' && type.symbols.includes(value);
    case 'array':
      return isArray(value);
    case 'map':
      return isObject(value);
    case 'record':
      return isObject(value) && hasFields(type, Object.keys(value));
    case 'union':
      return false;
  }
}

function isDecimal({ decimal }: PrimitiveType | FixedType, value: JsonValue): boolean {
  return decimal !== undefined && (typeof value === 'number' || typeof value === 'bigint');
}

function hasFields({ fields }: RecordType, keys: readonly string[]): boolean {
  const given = new Set(keys);
  const count = fields.filter(({ name }) => given.has(name)).length;
  return count === given.size && fields.every(({ name, fallback }) => given.has(name) || fallback !== undefined);
}
