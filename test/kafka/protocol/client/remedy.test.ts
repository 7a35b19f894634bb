import { expect, test } from 'vitest';
import { isNotDone } from '../../../../src/kafka/protocol/client/remedy.ts';
import { kafkaErrorName } from '../../../../src/kafka/protocol/errors.ts';

test.each([
  ['is repeated', [3, 5, 6, 14, 15, 16, 19, 41, 51, 56, 72, 74, 75, 89], true],
  // Appended, carried out, or unknown.
  ['is not repeated', [-1, 0, 7, 13, 20, 27, 79], false],
] as const)('what must not be done twice %s after these codes', (_, codes, expected) => {
  const others = codes.filter((code) => isNotDone(code) !== expected).map(kafkaErrorName);
  expect(others).toEqual([]);
});
