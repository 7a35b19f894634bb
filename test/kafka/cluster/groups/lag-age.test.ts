import { expect, test } from 'vitest';
import { ageKey, unreadAges } from '../../../../src/kafka/cluster/groups/lag-age.ts';
import type { ReadRequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { fakeClient, topicOf } from './fake-groups.ts';

const nowMs = 1_700_000_000_000;
/** Each partition has a record a second for a day; the last one was written a second ago. */
const count = 86_400;

/** Answers as a broker does, which refuses a request that names a partition twice. */
function offsetsAt({ topics }: ReadRequestOf<typeof listOffsets>) {
  return {
    topics: topics.map(({ name, partitions }) => {
      const isTwice = new Set(partitions.map(({ partitionIndex }) => partitionIndex)).size < partitions.length;
      return {
        name,
        partitions: partitions.map(({ partitionIndex, timestamp }) => {
          const offset = BigInt(Math.max(0, count - Math.floor((nowMs - Number(timestamp)) / 1000)));
          const found = { offset, timestamp: BigInt(nowMs) - (BigInt(count) - offset) * 1000n };
          const none = { offset: -1n, timestamp: -1n };
          return { partitionIndex, errorCode: isTwice ? 42 : 0, leaderEpoch: 0, ...(offset < count ? found : none) };
        }),
      };
    }),
  };
}

function world(topics: readonly string[]) {
  return fakeClient(
    { ListOffsets: offsetsAt },
    topics.map((name) => topicOf(name, 1)),
  );
}

const at = (topic: string, secondsAgo: number) => ({ topic, partition: 0, offset: BigInt(count - secondsAgo) });

test('many partitions need as many requests as one', async () => {
  const topics = Array.from({ length: 50 }, (_, index) => `t${index}`);
  const requestsFor = async (items: readonly ReturnType<typeof at>[]): Promise<number> => {
    const { client, sent } = world(topics);
    expect((await unreadAges(client, items, nowMs)).size).toBe(items.length);
    return sent.length;
  };
  const one = await requestsFor([at('t0', 700)]);
  expect(one).toBeLessThan(20);
  expect(await requestsFor(topics.map((topic) => at(topic, 700)))).toBe(one);
});

test('records in one partition, as several groups have them, are searched for together', async () => {
  const { client, sent } = world(['t']);
  const seconds = [3, 40, 40, 500, 500, 70_000];
  const ages = await unreadAges(
    client,
    seconds.map((one) => at('t', one)),
    nowMs,
  );
  for (const one of seconds) {
    const age = (ages.get(ageKey(at('t', one))) ?? -1) / 1000;
    expect(age).toBeGreaterThanOrEqual(one);
    expect(age).toBeLessThanOrEqual(one * 1.05 + 1);
  }
  expect(ages.size).toBe(4);
  // Fewer than the fifteen rounds of each of the six.
  expect(sent.length).toBeLessThan(45);
});
