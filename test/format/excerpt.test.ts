import { expect, test } from 'vitest';
import { excerpt } from '../../src/format/excerpt.ts';
import { healthCell } from '../../src/format/style.ts';
import { withoutValue } from '../../src/format/without-value.ts';
import { programFile } from '../../src/host/program-file.ts';

test.each([
  ['short', 'short'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ['a\nb', 'a\\nb'],
])('the excerpt of %j', (text, shown) => expect(excerpt(text)).toBe(shown));

test.each([
  ['pass=s3cret', 'pass=…'],
  ['a=b=c', 'a=…'],
  ['=x', '=…'],
  ['pass', 'pass'],
])('the word %s without its value is %s', (word, shown) => expect(withoutValue(word)).toBe(shown));

test.each([
  ['/src/a/own.ts', '/src/a/entry.ts'],
  ['/dist/chunks/own.js', '/dist/entry.js'],
  ['/dist/own.js', '/dist/entry.js'],
])('the program of %s is %s', (own, file) => {
  expect(programFile(own, { source: 'entry.ts', bundled: 'entry.js' })).toBe(file);
});

test.each([
  ['good', 'green'],
  ['bad', 'red'],
  ['pending', 'yellow'],
] as const)('what is %s is %s', (health, style) => expect(healthCell('x', health)).toEqual({ text: 'x', style }));
