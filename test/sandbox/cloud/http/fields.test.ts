import { expect, test } from 'vitest';
import type { ApiError } from '../../../../src/sandbox/cloud/http/api-error.ts';
import { type Fields, readFields } from '../../../../src/sandbox/cloud/http/fields.ts';
import { isObject } from '../../../../src/sandbox/http/reply.ts';

/** The problems of a request, one line each. */
function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    const { details } = error as ApiError;
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: { reason: 'REASON_INVALID_INPUT' } });
    return (details.violations ?? []).map(({ field, description }) => `${field}: ${description}`);
  }
  return [];
}

const rule = { pattern: /^a+$/, description: 'must be a' };

test.each<[string, unknown, (fields: Fields) => unknown, unknown, readonly string[]]>([
  ['a text', { n: 'a' }, (fields) => fields.text('n', rule), 'a', []],
  ['a missing text', {}, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['an empty text', { n: '' }, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['a text that is null', { n: null }, (fields) => fields.text('n'), '', ['x.n: is required']],
  ['a number for a text', { n: 5 }, (fields) => fields.text('n'), '', ['x.n: must be a text']],
  ['a wrong text', { n: 'b' }, (fields) => fields.text('n', rule), '', ['x.n: must be a']],
  ['no optional text', {}, (fields) => fields.optionalText('n', rule), undefined, []],
  ['a choice', { n: 'a' }, (fields) => fields.choice('n', ['a']), 'a', []],
  ['a wrong choice', { n: 'b' }, (fields) => fields.choice('n', ['a']), 'b', ['x.n: unknown value "b"']],
  ['a missing choice', {}, (fields) => fields.choice('n', ['a']), '', ['x.n: is required']],
  ['no optional choice', {}, (fields) => fields.optionalChoice('n', ['a']), undefined, []],
  ['texts', { n: ['a', 'b'] }, (fields) => fields.texts('n'), ['a', 'b'], []],
  ['no texts', { n: [] }, (fields) => fields.texts('n'), [], ['x.n: must be a list with at least one item']],
  ['a text for texts', { n: 'a' }, (fields) => fields.texts('n'), [], ['x.n: must be a list with at least one item']],
  ['an empty text in texts', { n: ['a', ''] }, (fields) => fields.texts('n'), [], ['x.n: every item must be a text']],
  ['a number in texts', { n: ['a', 5] }, (fields) => fields.texts('n'), [], ['x.n: every item must be a text']],
  ['a text twice', { n: ['a', 'a'] }, (fields) => fields.texts('n'), [], ['x.n: must not contain an item twice']],
  ['an object', { n: { a: 1 } }, (fields) => fields.optionalObject('n'), { a: 1 }, []],
  ['no object', { n: null }, (fields) => fields.optionalObject('n'), undefined, []],
  ['a list for an object', { n: [] }, (fields) => fields.optionalObject('n'), {}, ['x.n: must be an object']],
  ['an unknown field', { n: 1, m: 1 }, (fields) => fields.only(['n']), undefined, ['x.m: unknown field']],
  ['a list for the whole', [], (fields) => fields.sent, {}, ['x: must be an object']],
])('%s is read', (_, body, read, ...[value, problems]) => {
  const fields = readFields(body, 'x.');
  expect(read(fields)).toEqual(value);
  expect(problemsOf(() => fields.check())).toEqual(problems);
});

test('without a prefix the whole is the body; objects are neither lists nor null', () => {
  expect(problemsOf(() => readFields(null, '').check())).toEqual(['body: must be an object']);
  expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});
