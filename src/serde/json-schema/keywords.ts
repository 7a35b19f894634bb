import { isObject } from '../../shape/object.ts';
import { isArray, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { Draft } from './drafts.ts';

/** What a keyword may be set to. */
type Shape =
  | 'any'
  | 'array'
  | 'boolean'
  | 'count'
  | 'names'
  | 'names by name'
  | 'number'
  | 'positive'
  | 'schema'
  | 'schema or schemas'
  | 'schemas'
  | 'schemas by name'
  | 'schemas or names by name'
  | 'text'
  | 'types';

/** The keywords, with the first and the last draft in which each means something. */
const keywords: readonly (readonly [name: string, shape: Shape, from: Draft, to: Draft])[] = [
  ['$ref', 'text', 4, 2020],
  ['$recursiveRef', 'text', 2019, 2019],
  ['$dynamicRef', 'text', 2020, 2020],
  ['type', 'types', 4, 2020],
  ['enum', 'array', 4, 2020],
  ['const', 'any', 6, 2020],
  ['minimum', 'number', 4, 2020],
  ['maximum', 'number', 4, 2020],
  ['exclusiveMinimum', 'boolean', 4, 4],
  ['exclusiveMaximum', 'boolean', 4, 4],
  ['exclusiveMinimum', 'number', 6, 2020],
  ['exclusiveMaximum', 'number', 6, 2020],
  ['multipleOf', 'positive', 4, 2020],
  ['minLength', 'count', 4, 2020],
  ['maxLength', 'count', 4, 2020],
  ['pattern', 'text', 4, 2020],
  // From 2019-09 on a note for people only.
  ['format', 'text', 4, 7],
  ['minItems', 'count', 4, 2020],
  ['maxItems', 'count', 4, 2020],
  ['uniqueItems', 'boolean', 4, 2020],
  ['items', 'schema or schemas', 4, 2019],
  ['additionalItems', 'schema', 4, 2019],
  ['prefixItems', 'schemas', 2020, 2020],
  ['items', 'schema', 2020, 2020],
  ['contains', 'schema', 6, 2020],
  ['minContains', 'count', 2019, 2020],
  ['maxContains', 'count', 2019, 2020],
  ['unevaluatedItems', 'schema', 2019, 2020],
  ['minProperties', 'count', 4, 2020],
  ['maxProperties', 'count', 4, 2020],
  ['required', 'names', 4, 2020],
  ['dependentRequired', 'names by name', 2019, 2020],
  ['properties', 'schemas by name', 4, 2020],
  ['patternProperties', 'schemas by name', 4, 2020],
  ['additionalProperties', 'schema', 4, 2020],
  ['propertyNames', 'schema', 6, 2020],
  // 2019-09 and 2020-12 have it in their meta-schemas, for the schemas of earlier drafts.
  ['dependencies', 'schemas or names by name', 4, 2020],
  ['dependentSchemas', 'schemas by name', 2019, 2020],
  ['unevaluatedProperties', 'schema', 2019, 2020],
  ['allOf', 'schemas', 4, 2020],
  ['anyOf', 'schemas', 4, 2020],
  ['oneOf', 'schemas', 4, 2020],
  ['not', 'schema', 4, 2020],
  ['if', 'schema', 7, 2020],
  ['then', 'schema', 7, 2020],
  ['else', 'schema', 7, 2020],
  ['definitions', 'schemas by name', 4, 2020],
  ['$defs', 'schemas by name', 2019, 2020],
];

const keywordsOfDrafts = new Map<Draft, ReadonlyMap<string, Shape>>();

function keywordsOf(draft: Draft): ReadonlyMap<string, Shape> {
  const cached = keywordsOfDrafts.get(draft);
  if (cached !== undefined) return cached;
  const those = keywords.filter(([, , from, to]) => draft >= from && draft <= to);
  const made = new Map(those.map(([name, shape]) => [name, shape]));
  keywordsOfDrafts.set(draft, made);
  return made;
}

/** Returns the keywords of a schema that mean something in the draft: up to draft 7 nothing does next to `$ref`. */
export function effective(schema: JsonObject, draft: Draft): JsonObject {
  return draft <= 7 && typeof schema.$ref === 'string' ? { $ref: schema.$ref } : schema;
}

/** A schema within another one, and the steps to it. */
export interface Inner {
  readonly schema: JsonValue;
  readonly steps: readonly string[];
}

/**
 * Returns the schemas directly within one, by its keywords.
 * @throws Misshapen if a keyword is set to something else than the draft has for it
 */
export function innerSchemas(schema: JsonObject, draft: Draft): readonly Inner[] {
  const shapes = keywordsOf(draft);
  const inner: Inner[] = [];
  const isReference = draft <= 7 && typeof schema.$ref === 'string';
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapes.get(keyword);
    // Definitions stay within reach of references, also next to `$ref`.
    if (shape === undefined || (isReference && keyword !== '$ref' && keyword !== 'definitions')) continue;
    const expected = expectations[shape];
    if (!expected.test(value)) throw new Misshapen(keyword, expected.text);
    for (const { schema: one, steps } of expected.inner?.(value) ?? []) {
      inner.push({ schema: one, steps: [keyword, ...steps] });
    }
  }
  return inner;
}

/** Thrown for a keyword with a value that it cannot have. */
export class Misshapen extends Error {
  readonly keyword: string;

  constructor(keyword: string, expected: string) {
    super(`must be ${expected}`);
    this.keyword = keyword;
  }
}

interface Expectation {
  readonly text: string;
  test(value: JsonValue): boolean;
  inner?(value: JsonValue): readonly Inner[];
}

const types: ReadonlySet<JsonValue> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);
const isSchema = (value: JsonValue) => typeof value === 'boolean' || isObject(value);
const isText = (value: JsonValue) => typeof value === 'string';
const areNames = (value: JsonValue) => isArray(value) && value.every(isText);
const areSchemas = (value: JsonValue) => isArray(value) && value.length > 0 && value.every(isSchema);
const isMapOf = (isRight: (value: JsonValue) => boolean) => (value: JsonValue) =>
  isObject(value) && Object.values(value).every(isRight);
const members = (value: JsonValue) =>
  Object.entries(value as JsonObject).map(([name, schema]) => ({ schema, steps: [name] }));

const expectations: Readonly<Record<Shape, Expectation>> = {
  any: { text: 'anything', test: () => true },
  array: { text: 'an array', test: isArray },
  boolean: { text: 'a boolean', test: (value) => typeof value === 'boolean' },
  count: { text: 'an integer that is not negative', test: (value) => Number.isInteger(value) && Number(value) >= 0 },
  names: { text: 'an array of strings', test: areNames },
  'names by name': { text: 'an object of arrays of strings', test: isMapOf(areNames) },
  number: { text: 'a number', test: (value) => typeof value === 'number' },
  positive: { text: 'a number above 0', test: (value) => typeof value === 'number' && value > 0 },
  schema: { text: 'a schema', test: isSchema, inner: (schema) => [{ schema, steps: [] }] },
  'schema or schemas': {
    text: 'a schema, or an array of schemas',
    test: (value) => isSchema(value) || (isArray(value) && value.every(isSchema)),
    inner: (value) => (isArray(value) ? members(value as unknown as JsonObject) : [{ schema: value, steps: [] }]),
  },
  schemas: { text: 'an array of schemas', test: areSchemas, inner: members },
  'schemas by name': { text: 'an object of schemas', test: isMapOf(isSchema), inner: members },
  'schemas or names by name': {
    text: 'an object of schemas and of arrays of strings',
    test: isMapOf((value) => isSchema(value) || areNames(value)),
    inner: (value) => members(value).filter(({ schema }) => isSchema(schema)),
  },
  text: { text: 'a string', test: isText },
  types: {
    text: 'a type, or an array of types',
    test: (value) => types.has(value) || (isArray(value) && value.every((one) => types.has(one))),
  },
};
