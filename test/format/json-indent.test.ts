import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJson, indentJson } from '../../src/format/json-indent.ts';

test.each([
  ['{}', '{}'],
  ['[ ]', '[]'],
  ['{"a":[],"b":{}}', '{\n  "a": [],\n  "b": {}\n}'],
  ['{"a":1.0,"b":90071992547409931,"c":1e400}', '{\n  "a": 1.0,\n  "b": 90071992547409931,\n  "c": 1e400\n}'],
  ['[true, null,"x, \\"y\\" [] {}: \\\\"]', '[\n  true,\n  null,\n  "x, \\"y\\" [] {}: \\\\"\n]'],
  ['"string"', '"string"'],
  ['{"b":1,"a":2,"b":3}', '{\n  "b": 1,\n  "a": 2,\n  "b": 3\n}'],
  ['not json', 'not json'],
  ['{"a":}', '{"a":}'],
])('%j', (text, expected) => {
  expect(indentJson(text)).toBe(expected);
});

test('is the layout of JSON.stringify, and compacting takes it back', () => {
  const value = { a: [{ b: { c: [1, [2, []], {}] } }, 'ü€😀\n'], '': null };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(compactJson(JSON.stringify(value, null, 2))).toBe(JSON.stringify(value));
});

test('very deep and very long JSON takes little room and time', () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  expect(indentJson(deep)).toBe(deep);
  const digits = `[${'1'.repeat(5_000_000)}]`;
  expect(compactJson(indentJson(digits))).toBe(digits);
  const slashes = JSON.stringify(['\\'.repeat(1_000_000)]);
  expect(compactJson(indentJson(slashes))).toBe(slashes);
  const long = JSON.stringify({ text: 'x\\"'.repeat(3_000_000) });
  expect(indentJson(long)).toHaveLength(long.length + 5);
});

test('any JSON is indented as JSON.stringify indents it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

test('numbers and strings keep their text', () => {
  expect(indentJson('{"a":12345678901234567890,"b":"\\u00e9\\"[,:{","c":[],"d":{}}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": "\\u00e9\\"[,:{",\n  "c": [],\n  "d": {}\n}',
  );
});

test('JSON inside of other JSON is indented from the line in which it begins', () => {
  expect(indentJson('{"a":[1]}', 1)).toBe('{\n    "a": [\n      1\n    ]\n  }');
});
