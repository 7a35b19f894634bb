import { expect, test } from 'vitest';
import {
  always,
  annotated,
  anything,
  at,
  converted,
  described,
  either,
  exact,
  filled,
  fitting,
  inside,
  int64,
  leftOut,
  listOf,
  looseRow,
  Misfit,
  mapOf,
  mapped,
  matching,
  maybe,
  measure,
  natural,
  nothing,
  object,
  orElse,
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
  ['a negative number for none', maybe(natural), -1, null],
  ['another form where there is a default', orElse(whole, 7), 'x', 7],
  ['what is left out where there is a default', orElse(whole, 7), undefined, 7],
  ['an item of another form', fitting(whole), [1, 'x', 2.5, 3], [1, 3]],
  ['another form than a list', fitting(whole), 'x', []],
  ['no list', fitting(whole), undefined, []],
  ['false', maybe(truth), false, false],
  ['0', maybe(measure), 0, 0],
  ['a number that a whole number beyond 2^53 is', exact, 5, 5],
  ['a pattern', matching(/^[0-9a-f]+$/), 'a1', 'a1'],
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
  ['text of another pattern', row({ id: matching(/^[0-9a-f]+$/) }), { id: 'a1g' }, 'id'],
  ['a number that is none', measure, Number.NaN, ''],
  ['a text for a number', whole1, { ...given, big: '5' }, 'big'],
  ['a list for an object', object, [], ''],
  ['null for an object', object, null, ''],
  ['what a conversion makes of it', converted(Number, whole), 'x', ''],
  ['the second part', whole1, { ...given, parts: [{ id: 1 }, { lag: 1 }] }, 'parts.1.id'],
])('%s is refused, with its place', (_, shape, value, place) => {
  expect(placeOf(shape, value)).toBe(place);
});

test('a field is read from where answers have it; errors name that place', () => {
  const shape = row({ id: at('node_id', whole), on: at('status.draining', truth) });
  expect(read(shape, { node_id: 1, id: 2, status: { draining: true, on: false } })).toEqual({ id: 1, on: true });
  expect(placeOf(shape, { id: 1 })).toBe('node_id');
  expect(placeOf(listOf(shape), [{ node_id: 1, status: 5 }])).toBe('0.status.draining');
  expect(shape.schema()).toMatchObject({ properties: { id: { type: 'integer' } }, required: ['id', 'on'] });
});

test('one field of an object can stand for the object', () => {
  const ids = row({ ids: at('replicas', listOf(inside('node_id', whole))) });
  expect(read(ids, { replicas: [{ node_id: 1, core: 2 }, { node_id: 2 }] })).toEqual({ ids: [1, 2] });
  expect(placeOf(ids, { replicas: [{ node_id: 1 }, { id: 2 }] })).toBe('replicas.1.node_id');
  expect(placeOf(ids, { replicas: [5] })).toBe('replicas.0');
  expect(inside('node_id', whole).schema()).toEqual({ type: 'integer' });
});

test('a value can be changed after it is read', () => {
  const sorted = mapped(listOf(whole), (all) => all.toSorted((a, b) => a - b));
  expect(read(sorted, [3, 1, 2])).toEqual([1, 2, 3]);
  expect(read(sorted, undefined)).toEqual([]);
  expect(placeOf(sorted, [1, 'x'])).toBe('1');
  expect(sorted.schema()).toEqual({ type: 'array', items: { type: 'integer' } });
  expect(fitting(natural).schema()).toEqual({ type: 'array', items: { type: 'integer' } });
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
  expect(shape.schema()).toEqual({
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
    'what is converted, and an object with any fields',
    row({ a: converted(String, string), c: maybe(object) }),
    {
      type: 'object',
      properties: {
        a: { type: 'string' },
        c: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      },
      required: ['a', 'c'],
      additionalProperties: false,
    },
  ],
  [
    'fields that are kept',
    looseRow({ a: measure }),
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
    'null, and alternatives that are only types',
    described(either(string, nothing), 'text'),
    { type: ['string', 'null'], description: 'text' },
  ],
  ['more than a reader needs', annotated(natural, { minimum: 0 }), { type: 'integer', minimum: 0 }],
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
  expect(shape.schema()).toEqual(schema);
});

test('fields that are left out are not there, and those of an open row are kept', () => {
  expect(read(row({ a: leftOut(whole), b: string }), { b: 'x', c: 1 })).toStrictEqual({ b: 'x' });
  expect(read(looseRow({ b: string }), { b: 'x', c: 1 })).toStrictEqual({ b: 'x', c: 1 });
});

test('a whole number of 64 bits is read as a bigint', () => {
  expect(read(listOf(int64), [1, 2n ** 63n - 1n])).toEqual([1n, 2n ** 63n - 1n]);
});
