import { expect, test } from 'vitest';
import { readYamlData } from '../../../src/config/yaml/yaml-data.ts';
import { startProcessorTime } from '../../processor-time.ts';

test.each([
  ['', null],
  ['a: 1', { a: 1 }],
  ['{"a": [true, null, "x"]}', { a: [true, null, 'x'] }],
  ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
  ['a: yes', { a: 'yes' }],
])('%j is read as %j', async (text, expected) => {
  expect(await readYamlData('file', text)).toEqual(expected);
});

test('a key named __proto__ changes no prototype', async () => {
  const value = (await readYamlData('file', '{"__proto__": {"evil": true}, "a": 1}')) as {
    evil?: unknown;
    a: unknown;
  };
  expect(value.a).toBe(1);
  expect(value.evil).toBeUndefined();
  expect(({} as { evil?: unknown }).evil).toBeUndefined();
});

test.each([
  ['no YAML', 'a: [', 'file:1'],
  ['what is nested too deeply', '['.repeat(10_000), 'file:1'],
  ['a key twice', 'a: 1\nb: 2\na: 3', 'file:3: duplicate key "a"'],
  ['a key twice, once with an alias', '&x a: 1\n*x : 2', 'file:2: a key must be plain text'],
  ['a list as a key', '? [a]\n: 1\n"[ a ]": 2', 'file:1: a key must be plain text'],
  ['an empty key twice', '~: 1\n"": 2', 'file:2: duplicate key ""'],
  ['a key twice in an inner object of JSON', '{"x": [{"a": 1,\n"a": 2}]}', 'file:2: duplicate key "a"'],
])('%s is an error with file and line', async (_, text, place) => {
  await expect(readYamlData('file', text)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(place),
  });
});

test('aliases that would exhaust memory are refused at once', async () => {
  const levels = Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`)}]`);
  const taken = startProcessorTime();
  await expect(readYamlData('file', ['a0: &a0 [x, x]', ...levels].join('\n'))).rejects.toMatchObject({ exitCode: 2 });
  expect(taken()).toBeLessThan(1_000);
});
