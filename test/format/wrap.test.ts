import { expect, test } from 'vitest';
import { fitColumns } from '../../src/format/wrap.ts';

test.each([
  ['columns that fit are left alone', [20, 5], 25, [20, 5]],
  ['only the widest is reduced, by what is missing', [20, 5], 24, [19, 5]],
  ['columns of different widths are reduced to one width', [30, 20, 5], 45, [20, 20, 5]],
  ['none is reduced below twelve', [40, 40], 24, [12, 12]],
  ['a narrow one keeps its width', [40, 3], 15, [12, 3]],
])('%s', (_, natural, available, fitted) => {
  expect(fitColumns(natural, available)).toEqual(fitted);
});

test('columns that do not fit even at twelve are not reduced at all', () => {
  expect(fitColumns([40, 40], 23)).toBeUndefined();
  expect(fitColumns([40, 3], 14)).toBeUndefined();
  expect(fitColumns([5, 5], 9)).toBeUndefined();
});
