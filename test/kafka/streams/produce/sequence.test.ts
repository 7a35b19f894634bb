import { expect, test } from 'vitest';
import { sequenceAfter, sequenceDistance } from '../../../../src/kafka/streams/produce/sequence.ts';

test.each([
  [0, 1],
  [0, 2 ** 30 - 1],
  [5, -3],
  [2 ** 31 - 1, 1],
  [1, -2],
  [2 ** 31 - 10, 2 ** 30 - 1],
])('the distance from sequence number %i to %i more wraps at 2^31', (from, distance) => {
  const to = sequenceAfter(from, distance);
  expect(to).toBeGreaterThanOrEqual(0);
  expect(to).toBeLessThan(2 ** 31);
  expect(sequenceDistance(from, to)).toBe(distance);
});
