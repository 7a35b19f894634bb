import { expect, test } from 'vitest';
import { marksOf, ratesBetween } from '../../../../src/kafka/cluster/groups/lag-trend.ts';

type Partition = readonly [current: bigint | null, end: bigint];

function sample(atMs: number, ...partitions: readonly Partition[]) {
  const nobody = { member_id: null, instance_id: null, client_id: null, host: null, error: null };
  const rows = partitions.map(([current, end], partition) => ({
    ...{ topic: 't', partition, current_offset: current, log_start_offset: 0n, log_end_offset: end },
    ...{ lag: end - (current ?? 0n), ...nobody },
  }));
  const group = { group: 'g', type: 'classic', coordinator: 1, state: 'Stable', balancer: 'range', members: 1 };
  return {
    atMs,
    topicIds: new Map([['t', 'id-1']]),
    group: { ...group, total_lag: 0n, error: null, partitions: rows, member_list: [] },
  };
}

const unknown = { read_rate: null, write_rate: null, trend: null, seconds_to_zero: null };

test.each([
  ['reads faster than it is written', [[0n, 100n]], [[60n, 120n]], [30, 10, 'shrinking', 3]],
  ['reads slower than it is written', [[0n, 100n]], [[20n, 160n]], [10, 30, 'growing', null]],
  ['keeps up without lag', [[100n, 100n]], [[120n, 120n]], [10, 10, 'steady', 0]],
  ['keeps up with lag', [[0n, 100n]], [[20n, 120n]], [10, 10, 'steady', null]],
  ['commits for the first time', [[null, 100n]], [[40n, 100n]], [20, 0, 'shrinking', 3]],
  ['is moved back', [[80n, 100n]], [[0n, 100n]], [-40, 0, 'growing', null]],
  [
    'has several partitions',
    [
      [0n, 10n],
      [0n, 10n],
    ],
    [
      [4n, 12n],
      [6n, 12n],
    ],
    [5, 2, 'shrinking', 14 / 3],
  ],
] as const)('a group that %s', (_, before, now, [read, written, trend, zero]) => {
  expect(ratesBetween(marksOf(sample(1000, ...before)), sample(3000, ...now))).toEqual({
    ...{ read_rate: read, write_rate: written, trend, seconds_to_zero: zero },
  });
});

test('a group that commits nothing although there is lag is stalled after ten seconds', () => {
  expect(ratesBetween(marksOf(sample(0, [5n, 10n])), sample(9_999, [5n, 10n])).trend).toBe('steady');
  expect(ratesBetween(marksOf(sample(0, [5n, 10n])), sample(10_000, [5n, 20n])).trend).toBe('stalled');
  expect(ratesBetween(marksOf(sample(0, [10n, 10n])), sample(10_000, [10n, 10n])).trend).toBe('steady');
});

test('a partition whose log end went back, as of a topic that was created again, does not count as written or read', () => {
  const before = sample(0, [900n, 1000n], [0n, 10n]);
  expect(ratesBetween(marksOf(before), sample(1000, [null, 5n], [4n, 12n]))).toMatchObject({
    read_rate: 4,
    write_rate: 2,
  });
  expect(ratesBetween(marksOf(sample(0, [900n, 1000n])), sample(1000, [null, 5n]))).toEqual(unknown);
});

test('a topic that was created again does not count, even if its new log is longer already', () => {
  const now = { ...sample(1000, [900n, 2000n]), topicIds: new Map([['t', 'id-2']]) };
  expect(ratesBetween(marksOf(sample(0, [900n, 1000n])), now)).toEqual(unknown);
});

test('without an earlier sample, or without partitions in both, nothing is known', () => {
  expect(ratesBetween(undefined, sample(0, [0n, 1n]))).toEqual(unknown);
  expect(ratesBetween(marksOf(sample(0)), sample(1000, [0n, 1n]))).toEqual(unknown);
  expect(ratesBetween(marksOf(sample(1000, [0n, 1n])), sample(1000, [0n, 1n]))).toEqual(unknown);
});
