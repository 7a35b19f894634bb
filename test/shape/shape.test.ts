import { expect, test } from 'vitest';
import { jsonSchemaOf } from '../../src/shape/json-schema.ts';
import {
  always,
  anything,
  converted,
  described,
  either,
  exact,
  filled,
  int32From,
  int64,
  leftOut,
  listOf,
  Misfit,
  mapOf,
  maybe,
  measure,
  object,
  openRow,
  read,
  row,
  type Shape,
  string,
  truth,
  whole,
  word,
} from '../../src/shape/shape.ts';

const part = row({ id: whole, lag: maybe(measure) });
const whole1 = row({
  name: string,
  kind: word('a', 'b'),
  on: truth,
  note: maybe(filled),
  big: exact,
  parts: listOf(part),
});
const given = { name: 'x', kind: 'a', on: true, note: 'n', big: 2n ** 60n, parts: [{ id: 1, lag: 0.5 }] };

function placeOf(shape: Shape<unknown>, value: unknown): string | undefined {
  try {
    read(shape, value);
  } catch (error) {
    if (error instanceof Misfit) return error.place;
    throw error;
  }
  return undefined;
}

test('a value is read as declared, without what is not declared', () => {
  expect(read(whole1, { ...given, more: 1, parts: [{ id: 1, lag: 0.5, other: 'x' }] })).toEqual(given);
});

test.each<[string, Shape<unknown>, unknown, unknown]>([
  ['a list that is left out', listOf(whole), undefined, []],
  ['a list that is null', listOf(whole), null, []],
  ['what is left out', maybe(string), undefined, null],
  ['null', maybe(string), null, null],
  ['another form', maybe(whole), 'x', null],
  ['a row with a field of another form', maybe(part), { id: 'x' }, null],
  ['an empty text', maybe(filled), '', null],
  ['an empty text that may be empty', maybe(string), '', ''],
  ['false', maybe(truth), false, false],
  ['0', maybe(measure), 0, 0],
  ['a number that a whole number beyond 2^53 is', exact, 5, 5],
  ['the largest int32', int32From(0), 2 ** 31 - 1, 2 ** 31 - 1],
  ['any field of an object', object, { constructor: 1, a: [] }, { constructor: 1, a: [] }],
  ['what is converted', converted(String, string), 5, '5'],
  ['what is converted, left out', row({ a: converted(String, string) }), {}, { a: 'null' }],
])('%s is tolerated', (_, shape, value, expected) => {
  expect(read(shape, value)).toEqual(expected);
});

test.each<[string, Shape<unknown>, unknown, string]>([
  ['a text for a row', whole1, 'x', ''],
  ['a list for a row', whole1, [], ''],
  ['null for a row', whole1, null, ''],
  ['a text for a list', listOf(part), 'x', ''],
  ['a field of another type', whole1, { ...given, on: 'yes' }, 'on'],
  ['a field that is left out', whole1, { ...given, name: undefined }, 'name'],
  ['an unknown word', whole1, { ...given, kind: 'c' }, 'kind'],
  ['a number with decimals', part, { id: 1.5 }, 'id'],
  ['a number that is none', measure, Number.NaN, ''],
  ['a text for a number', whole1, { ...given, big: '5' }, 'big'],
  ['a number below the least', int32From(1), 0, ''],
  ['a number that does not fit an int32', int32From(1), 2 ** 31, ''],
  ['a number with decimals for an int32', int32From(1), 1.5, ''],
  ['a list for an object', object, [], ''],
  ['null for an object', object, null, ''],
  ['what a conversion makes of it', converted(Number, whole), 'x', ''],
  ['the second part', whole1, { ...given, parts: [{ id: 1 }, { lag: 1 }] }, 'parts.1.id'],
])('%s is refused, with its place', (_, shape, value, place) => {
  expect(placeOf(shape, value)).toBe(place);
});

test('the JSON Schema has every field, and no others', () => {
  const lag = { anyOf: [{ type: 'number' }, { type: 'null' }] };
  const closed = { additionalProperties: false };
  const properties = {
    id: { type: 'integer', description: 'of the part' },
    kind: { type: 'string', enum: ['a'] },
    lag,
  };
  const shape = listOf(row({ id: described(whole, 'of the part'), kind: word('a'), lag: maybe(measure) }));
  expect(jsonSchemaOf(shape)).toEqual({
    type: 'array',
    items: { type: 'object', properties, required: ['id', 'kind', 'lag'], ...closed },
  });
});

test.each<[string, Shape<unknown>, unknown]>([
  [
    'what may be left out',
    row({ a: leftOut(whole), b: filled }),
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['b'],
      additionalProperties: false,
    },
  ],
  [
    'what is converted, an int32 and an object with any fields',
    row({ a: converted(String, string), b: int32From(1), c: maybe(object) }),
    {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'integer' },
        c: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      },
      required: ['a', 'b', 'c'],
      additionalProperties: false,
    },
  ],
  [
    'fields that are kept',
    openRow({ a: measure }),
    {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: true,
    },
  ],
  [
    'whole numbers of 64 bits',
    listOf(either(int64, exact)),
    {
      type: 'array',
      items: { anyOf: [{ type: 'integer' }, { type: 'integer' }] },
    },
  ],
  [
    'any keys',
    maybe(mapOf(truth)),
    {
      anyOf: [{ type: 'object', additionalProperties: { type: 'boolean' } }, { type: 'null' }],
    },
  ],
  [
    'a list that may be missing, described',
    described(maybe(listOf(always('x'))), 'why'),
    {
      anyOf: [{ type: 'array', items: { const: 'x' } }, { type: 'null' }],
      description: 'why',
    },
  ],
  ['anything', anything, {}],
])('the JSON Schema of %s', (_, shape, schema) => {
  expect(jsonSchemaOf(shape)).toEqual(schema);
});

test('fields that are left out are not there, and those of an open row are kept', () => {
  expect(read(row({ a: leftOut(whole), b: string }), { b: 'x', c: 1 })).toStrictEqual({ b: 'x' });
  expect(read(openRow({ b: string }), { b: 'x', c: 1 })).toStrictEqual({ b: 'x', c: 1 });
});

test('a whole number of 64 bits is read as a bigint', () => {
  expect(read(listOf(int64), [1, 2n ** 63n - 1n])).toEqual([1n, 2n ** 63n - 1n]);
});
