import { isObject } from '../../shape/object.ts';
import { isArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { SchemaError } from '../schema.ts';
import type { Validation } from './compile.ts';
import type { Library, Place, Resource } from './library.ts';
import { TooManySteps, Undecided } from './run.ts';

/** Deeper levels are only made if they are required, which ends at this depth. */
const mostDepth = 12;
/** The parts that an example may have at most, apart from required ones. */
const mostParts = 500;
/** The work for one example, in characters of names and values and in properties that are merged. */
const mostWork = 1_000_000;

/**
 * Returns a valid value, made of examples, defaults, constants and enums where the schema has them.
 * @throws SchemaError if none was found; patterns and combinations of conditions can ask for anything
 */
export function exampleOf({ library, check }: Validation): string {
  for (const parts of [mostParts, 0]) {
    const text = tried(() => {
      const value = make({ library, parts, work: mostWork }, library.root, 0);
      if (value === undefined) return undefined;
      const json = JSON.stringify(value, null, 2);
      return check(value, json.length) === undefined ? json : undefined;
    });
    if (text !== undefined) return text;
  }
  throw new SchemaError('no example could be made that is valid for this schema');
}

function tried(makeText: () => string | undefined): string | undefined {
  try {
    return makeText();
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof Undecided || error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Maker {
  readonly library: Library;
  /** When none is left only required properties are made. */
  parts: number;
  /** When none is left making ends. */
  work: number;
}

function spend(maker: Maker, work: number): void {
  maker.work -= work;
  if (maker.work < 0) throw new TooManySteps();
}

/** A schema that may be merged from several, in the resource that its references mean. */
interface Made extends Place {
  readonly schema: JsonObject;
}

function make(maker: Maker, { schema, resource }: Place, depth: number): JsonValue | undefined {
  spend(maker, 1);
  if (schema === true) return 'text';
  if (!isObject(schema) || depth > mostDepth) return undefined;
  maker.parts--;
  const given = givenValue(schema);
  if (given !== undefined) {
    spend(maker, JSON.stringify(given).length);
    return given;
  }
  const target = typeof schema.$ref === 'string' ? maker.library.find(schema.$ref, resource) : undefined;
  if (target !== undefined) return make(maker, target, depth + 1);
  const combined = combine(maker, { schema, resource });
  if (combined !== schema) return make(maker, { schema: combined, resource }, depth + 1);
  return ofType(maker, { schema, resource }, depth);
}

/** Makes a value for a schema within another one; anything will do without one. */
function makeInner(maker: Maker, [schema, outer]: readonly [JsonValue | undefined, Resource], depth: number) {
  return make(maker, maker.library.placeOf(schema ?? true, outer), depth);
}

function givenValue({ examples, default: fallback, const: constant, enum: values }: JsonObject): JsonValue | undefined {
  if (constant !== undefined) return constant;
  if (isArray(examples) && examples.length > 0) return examples[0];
  if (fallback !== undefined) return fallback;
  return isArray(values) ? values[0] : undefined;
}

/** Merges the first alternative and all parts of `allOf` into the schema. */
function combine(maker: Maker, { schema, resource }: Made): JsonObject {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const parts = [...arrayOf(allOf), ...arrayOf(anyOf).slice(0, 1), ...arrayOf(oneOf).slice(0, 1)];
  if (parts.length === 0) return schema;
  let merged: JsonObject = rest;
  for (const part of parts) {
    const isReference = isObject(part) && typeof part.$ref === 'string';
    const resolved = isReference ? maker.library.find(String(part.$ref), resource)?.schema : part;
    if (!isObject(resolved)) continue;
    const properties = { ...objectOf(merged.properties), ...objectOf(resolved.properties) };
    const required = [...arrayOf(merged.required), ...arrayOf(resolved.required)];
    spend(maker, Object.keys(properties).length + required.length);
    merged = { ...merged, ...resolved, properties, required };
  }
  return merged;
}
function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

function ofType(maker: Maker, place: Made, depth: number): JsonValue | undefined {
  const { schema } = place;
  const type = isArray(schema.type) ? schema.type[0] : (schema.type ?? impliedType(schema));
  if (type === 'object') return ofObject(maker, place, depth);
  if (type === 'array') return ofArray(maker, place, depth);
  if (type === 'number' || type === 'integer') return ofNumber(schema, type);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const text = ofText(schema);
  spend(maker, text.length);
  return text;
}

function impliedType(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : 'string';
}

function ofObject(maker: Maker, { schema, resource }: Made, depth: number): JsonValue | undefined {
  const required = new Set(arrayOf(schema.required));
  const properties = objectOf(schema.properties);
  const entries: [string, JsonValue][] = [];
  for (const key of new Set([...Object.keys(properties), ...required].map(String))) {
    const isRequired = required.has(key);
    if (!isRequired && (maker.parts <= 0 || depth > 4)) continue;
    spend(maker, key.length);
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const value = makeInner(maker, [property, resource], depth + 1);
    if (value !== undefined) entries.push([key, value]);
    else if (isRequired) return undefined;
  }
  return Object.fromEntries(entries);
}

function ofArray(maker: Maker, { schema, resource }: Made, depth: number): JsonValue | undefined {
  const tuple = arrayOf(schema.prefixItems ?? schema.items);
  const first = tuple.map((item) => makeInner(maker, [item, resource], depth + 1));
  const least = Math.min(Number(schema.minItems ?? 1), 100);
  const items = [...first];
  const rest = isArray(schema.items) ? undefined : schema.items;
  while (items.length < least) items.push(makeInner(maker, [rest, resource], depth + 1));
  const made = items.filter((item) => item !== undefined);
  return made.length === items.length || schema.minItems === undefined ? made : undefined;
}

function ofNumber(schema: JsonObject, type: string): number {
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const most = Number(schema.maximum ?? schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const step = Number(schema.multipleOf ?? 1);
  const isExclusive = schema.exclusiveMinimum !== undefined;
  if (least <= 1 && most >= 1 && !isExclusive && step === 1) return 1;
  if (Number.isFinite(least)) {
    const next = Math.ceil(least / step) * step;
    if (next > least || !isExclusive) return next <= most || type === 'integer' ? next : (least + most) / 2;
    return next + step < most || type === 'integer' ? next + step : (least + most) / 2;
  }
  return most > step ? step : Math.floor(most / step) * step - (schema.exclusiveMaximum === undefined ? 0 : step);
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'PT1H30M',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/key',
  regex: '^text$',
};

function ofText({ format, minLength, maxLength }: JsonObject): string {
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] as string;
  const least = Math.min(Number(minLength ?? 0), 1000);
  return 'text'.padEnd(least, 'x').slice(0, Math.max(Number(maxLength ?? Number.POSITIVE_INFINITY), least));
}
