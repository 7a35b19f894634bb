import { expect, test } from 'vitest';
import type { Placed } from '../../../../src/kafka/cluster/topics/reassignment/placement.ts';
import { planMoves } from '../../../../src/kafka/cluster/topics/reassignment/reassignments.ts';
import type { TrimTarget } from '../../../../src/kafka/cluster/topics/topic-rows.ts';
import { planTrim } from '../../../../src/kafka/cluster/topics/trim.ts';
import type { Client, ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';

const topicCount = 100;
const partitionCount = 1_000;
const many = topicCount * partitionCount;

const names = Array.from({ length: topicCount }, (_, at) => `t${at}`);
const numbers = Array.from({ length: partitionCount }, (_, at) => at);

/** A cluster with 100,000 partitions, and how often their numbers were looked at. */
function cluster() {
  const state = { reads: 0 };
  const partition = (number: number) => ({
    get partition() {
      state.reads += 1;
      return number;
    },
    ...{ errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [1], isr: [1], offlineReplicas: [] },
  });
  const metadata: ClusterMetadata = {
    ...{ clusterId: 'c', controllerId: 1 },
    brokers: [1, 2].map((id) => ({ id, host: 'h', port: id, rack: undefined })),
    topics: names.map((name) => ({ name, errorCode: 0, internal: false, partitions: numbers.map(partition) })),
  };
  const client = {
    metadata: async () => metadata,
    request: async () => ({ errorCode: 0, errorMessage: undefined, topics: [] }),
    ask: async (_: unknown, items: readonly unknown[]) =>
      items.map((item) => ({ item, row: { errorCode: 0, offset: 9n, timestamp: -1n }, error: undefined })),
  };
  return { client: client as unknown as Client, state };
}

const places = names.flatMap((topic) => numbers.map((partition) => ({ topic, partition })));

test('a plan for 100,000 partitions looks at each of them a few times', async () => {
  const { client, state } = cluster();
  const partitions = places.map((place): Placed => ({ ...place, replicas: [2] }));
  const rows = await planMoves(client, { partitions, additional: false });
  expect(rows.filter(({ status, error }) => status === undefined && error === null)).toHaveLength(many);
  expect(state.reads / many).toBeLessThan(10);
});

test('a trim of 100,000 partitions looks at each of them, and at each line, a few times', async () => {
  const { client, state } = cluster();
  const targets = places.map(
    ({ topic, partition }): TrimTarget => ({
      topic,
      get partition() {
        state.reads += 1;
        return partition;
      },
      to: { at: 'exact', offset: 9n },
    }),
  );
  const rows = await planTrim(client, targets);
  expect(rows.filter(({ error }) => error === null)).toHaveLength(many);
  expect(state.reads / many).toBeLessThan(20);
});
