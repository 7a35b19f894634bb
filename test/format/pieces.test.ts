import { expect, test } from 'vitest';
import { gathered, spaced } from '../../src/format/pieces.ts';

test('texts are separated by an empty line, and those without text are left out', () => {
  const text = (lines: readonly string[]) => [...spaced(lines, (line) => line)].join('');
  expect(text([])).toBe('');
  expect(text(['', ''])).toBe('');
  expect(text(['a\n', '', 'b\n', 'c\n'])).toBe('a\n\nb\n\nc\n');
  expect(text(['', 'a\n', ''])).toBe('a\n');
});

test('the text of an item is made only when it is needed', () => {
  const made: string[] = [];
  const pieces = spaced(['a', 'b', 'c'], (item) => {
    made.push(item);
    return item;
  })[Symbol.iterator]();
  pieces.next();
  expect(made).toEqual(['a']);
});

test('pieces are gathered until they have the size, without losing the last', () => {
  expect([...gathered(['ab', 'c', 'def', '', 'g'], 3)]).toEqual(['abc', 'def', 'g']);
  expect([...gathered(['abcd', 'e'], 3)]).toEqual(['abcd', 'e']);
  expect([...gathered(['abc'], 3)]).toEqual(['abc']);
  expect([...gathered(['', ''], 3)]).toEqual([]);
});
