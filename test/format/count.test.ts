import { expect, it } from 'vitest';
import { count } from '../../src/format/count.ts';

it.each([
  [0, '0 topics'],
  [1, '1 topic'],
  [2, '2 topics'],
])('%d in words', (number, text) => {
  expect(count(number, 'topic')).toBe(text);
});
