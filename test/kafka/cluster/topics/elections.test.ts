import { expect, it } from 'vitest';
import { electLeaders, planElections } from '../../../../src/kafka/cluster/topics/elections.ts';
import type { ElectionType } from '../../../../src/kafka/cluster/topics/topic-rows.ts';
import type { Client, TopicMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { Question } from '../../../../src/kafka/protocol/client/question.ts';
import { kafkaError } from '../../../../src/kafka/protocol/errors.ts';

/** Broker 2 is not available for partitions from 5 on. */
const partition = (number: number, leader: number) => ({
  ...{ partition: number, errorCode: 0, leader, leaderEpoch: 0, replicas: [2, 1] },
  ...{ isr: number === 5 ? [1] : [1, 2], offlineReplicas: number === 6 ? [2] : [] },
});

interface Sent {
  readonly electionType: number;
  readonly topicPartitions: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** A cluster that answers with an error code for each partition, and then has leader 2 where that is 0. */
function clusterOf(leaders: readonly number[], codes: readonly number[]) {
  const sent: Sent[] = [];
  let now = leaders;
  const topic = (): TopicMetadata => ({
    ...{ name: 'a', errorCode: 0, internal: false },
    partitions: now.map((leader, number) => partition(number, leader)),
  });
  const client = {
    options: { deadline: { signal: new AbortController().signal, clock: { now: () => 0, sleep: async () => {} } } },
    metadata: async () => ({ clusterId: 'c', controllerId: 1, brokers: [], topics: [topic()] }),
    async ask<Item, Row>(question: Question<Item, Row>, items: readonly Item[]) {
      const partitions = codes.map((errorCode, partitionId) => ({ partitionId, errorCode }));
      sent.push(question.request(items, () => -1) as Sent);
      const answer = { errorCode: 0, replicaElectionResults: [{ topic: 'a', partitionResult: partitions }] };
      const rows = question.rows(answer, items);
      now = leaders.map((leader, number) => (codes[number] === 0 ? 2 : leader));
      return items.map((item, index) => {
        const row = rows[index];
        const code = row?.errorCode ?? 0;
        return { item, row, error: code === 0 ? undefined : kafkaError(code, 'no') };
      });
    },
  } as unknown as Client;
  return { client, sent };
}

/** What is planned, and what becomes of the partitions that need an election. */
async function elected(client: Client, type: ElectionType) {
  const planned = await planElections(client, { type, topics: ['a'], partitions: [] });
  const outcomes = await electLeaders(client, planned, type);
  return planned.map(({ partition, old_leader }, at) => ({ partition, old_leader, ...outcomes[at] }));
}

it('asks for the preferred leader only where another one leads, and reports each result', async () => {
  const { client, sent } = clusterOf([2, 1, 1, 1], [0, 0, 80, 84]);
  expect(await elected(client, 'preferred')).toEqual([
    { partition: 1, old_leader: 1, new_leader: 2, error: null },
    {
      ...{ partition: 2, old_leader: 1, new_leader: null },
      error: expect.objectContaining({ code: 'PREFERRED_LEADER_NOT_AVAILABLE', exit_code: 5 }),
    },
    { partition: 3, old_leader: 1, new_leader: 1, status: 'NOT_NEEDED', error: null },
  ]);
  expect(sent).toMatchObject([{ electionType: 0, topicPartitions: [{ topic: 'a', partitions: [1, 2, 3] }] }]);
});

it('elects an unclean leader only for partitions without one', async () => {
  const { client, sent } = clusterOf([1, -1], [0, 0]);
  expect(await elected(client, 'unclean')).toEqual([{ partition: 1, old_leader: -1, new_leader: 2, error: null }]);
  expect(sent).toMatchObject([{ electionType: 1, topicPartitions: [{ topic: 'a', partitions: [1] }] }]);
});

it('plans named partitions that need no election or do not exist, and sends nothing', async () => {
  const { client, sent } = clusterOf([2, 1], [0, 0]);
  const row = { topic: 'a', error: null };
  expect(await planElections(client, { type: 'preferred', topics: ['a'], partitions: [0, 1, 7] })).toEqual([
    { ...row, partition: 0, status: 'NOT_NEEDED', old_leader: 2, new_leader: 2 },
    { ...row, partition: 1, old_leader: 1, new_leader: 2, expected: null },
    {
      ...{ topic: 'a', partition: 7, old_leader: null, new_leader: null },
      error: expect.objectContaining({ code: 'UNKNOWN_TOPIC_OR_PARTITION' }),
    },
  ]);
  expect(sent).toEqual([]);
});

it('expects no preferred leader that is not in sync or offline', async () => {
  const { client } = clusterOf([2, 2, 2, 2, 1, 1, 1], []);
  const planned = await planElections(client, { type: 'preferred', topics: ['a'], partitions: [] });
  const failure = expect.objectContaining({ code: 'PREFERRED_LEADER_NOT_AVAILABLE', exit_code: 5 });
  expect(planned.map(({ partition, expected }) => [partition, expected])).toEqual([
    [4, null],
    [5, failure],
    [6, failure],
  ]);
});
