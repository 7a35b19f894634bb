import { isObject } from '../../shape/object.ts';
import { numberFor, textFor } from '../example-names.ts';
import { isArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { below, pick, type Random } from '../random.ts';
import { SchemaError } from '../schema.ts';
import type { Validation } from './compile.ts';
import type { Library, Resource, Subschema } from './library.ts';
import { TooManySteps, Undecided } from './run.ts';

/** Deeper levels are only made if they are required, which ends at this depth. */
const mostDepth = 12;
/** The parts that an example may have at most, apart from required ones. */
const mostParts = 500;
/** The work for one example, in characters of names and values and in properties that are merged. */
const mostWork = 1_000_000;

/** How many random values may be invalid before the one that is always the same is taken. */
const randomTries = 5;

/**
 * Returns a valid value, made of examples, defaults, constants and enums where the schema has them.
 * @param random chooses the values, and which optional properties are there
 * @throws SchemaError if none was found; patterns and combinations of conditions can ask for anything
 */
export function exampleOf({ library, check }: Validation, random?: Random): string {
  const tries = Array.from({ length: random === undefined ? 0 : randomTries }, () => ({ parts: mostParts, random }));
  for (const limits of [...tries, { parts: mostParts }, { parts: 0 }]) {
    const text = tried(() => {
      const value = make({ library, work: mostWork, name: '', ...limits }, library.root, 0);
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
  /** The name of the property that is being made. */
  name: string;
  /** Undefined if the example is always the same. */
  readonly random?: Random | undefined;
}

function spend(maker: Maker, work: number): void {
  maker.work -= work;
  if (maker.work < 0) throw new TooManySteps();
}

/** A schema that may be merged from several, in the resource that its references mean. */
interface ObjectSchema extends Subschema {
  readonly schema: JsonObject;
}

function make(maker: Maker, { schema, resource }: Subschema, depth: number): JsonValue | undefined {
  spend(maker, 1);
  if (schema === true) return plainText(maker);
  if (!isObject(schema) || depth > mostDepth) return undefined;
  maker.parts--;
  const given = givenValue(schema, maker.random);
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
  return make(maker, maker.library.subschemaOf(schema ?? true, outer), depth);
}

function givenValue(schema: JsonObject, random: Random | undefined): JsonValue | undefined {
  const { examples, default: fallback, const: constant, enum: values } = schema;
  if (constant !== undefined) return constant;
  if (isArray(examples) && examples.length > 0) return pick(examples, random);
  if (random !== undefined && isArray(values)) return pick(values, random);
  if (fallback !== undefined) return fallback;
  return isArray(values) ? values[0] : undefined;
}

/** Merges one alternative and all parts of `allOf` into the schema. */
function combine(maker: Maker, { schema, resource }: ObjectSchema): JsonObject {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const alternatives = [arrayOf(anyOf), arrayOf(oneOf)].flatMap((all) => pick(all, maker.random) ?? []);
  const parts = [...arrayOf(allOf), ...alternatives];
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

function ofType(maker: Maker, subschema: ObjectSchema, depth: number): JsonValue | undefined {
  const { schema } = subschema;
  const type = isArray(schema.type) ? schema.type[0] : (schema.type ?? impliedType(schema));
  if (type === 'object') return ofObject(maker, subschema, depth);
  if (type === 'array') return ofArray(maker, subschema, depth);
  if (type === 'number' || type === 'integer') return ofNumber(maker, schema, type);
  if (type === 'boolean') return maker.random === undefined || maker.random() < 0.5;
  if (type === 'null') return null;
  const text = ofText(maker, schema);
  spend(maker, text.length);
  return text;
}

function impliedType(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  return schema.minimum !== undefined || schema.maximum !== undefined ? 'number' : 'string';
}

function ofObject(maker: Maker, { schema, resource }: ObjectSchema, depth: number): JsonValue | undefined {
  const required = new Set(arrayOf(schema.required));
  const properties = objectOf(schema.properties);
  const entries: [string, JsonValue][] = [];
  for (const key of new Set([...Object.keys(properties), ...required].map(String))) {
    const isRequired = required.has(key);
    if (!isRequired && (maker.parts <= 0 || depth > 4 || isLeftOut(maker))) continue;
    spend(maker, key.length);
    maker.name = key;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const value = makeInner(maker, [property, resource], depth + 1);
    if (value !== undefined) entries.push([key, value]);
    else if (isRequired) return undefined;
  }
  return Object.fromEntries(entries);
}

function isLeftOut({ random }: Maker): boolean {
  return random !== undefined && random() < 1 / 8;
}

function ofArray(maker: Maker, { schema, resource }: ObjectSchema, depth: number): JsonValue | undefined {
  const tuple = arrayOf(schema.prefixItems ?? schema.items);
  const first = tuple.map((item) => makeInner(maker, [item, resource], depth + 1));
  const least = leastItems(maker, schema);
  const items = [...first];
  const rest = isArray(schema.items) ? undefined : schema.items;
  while (items.length < least) items.push(makeInner(maker, [rest, resource], depth + 1));
  const made = items.filter((item) => item !== undefined);
  return made.length === items.length || schema.minItems === undefined ? made : undefined;
}

/** The fewest items, or a random number of up to two more. */
function leastItems({ random }: Maker, { minItems, maxItems }: JsonObject): number {
  if (random === undefined) return Math.min(Number(minItems ?? 1), 100);
  const least = Math.min(Number(minItems ?? 0), 100);
  return Math.min(least + below(random, 3), Number(maxItems ?? Number.POSITIVE_INFINITY));
}

function ofNumber(maker: Maker, schema: JsonObject, type: string): number {
  const limits = {
    least: Number(schema.minimum ?? schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY),
    most: Number(schema.maximum ?? schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY),
    step: Number(schema.multipleOf ?? 1),
  };
  return maker.random === undefined ? firstNumber(schema, type, limits) : randomNumber(maker, type, limits);
}

interface Limits {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

function firstNumber(schema: JsonObject, type: string, { least, most, step }: Limits): number {
  const isExclusive = schema.exclusiveMinimum !== undefined;
  if (least <= 1 && most >= 1 && !isExclusive && step === 1) return 1;
  if (!Number.isFinite(least)) {
    return most > step ? step : Math.floor(most / step) * step - (schema.exclusiveMaximum === undefined ? 0 : step);
  }
  const lowest = Math.ceil(least / step) * step;
  const isAbove = isExclusive && lowest <= least;
  const first = isAbove ? lowest + step : lowest;
  const fits = isAbove ? first < most : first <= most;
  return fits || type === 'integer' ? first : (least + most) / 2;
}

/** A number that suits the name, or one within the limits. Those that exclude it make the value invalid. */
function randomNumber({ name, random = () => 0 }: Maker, type: string, { least, most, step }: Limits): number {
  const named = Number(numberFor(name, random) ?? Number.NaN);
  const suits = type === 'integer' ? Math.round(named) : named;
  if (suits >= least && suits <= most && step === 1) return suits;
  const from = Number.isFinite(least) ? Math.ceil(least / step) : Math.min(0, Math.floor(most / step) - 1000);
  const to = Number.isFinite(most) ? Math.floor(most / step) : from + 1000;
  return (from + below(random, to - from + 1)) * step;
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

function plainText({ name, random }: Maker): string {
  return random === undefined ? 'text' : textFor(name, random);
}

/** Formats of which any text for such a name is one. */
const namedFormats: Readonly<Record<string, string>> = {
  email: 'email',
  hostname: 'host',
  uri: 'url',
  uuid: 'uuid',
  'date-time': 'time',
};

function ofText(maker: Maker, { format, minLength, maxLength }: JsonObject): string {
  if (typeof format === 'string' && Object.hasOwn(formats, format)) {
    const name = maker.random === undefined ? undefined : namedFormats[format];
    return name === undefined ? (formats[format] as string) : textFor(name, maker.random);
  }
  const least = Math.min(Number(minLength ?? 0), 1000);
  return plainText(maker)
    .padEnd(least, 'x')
    .slice(0, Math.max(Number(maxLength ?? Number.POSITIVE_INFINITY), least));
}
