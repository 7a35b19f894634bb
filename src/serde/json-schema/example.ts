import { isArray, isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { SchemaError } from '../schema.ts';
import type { Validation } from './compile.ts';

/** Deeper levels are only made if they are required, which ends at this depth. */
const mostDepth = 12;
/** The parts that an example may have at most. */
const mostParts = 500;

/**
 * Returns a valid value, made of examples, defaults, constants and enums where the schema has them.
 * @throws SchemaError if none was found; patterns and combinations of conditions can ask for anything
 */
export function exampleOf({ schema, references, check }: Validation): string {
  const maker: Maker = { root: schema as JsonValue, references, parts: mostParts };
  const full = make(maker, schema as JsonValue, 0);
  for (const value of [full, make({ ...maker, parts: 0 }, schema as JsonValue, 0)]) {
    if (value !== undefined && isValid(check, value)) return JSON.stringify(value, null, 2);
  }
  throw new SchemaError('no example could be made that is valid for this schema');
}

function isValid(check: Validation['check'], value: JsonValue): boolean {
  try {
    return check(value) === undefined;
  } catch {
    return false; // it takes too long to find out
  }
}

interface Maker {
  readonly root: JsonValue;
  readonly references: ReadonlyMap<string, unknown>;
  /** When none is left only required properties are made. */
  parts: number;
}

function make(maker: Maker, schema: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (schema === true || schema === undefined) return 'text';
  if (!isObject(schema) || depth > mostDepth) return undefined;
  maker.parts--;
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const target = typeof schema.$ref === 'string' ? resolve(maker, schema.$ref) : undefined;
  if (target !== undefined) return make(maker, target, depth + 1);
  const combined = combine(maker, schema);
  if (combined !== schema) return make(maker, combined, depth + 1);
  return ofType(maker, schema, depth);
}

function givenValue({ examples, default: fallback, const: constant, enum: values }: JsonObject): JsonValue | undefined {
  if (constant !== undefined) return constant;
  if (isArray(examples) && examples.length > 0) return examples[0];
  if (fallback !== undefined) return fallback;
  return isArray(values) ? values[0] : undefined;
}

/** Merges the first alternative and all parts of `allOf` into the schema. */
function combine(maker: Maker, schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const parts = [
    ...(isArray(allOf) ? allOf : []),
    ...[anyOf, oneOf].flatMap((one) => (isArray(one) ? one.slice(0, 1) : [])),
  ];
  if (parts.length === 0) return schema;
  let merged: JsonObject = rest;
  for (const part of parts) {
    const resolved = isObject(part) && typeof part.$ref === 'string' ? resolve(maker, part.$ref) : part;
    if (!isObject(resolved)) continue;
    merged = {
      ...merged,
      ...resolved,
      properties: { ...objectOf(merged.properties), ...objectOf(resolved.properties) },
      required: [...arrayOf(merged.required), ...arrayOf(resolved.required)],
    };
  }
  return merged;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

/** Resolves a JSON pointer, alone or after the name of a reference. */
function resolve({ root, references }: Maker, target: string): JsonValue | undefined {
  const [name = '', pointer = ''] = target.split('#', 2);
  let place = (name === '' ? root : references.get(name)) as JsonValue | undefined;
  for (const step of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    place = isArray(place) ? place[Number(key)] : isObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}

function ofType(maker: Maker, schema: JsonObject, depth: number): JsonValue | undefined {
  const type = isArray(schema.type) ? schema.type[0] : (schema.type ?? impliedType(schema));
  if (type === 'object') return ofObject(maker, schema, depth);
  if (type === 'array') return ofArray(maker, schema, depth);
  if (type === 'number' || type === 'integer') return ofNumber(schema, type);
  if (type === 'boolean') return true;
  return type === 'null' ? null : ofText(schema);
}

function impliedType(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : 'string';
}

function ofObject(maker: Maker, schema: JsonObject, depth: number): JsonValue | undefined {
  const required = new Set(arrayOf(schema.required));
  const properties = objectOf(schema.properties);
  const entries: [string, JsonValue][] = [];
  for (const key of new Set([...Object.keys(properties), ...required].map(String))) {
    const isRequired = required.has(key);
    if (!isRequired && (maker.parts <= 0 || depth > 4)) continue;
    const value = make(maker, Object.hasOwn(properties, key) ? properties[key] : undefined, depth + 1);
    if (value !== undefined) entries.push([key, value]);
    else if (isRequired) return undefined;
  }
  return Object.fromEntries(entries);
}

function ofArray(maker: Maker, schema: JsonObject, depth: number): JsonValue | undefined {
  const tuple = arrayOf(schema.prefixItems ?? schema.items);
  const first = tuple.map((item) => make(maker, item, depth + 1));
  const least = Math.min(Number(schema.minItems ?? 1), 100);
  const items = [...first];
  while (items.length < least) items.push(make(maker, isArray(schema.items) ? undefined : schema.items, depth + 1));
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
