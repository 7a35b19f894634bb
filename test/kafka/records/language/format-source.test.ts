import { expect, test } from 'vitest';
import { isStateless } from '../../../../src/kafka/records/language/format-source.ts';

test.each([
  ['%v\\n', true],
  ['%i', false],
  ['%v %i{hex8}', false],
  ['%h{%i %k}', false],
  ['100%%i', true],
  ['%%%i', false],
  ['line one\n%i', false],
  ['%d{strftime|%|}%i', false],
])('whether the layout %j counts no records is %s', (layout, expected) => {
  expect(isStateless({ layout })).toBe(expected);
});
