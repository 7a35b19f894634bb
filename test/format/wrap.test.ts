import { expect, test } from 'vitest';
import { fitColumns, wrapLine } from '../../src/format/wrap.ts';

test.each([
  ['columns that fit are left alone', [20, 5], 25, [20, 5]],
  ['only the widest is reduced, by what is missing', [20, 5], 24, [19, 5]],
  ['columns of different widths are reduced to one width', [30, 20, 5], 45, [20, 20, 5]],
  ['none is reduced below twelve', [40, 40], 24, [12, 12]],
  ['none is reduced below eight', [40, 40], 16, [8, 8]],
  ['a narrow one keeps its width', [40, 3], 15, [12, 3]],
])('%s', (_, natural, available, fitted) => {
  expect(fitColumns(natural, available)).toEqual(fitted);
});

test.each([
  ['a column keeps its longest word if others can give way', { words: [20, 5], available: 33 }, [20, 13]],
  ['the one with the longer words gives way otherwise', { words: [20, 16], available: 30 }, [14, 16]],
  ['a long word is broken if nothing else is left', { words: [20, 18], available: 26 }, [13, 13]],
])('%s', (_, { words, available }, fitted) => {
  expect(fitColumns([30, 30], available, words)).toEqual(fitted);
});

test('a column that is whole keeps its width', () => {
  expect(fitColumns([20, 30, 5], 40, [], [true])).toEqual([20, 15, 5]);
  expect(fitColumns([20, 30, 5], 32, [], [true])).toBeUndefined();
});

test('columns that do not fit even at eight are not reduced at all', () => {
  expect(fitColumns([40, 40], 15)).toBeUndefined();
  expect(fitColumns([40, 3], 10)).toBeUndefined();
  expect(fitColumns([5, 5], 9)).toBeUndefined();
});

test.each<[string, number, readonly string[], boolean?]>([
  ['', 3, ['']],
  ['a b c', 5, ['a b c']],
  ['a b c', 4, ['a b', 'c']],
  ['a b c', 3, ['a b', 'c']],
  ['abc def', 3, ['abc', 'def']],
  ['abcd', 3, ['abc', 'd']],
  ['abcdef', 3, ['abc', 'def']],
  ['ab abcdefg c', 3, ['ab', 'abc', 'def', 'g c']],
  ['127.0.0.1:26929', 12, ['127.0.0.1:', '26929']],
  ['a.bcdefghijkl', 12, ['a.bcdefghijk', 'l']],
  ['ab/cd/ef/gh', 4, ['ab/', 'cd/', 'ef/', 'gh']],
  ['CLOUD_PROVIDER_AWS', 10, ['CLOUD_', 'PROVIDER_', 'AWS']],
  ['abcdef', 3, ['abcdef'], false],
  ['ab cdefgh i', 4, ['ab', 'cdefgh', 'i'], false],
])('%j in %i columns is %j', (text, columns, lines, breaksWords = true) => {
  expect(wrapLine(text, columns, { measure: ({ length }) => length, breaksWords })).toEqual(lines);
});

test('a word is broken by the width of its characters, and never inside one', () => {
  const measure = (text: string) => 2 * [...text].length;
  expect(wrapLine('😀😁😂', 5, { measure, breaksWords: true })).toEqual(['😀😁', '😂']);
  expect(wrapLine('😀😁', 1, { measure, breaksWords: true })).toEqual(['😀', '😁']);
});
