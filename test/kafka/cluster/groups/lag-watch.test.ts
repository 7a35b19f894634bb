import { expect, test } from 'vitest';
import type { GroupLag, LagCall, LagTick } from '../../../../src/kafka/cluster/groups/lag-rows.ts';
import { watchLag } from '../../../../src/kafka/cluster/groups/lag-watch.ts';
import type { ReadRequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import type { offsetFetch } from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { type Answers, fakeClient, topicOf } from './fake-groups.ts';

/** A group that reads topic t, whose only partition has records from 0; both numbers may change. */
interface Scene {
  committed: bigint;
  end: bigint;
  /** The error code of the group. */
  code: number;
  state?: string;
}

/** The first record was written at the virtual epoch, each further one a second later. */
const firstTime = 1_704_067_200_000;

function answersOf(scene: Scene): Answers {
  return {
    DescribeGroups: ({ groups }: { readonly groups: readonly string[] }) => ({
      groups: groups.map((group) => ({
        ...{ groupId: group, errorCode: scene.code, groupState: scene.state ?? 'Stable', members: [] },
        ...{ protocolType: 'consumer', protocolData: 'range' },
      })),
    }),
    OffsetFetch({ groups }: ReadRequestOf<typeof offsetFetch>) {
      const row = { partitionIndex: 0, committedOffset: scene.committed, committedLeaderEpoch: -1, errorCode: 0 };
      const topics = scene.committed < 0n ? [] : [{ name: 't', topicId: noUuid, partitions: [row] }];
      return { groups: groups.map(({ groupId }) => ({ groupId, errorCode: 0, topics })) };
    },
    ListOffsets: ({ topics }: ReadRequestOf<typeof listOffsets>) => ({
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex, timestamp }) => ({
          partitionIndex,
          errorCode: 0,
          leaderEpoch: 0,
          timestamp: -1n,
          offset: scene.end,
          ...(timestamp === -2n && { offset: 0n }),
          ...(timestamp >= 0n && recordAt(timestamp, scene.end)),
        })),
      })),
    }),
  };
}

function recordAt(time: bigint, end: bigint) {
  const offset = BigInt(Math.max(0, Math.ceil((Number(time) - firstTime) / 1000)));
  return offset >= end ? { offset: -1n, timestamp: -1n } : { offset, timestamp: BigInt(firstTime) + offset * 1000n };
}

const call: LagCall = {
  ...{ groups: ['g'], regex: false, ages: false, intervalMs: 1000, failAbove: undefined, untilZero: false },
  ...{ forMs: undefined, stop: new AbortController().signal },
};

/** Runs a watch to its end in virtual time; `change` is called before each tick but the first. */
async function watched(scene: Scene, more: Partial<LagCall>, change: (scene: Scene, tick: number) => void = () => {}) {
  const { client, clock, sent } = fakeClient(answersOf(scene), [topicOf('t', 1)]);
  const ticks: LagTick[] = [];
  const all = (async () => {
    for await (const tick of watchLag(client, { ...call, ...more })) {
      ticks.push(tick);
      change(scene, ticks.length);
    }
  })();
  await clock.runUntil(all);
  return { ticks, sent, elapsedMs: clock.now() };
}

test('each tick comes one interval after the one before, with rates over up to six intervals', async () => {
  const { ticks, elapsedMs } = await watched({ committed: 0n, end: 1000n, code: 0 }, { forMs: 8000 }, (scene, tick) => {
    scene.committed = BigInt(tick * tick);
  });
  expect(elapsedMs).toBe(8000);
  expect(ticks.map(({ tick, status }) => `${tick} ${status}`)).toEqual([
    ...[
      '0 running',
      '1 running',
      '2 running',
      '3 running',
      '4 running',
      '5 running',
      '6 running',
      '7 running',
      '8 done',
    ],
  ]);
  // After 8 s, 64 records are read; after 2 s, it was 4: ten a second.
  expect(ticks[8]?.groups[0]).toMatchObject({ lag: 936n, read_rate: 10, write_rate: 0, trend: 'shrinking' });
  expect(ticks[8]?.groups[0]?.seconds_to_zero).toBeCloseTo(93.6);
  expect(ticks[8]?.time).toBe('2024-01-01T00:00:08.000Z');
});

test('rates leave out the ticks before the topic was created again', async () => {
  const topics = [{ ...topicOf('t', 1), id: 'first' }];
  const scene: Scene = { committed: 0n, end: 1000n, code: 0 };
  const { client, clock } = fakeClient(answersOf(scene), topics);
  const rates: (number | null | undefined)[] = [];
  const all = (async () => {
    for await (const { tick, groups } of watchLag(client, { ...call, forMs: 3000 })) {
      rates.push(groups[0]?.write_rate);
      scene.end += 100n;
      if (tick === 1) topics.splice(0, 1, { ...topicOf('t', 1), id: 'second' });
    }
  })();
  await clock.runUntil(all);
  expect(rates).toEqual([null, 100, null, null]);
});

test.each([
  ['ends at the first lag above the limit', { failAbove: 12n }, ['running', 'running', 'running', 'above_limit']],
  [
    'ends without lag',
    { untilZero: true, forMs: 60_000 },
    ['running', 'running', 'running', 'running', 'running', 'done'],
  ],
  ['ends with lag when the time is over', { untilZero: true, forMs: 2000 }, ['running', 'running', 'not_zero']],
])('a watch %s', async (_, more, statuses) => {
  // The lag is 10, 11, 12, 13 as long as it is written; then everything is read.
  const { ticks } = await watched({ committed: 0n, end: 10n, code: 0 }, more, (scene, tick) => {
    if (tick < 5) scene.end += 1n;
    else scene.committed = scene.end;
  });
  expect(ticks.map(({ status }) => status)).toEqual(statuses);
});

test('a group that fails at first ends the watch; one that fails later does not', async () => {
  const failed = await watched({ committed: 0n, end: 1n, code: 30 }, { forMs: 5000 });
  expect(failed.ticks.map(({ status }) => status)).toEqual(['failed']);
  const later = await watched({ committed: 1n, end: 1n, code: 0 }, { forMs: 3000, untilZero: false }, (scene, tick) => {
    scene.code = tick === 1 ? 15 : 0;
  });
  expect(later.ticks.map(({ status, groups }) => `${status} ${groups[0]?.error?.code ?? 'OK'}`)).toEqual([
    ...['running OK', 'running COORDINATOR_NOT_AVAILABLE', 'running OK', 'done OK'],
  ]);
});

test('a watch with a limit ends when no lag is known, except during a rebalance', async () => {
  const scene = { committed: -1n, end: 9n, code: 0, state: 'PreparingRebalance' };
  const { ticks } = await watched(scene, { failAbove: 12n }, (now, tick) => {
    if (tick === 1) now.committed = 0n;
    else [now.committed, now.state] = [-1n, 'Empty'];
  });
  expect(ticks.map(({ status, groups }) => [status, groups[0]?.lag])).toEqual([
    ['running', null],
    ['running', 9n],
    ['unknown_lag', null],
  ]);
  const once = await watched({ ...scene, state: 'PreparingRebalance' }, { failAbove: 12n, intervalMs: undefined });
  expect(once.ticks.map(({ status }) => status)).toEqual(['unknown_lag']);
});

test('without an interval, there is one tick', async () => {
  const once = { intervalMs: undefined };
  const { ticks } = await watched({ committed: 0n, end: 3n, code: 0 }, once);
  expect(ticks.map(({ status, groups }) => [status, groups[0]?.lag])).toEqual([['done', 3n]]);
});

test('a watch ends when it is stopped', async () => {
  const stop = new AbortController();
  const { ticks, elapsedMs } = await watched({ committed: 0n, end: 3n, code: 0 }, { stop: stop.signal }, (_, tick) => {
    if (tick === 2) stop.abort();
  });
  expect({ ticks: ticks.length, elapsedMs }).toEqual({ ticks: 2, elapsedMs: 1000 });
});

test.each([0, 1, 7, 59, 600, 86_399])('the age of the oldest unread record is found (%d s)', async (seconds) => {
  const at = 90_000n - BigInt(seconds);
  const scene = { committed: at, end: 90_001n, code: 0 };
  const { client, clock, sent } = fakeClient(answersOf(scene), [topicOf('t', 1)]);
  await clock.advanceTo(90_000_000);
  const { value: tick } = await watchLag(client, { ...call, intervalMs: undefined, ages: true }).next();
  const age = tick?.groups[0]?.age_seconds ?? -1;
  expect(age).toBeGreaterThanOrEqual(seconds);
  expect(age).toBeLessThanOrEqual(Math.ceil(seconds * 1.05) + 1);
  expect(sent.filter((one) => one.startsWith('ListOffsets')).length).toBeLessThan(20);
});

test('the ages of many groups need as many requests as the age of one', async () => {
  const requestsFor = async (groups: readonly string[]): Promise<number> => {
    const { client, clock, sent } = fakeClient(answersOf({ committed: 100n, end: 800n, code: 0 }), [topicOf('t', 1)]);
    await clock.advanceTo(800_000);
    const { value: tick } = await watchLag(client, { ...call, groups, intervalMs: undefined, ages: true }).next();
    expect(tick?.groups.map((row: GroupLag) => row.age_seconds ?? -1).every((age: number) => age >= 700)).toBe(true);
    return sent.length;
  };
  expect(await requestsFor(['g', 'h', 'i'])).toBe(await requestsFor(['g']));
});

test('a group without lag has the age 0', async () => {
  const scene = { committed: 5n, end: 5n, code: 0 };
  const { client } = fakeClient(answersOf(scene), [topicOf('t', 1)]);
  const { value: tick } = await watchLag(client, { ...call, intervalMs: undefined, ages: true }).next();
  expect(tick?.groups[0]?.age_seconds).toBe(0);
});
