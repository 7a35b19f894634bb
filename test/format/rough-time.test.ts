import { expect, test } from 'vitest';
import { tellRoughTime } from '../../src/format/rough-time.ts';

test.each([
  [0, '0 ms'],
  [850.4, '850 ms'],
  [1_000, '1 second'],
  [12_400, '12 seconds'],
  [900_000, '15 minutes'],
  [5_400_000, '2 hours'],
  [86_400_000, '1 day'],
])('%d ms are roughly %s', (milliseconds, words) => {
  expect(tellRoughTime(milliseconds)).toBe(words);
});
