import { expect, test } from 'vitest';
import { fitColumns, wrapLine } from '../../src/format/wrap.ts';

test.each([
  ['columns that fit are left alone', { natural: [20, 5], available: 25 }, [20, 5]],
  ['only the widest is reduced, by what is missing', { natural: [20, 5], available: 24 }, [19, 5]],
  ['columns of different widths are reduced to one width', { natural: [30, 20, 5], available: 45 }, [20, 20, 5]],
  ['a column keeps its longest word', { natural: [30, 30], words: [[20, 5]], available: 33 }, [20, 13]],
  [
    'the longest word does not count if it leaves no room',
    {
      natural: [30, 30],
      words: [
        [28, 5],
        [8, 16],
      ],
      available: 30,
    },
    [14, 16],
  ],
  ['no word counts if none leaves room', { natural: [30, 30], words: [[20, 18]], available: 15 }, undefined],
])('%s', (_, columns, fitted) => {
  expect(fitColumns({ words: [columns.natural.map(() => 0)], texts: [], ...columns })).toEqual(fitted);
});

test('the least width of a text counts in any case', () => {
  const columns = { natural: [40, 40], words: [[10, 10]], texts: [16, 16] };
  expect(fitColumns({ ...columns, available: 33 })).toEqual([16, 16]);
  expect(fitColumns({ ...columns, available: 31 })).toBeUndefined();
});

test.each<[string, number, readonly string[]]>([
  ['', 3, ['']],
  ['a b c', 5, ['a b c']],
  ['a b c', 4, ['a b', 'c']],
  ['a b c', 3, ['a b', 'c']],
  ['abc def', 3, ['abc', 'def']],
  ['abcdef', 3, ['abcdef']],
  ['ab cdefgh i', 4, ['ab', 'cdefgh', 'i']],
])('%j in %i columns is %j', (text, columns, lines) => {
  expect(wrapLine(text, columns, ({ length }) => length)).toEqual(lines);
});
