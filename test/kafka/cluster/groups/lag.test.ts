import { expect, test } from 'vitest';
import { lagOf, totalLag } from '../../../../src/kafka/cluster/groups/lag.ts';

test.each([
  [3n, 0n, 10n, 7n],
  [null, 4n, 10n, 6n],
  [12n, 0n, 10n, 0n],
  [3n, null, 10n, 7n],
  [null, null, 10n, null],
  [3n, 0n, null, null],
])('from offset %s in a log from %s to %s, the lag is %s', (current, start, end, lag) => {
  expect(lagOf({ current, start, end })).toBe(lag);
});

test('the total counts the lags that are known', () => {
  expect(totalLag([{ lag: 2n }, { lag: null }, { lag: 3n }])).toBe(5n);
  expect(totalLag([])).toBeNull();
  expect(totalLag([{ lag: null }])).toBeNull();
});
