import { expect, test } from 'vitest';
import { leftOut, listOf, maybe, row, string, truth, whole } from '../src/shape/shape.ts';
import { schemaFaults } from './json-schema.ts';

const schema = listOf(row({ name: string, size: maybe(whole), ok: leftOut(truth) })).schema();

test.each([
  [[], []],
  [[{ name: 'a', size: 1 }], []],
  [[{ name: 'a', size: null, ok: true }], []],
  [[{ name: 'a' }], ['$[0].size is missing']],
  [[{ name: 1, size: null }], ['$[0].name is no string']],
  [[{ name: 'a', size: null, more: 1 }], ['$[0].more is not in the schema']],
  [[{ name: 'a', size: 1.5 }], ['$[0].size fits no alternative: $[0].size is no integer; $[0].size is no null']],
  [{}, ['$ is no array']],
])('%j', (value, faults) => {
  expect(schemaFaults(value, schema)).toEqual(faults);
});

test('a schema with unknown keywords does not pass', () => {
  expect(schemaFaults('a', { type: 'string', pattern: 'a' })).toEqual(['$: the schema has unknown keywords pattern']);
});
