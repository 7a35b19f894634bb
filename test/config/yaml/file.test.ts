import { expect, test } from 'vitest';
import { configError } from '../../../src/config/layer.ts';
import { fieldsOf, isFull, parseYaml } from '../../../src/config/yaml/file.ts';
import { errorsOf } from '../sources/sources.ts';

test.each([
  ['a correct text', 'a: b\n', 0],
  ['a wrong text', '"', 1],
  ['a text that is nested too deeply', '['.repeat(200), 1],
])('%s leaves the stacks of later errors as they were', async (_, text, count) => {
  const before = Error.stackTraceLimit;
  expect(await errorsOf(parseYaml('/f', text))).toHaveLength(count);
  expect(Error.stackTraceLimit).toBe(before);
});

test.each([
  [`${'['.repeat(100)}${']'.repeat(100)}`, []],
  [`a: 1\nb: ${'['.repeat(101)}`, ['unable to read /f:2: it is nested too deeply']],
  ['a: 1\n---\nb: 2\n', ['unable to read /f:2: it has more than one document']],
  ['a:\n  b 1\n  c: 2\n', ['unable to read /f:2: a colon and a space are missing after a name']],
  ['a:\n  b: 1\n c: 2\n', ['unable to read /f:3: it is indented unlike what is beside it']],
  [
    'a:\n  b: 1\n    c: 2\n',
    ['unable to read /f:2: a text with a colon and a space needs quotes, or the next line is indented too far'],
  ],
  ['a: [*]\n', ['unable to read /f:1: a text that begins with a star needs quotes']],
])('%j has these faults: %j', async (text, messages) => {
  expect((await errorsOf(parseYaml('/f', text))).map(({ message }) => message)).toEqual(messages);
});

test('faults in the text are collected, at most ten, each of them once', async () => {
  const faults = await errorsOf(parseYaml('/f', 'a: *x y\n'.repeat(30)));
  expect(faults.length).toBeLessThanOrEqual(10);
  expect(new Set(faults.map(({ message }) => message)).size).toBe(faults.length);
  expect(faults[0]).toMatchObject({ exitCode: 2, code: 'CONFIG_INVALID', target: '/f' });
});

test('an alias stands for the last anchor of its name before it', async () => {
  const text = 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n';
  const file = await parseYaml('/f', text);
  const { contents } = file.document;
  if (!file.yaml.isMap(contents)) throw new Error('not a map');
  const fields = fieldsOf(file, contents, []);
  expect(fields.map(({ key, line, value }) => [key, line, String(value)])).toEqual([
    ['a', 1, '1'],
    ['b', 2, '1'],
    ['c', 3, '2'],
    ['d', 4, '2'],
  ]);
});

test('keys that are not text, and duplicate keys, are faults with their lines', async () => {
  const file = await parseYaml('/f', 'a: 1\n? [x]\n: 2\nb: 3\na: 4\n');
  const { contents } = file.document;
  if (!file.yaml.isMap(contents)) throw new Error('not a map');
  const errors: ReturnType<typeof configError>[] = [];
  expect(fieldsOf(file, contents, errors).map(({ key }) => key)).toEqual(['a', 'b']);
  expect(errors.map(({ message, target }) => [message, target])).toEqual([
    ['/f:2: a key must be plain text', '/f'],
    ['/f:5: duplicate key "a" (first on line 1)', '/f'],
  ]);
});

test('a hundred faults are enough', () => {
  const faults = (count: number) => Array.from({ length: count }, () => configError('x'));
  expect([99, 100].map((count) => isFull(faults(count)))).toEqual([false, true]);
});
