import { expect, test } from 'vitest';
import {
  described,
  exact,
  filled,
  Misfit,
  many,
  maybe,
  measure,
  row,
  type Shape,
  text,
  truth,
  whole,
  word,
} from '../src/shape.ts';

const part = row({ id: whole, lag: maybe(measure) });
const whole1 = row({ name: text, kind: word('a', 'b'), on: truth, note: maybe(filled), big: exact, parts: many(part) });
const given = { name: 'x', kind: 'a', on: true, note: 'n', big: 2n ** 60n, parts: [{ id: 1, lag: 0.5 }] };

function placeOf(shape: Shape<unknown>, value: unknown): string | undefined {
  try {
    shape.read(value);
  } catch (error) {
    if (error instanceof Misfit) return error.place;
    throw error;
  }
  return undefined;
}

test('a value is read as declared, without what is not declared', () => {
  expect(whole1.read({ ...given, more: 1, parts: [{ id: 1, lag: 0.5, other: 'x' }] })).toEqual(given);
});

test.each<[string, Shape<unknown>, unknown, unknown]>([
  ['a list that is left out', many(whole), undefined, []],
  ['a list that is null', many(whole), null, []],
  ['what is left out', maybe(text), undefined, null],
  ['null', maybe(text), null, null],
  ['another form', maybe(whole), 'x', null],
  ['a row with a field of another form', maybe(part), { id: 'x' }, null],
  ['an empty text', maybe(filled), '', null],
  ['an empty text that may be empty', maybe(text), '', ''],
  ['false', maybe(truth), false, false],
  ['0', maybe(measure), 0, 0],
  ['a number that a whole number beyond 2^53 is', exact, 5, 5],
])('%s is tolerated', (_, shape, value, read) => {
  expect(shape.read(value)).toEqual(read);
});

test.each<[string, Shape<unknown>, unknown, string]>([
  ['a text for a row', whole1, 'x', ''],
  ['a list for a row', whole1, [], ''],
  ['null for a row', whole1, null, ''],
  ['a text for a list', many(part), 'x', ''],
  ['a field of another type', whole1, { ...given, on: 'yes' }, 'on'],
  ['a field that is left out', whole1, { ...given, name: undefined }, 'name'],
  ['an unknown word', whole1, { ...given, kind: 'c' }, 'kind'],
  ['a number with decimals', part, { id: 1.5 }, 'id'],
  ['a number that is none', measure, Number.NaN, ''],
  ['a text for a number', whole1, { ...given, big: '5' }, 'big'],
  ['the second part', whole1, { ...given, parts: [{ id: 1 }, { lag: 1 }] }, 'parts.1.id'],
])('%s is refused, with its place', (_, shape, value, place) => {
  expect(placeOf(shape, value)).toBe(place);
});

test('an error that is not about the form is not hidden', () => {
  const broken: Shape<string> = {
    schema: {},
    read() {
      throw new TypeError('broken');
    },
  };
  expect(() => maybe(broken).read('x')).toThrow('broken');
  expect(() => many(broken).read(['x'])).toThrow('broken');
  expect(() => row({ a: broken }).read({})).toThrow('broken');
});

test('the JSON Schema has every field, and no others', () => {
  const lag = { anyOf: [{ type: 'number' }, { type: 'null' }] };
  const closed = { additionalProperties: false };
  const properties = {
    id: { type: 'integer', description: 'of the part' },
    kind: { type: 'string', enum: ['a'] },
    lag,
  };
  expect(many(row({ id: described(whole, 'of the part'), kind: word('a'), lag: maybe(measure) })).schema).toEqual({
    type: 'array',
    items: { type: 'object', properties, required: ['id', 'kind', 'lag'], ...closed },
  });
});
