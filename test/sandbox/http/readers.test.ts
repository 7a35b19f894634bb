import { expect, test } from 'vitest';
import {
  anything,
  boolean,
  filled,
  Invalid,
  integer,
  list,
  mapOf,
  object,
  oneOf,
  optional,
  type Reader,
  refuse,
  text,
} from '../../../src/sandbox/http/readers.ts';
import { isObject } from '../../../src/shape/object.ts';

/** What a reader makes of a value, or its problems, one text each. */
function outcomeOf(reader: Reader<unknown>, value: unknown, at = 'x'): unknown {
  try {
    return reader(value, at);
  } catch (error) {
    expect(error).toBeInstanceOf(Invalid);
    return (error as Invalid).violations.map(({ field, description }) => `${field}: ${description}`);
  }
}

const rule = { pattern: /^a+$/, description: 'must be a' };

test.each<[string, Reader<unknown>, unknown]>([
  ['a text', text, 'a'],
  ['an empty text', text, ''],
  ['a text by a rule', filled(rule), 'aa'],
  ['0', integer, 0],
  ['false', boolean, false],
  ['null for anything', anything, null],
  ['a word', oneOf('a', 'b'), 'b'],
  ['a list', list(text), ['a', 'a']],
  ['no list', list(text), []],
  ['what is not there', optional(text), undefined],
  ['an object with any keys', mapOf(integer), { a: 1, b: 2 }],
  ['an object', object({ a: text, b: optional(text) }), { a: '', b: undefined }],
])('%s is read', (_, reader, value) => {
  expect(outcomeOf(reader, value)).toEqual(value);
});

test('null is read as nothing, and keys that are not read are left out', () => {
  expect(outcomeOf(optional(text), null)).toBeUndefined();
  expect(outcomeOf(object({ a: text }, ['b']), { a: 'x', b: 1 })).toEqual({ a: 'x' });
  const odd = JSON.parse('{"__proto__": 1}');
  expect(Object.keys(outcomeOf(mapOf(integer), odd) as object)).toEqual(['__proto__']);
});

test.each<[string, Reader<unknown>, unknown, readonly string[]]>([
  ['a missing text', text, undefined, ['x: is required']],
  ['a text that is null', text, null, ['x: is required']],
  ['a number for a text', text, 5, ['x: must be a text']],
  ['an empty text that must not be', filled(), '', ['x: is required']],
  ['a text against a rule', filled(rule), 'b', ['x: must be a']],
  ['a negative number', integer, -1, ['x: must be a whole number from 0']],
  ['a number with decimals', integer, 1.5, ['x: must be a whole number from 0']],
  ['a text for a boolean', boolean, 'true', ['x: must be a boolean']],
  ['nothing for anything', anything, undefined, ['x: is required']],
  ['another word', oneOf('a', 'b'), 'c', ['x: unknown value "c", not one of a, b']],
  ['an empty word', oneOf('a', 'b'), '', ['x: is required']],
  ['a number for a word', oneOf('a', 'b'), 1, ['x: must be a text']],
  ['a text for a list', list(text), 'a', ['x: must be a list']],
  ['an item of another form', list(text), ['a', 5], ['x[1]: must be a text']],
  ['another form of what may be missing', optional(text), 5, ['x: must be a text']],
  ['a list for an object', object({}), [], ['x: must be an object']],
  ['a list for an object with any keys', mapOf(text), [], ['x: must be an object']],
  ['wrong values', mapOf(text), { a: 1, b: '', c: null }, ['x.a: must be a text', 'x.c: is required']],
  [
    'fields that are wrong or unknown, all together',
    object({ a: text, b: object({ c: text }), d: list(object({ e: text })) }),
    { b: { c: 1, f: 1 }, d: [{}], g: 1 },
    [
      'x.a: is required',
      'x.b.c: must be a text',
      'x.b.f: unknown field',
      'x.d[0].e: is required',
      'x.g: unknown field',
    ],
  ],
])('%s: refused', (_, reader, value, problems) => {
  expect(outcomeOf(reader, value)).toEqual(problems);
});

test('the whole is the body, and its fields have no prefix', () => {
  expect(outcomeOf(object({ a: text }), 'x', '')).toEqual(['body: must be an object']);
  expect(outcomeOf(object({ a: text }), {}, '')).toEqual(['a: is required']);
  expect(() => object({ a: text, b: text })({}, '')).toThrow('a: is required; b: is required');
  expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

test('an error of another kind ends the reading', () => {
  const broken: Reader<never> = () => {
    throw new Error('broken');
  };
  expect(() => object({ a: text, b: broken })({}, '')).toThrow('broken');
  expect(() => refuse('a', 'is odd')).toThrow('a: is odd');
});
