import { expect, test } from 'vitest';
import { showCompact, showCompactSize } from '../../src/format/compact.ts';
import { cut, cutOrFill } from '../../src/format/cut.ts';
import { sparkline } from '../../src/format/sparkline.ts';

test.each([
  ['orders', 6, 'orders'],
  ['orders', 5, 'orde…'],
  ['orders', 1, '…'],
  ['orders', 0, ''],
  ['注文書', 5, '注文…'],
  ['注文書', 4, '注…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
])('%s in %i columns is %s', (text, columns, shown) => {
  expect(cut(text, columns)).toBe(shown);
});

test('a text is filled to a width at either end', () => {
  expect([cutOrFill('注文', 6, 'left'), cutOrFill('ab', 4, 'right'), cutOrFill('orders', 4, 'left', '~')]).toEqual([
    '注文  ',
    '  ab',
    'ord~',
  ]);
});

test('a sparkline has the newest values at its right, from 0 to the largest', () => {
  expect(sparkline([1, 2, 4, 8], 6)).toBe('  ▂▃▅█');
  expect(sparkline([9, 9, 0, null, 8], 3)).toBe('▁ █');
  expect(sparkline([0, 0], 2)).toBe('▁▁');
  expect(sparkline([1, 8], 2, false)).toBe('.#');
  expect(sparkline([], 2)).toBe('  ');
});

test.each([
  [0, '0'],
  [0.44, '0.4'],
  [12.34, '12.3'],
  [999.6, '1k'],
  [1234, '1.23k'],
  [56_789, '56.8k'],
  [1_200_000, '1.2M'],
  [3e18, '3E'],
])('%d is %s', (number, shown) => {
  expect(showCompact(number)).toBe(shown);
});

test('sizes have three digits', () => {
  expect([showCompactSize(0.4), showCompactSize(999), showCompactSize(12_345)]).toEqual(['0B', '999B', '12.3kB']);
});
