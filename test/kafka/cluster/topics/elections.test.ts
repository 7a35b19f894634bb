import { expect, it } from 'vitest';
import { electLeaders } from '../../../../src/kafka/cluster/topics/elections.ts';
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

const call = { topics: ['a'], partitions: [], dryRun: false };
const row = { topic: 'a', dry_run: false, error: null };

it('asks for the preferred leader only where another one leads, and reports each result', async () => {
  const { client, sent } = clusterOf([2, 1, 1, 1], [0, 0, 80, 84]);
  expect(await electLeaders(client, { ...call, type: 'preferred' })).toEqual([
    { ...row, partition: 1, status: 'OK', old_leader: 1, new_leader: 2 },
    {
      ...{ ...row, partition: 2, status: 'ERROR', old_leader: 1, new_leader: null },
      error: expect.objectContaining({ code: 'PREFERRED_LEADER_NOT_AVAILABLE', exit_code: 5 }),
    },
    { ...row, partition: 3, status: 'NOT_NEEDED', old_leader: 1, new_leader: 1 },
  ]);
  expect(sent).toMatchObject([{ electionType: 0, topicPartitions: [{ topic: 'a', partitions: [1, 2, 3] }] }]);
});

it('elects an unclean leader only for partitions without one', async () => {
  const { client, sent } = clusterOf([1, -1], [0, 0]);
  expect(await electLeaders(client, { ...call, type: 'unclean' })).toEqual([
    { ...row, partition: 1, status: 'OK', old_leader: -1, new_leader: 2 },
  ]);
  expect(sent).toMatchObject([{ electionType: 1, topicPartitions: [{ topic: 'a', partitions: [1] }] }]);
});

it('reports named partitions that need no election or do not exist, and sends nothing in a dry run', async () => {
  const { client, sent } = clusterOf([2, 1], [0, 0]);
  const rows = await electLeaders(client, { ...call, type: 'preferred', partitions: [0, 1, 7], dryRun: true });
  const dry = { ...row, dry_run: true };
  expect(rows).toEqual([
    { ...dry, partition: 0, status: 'NOT_NEEDED', old_leader: 2, new_leader: 2 },
    { ...dry, partition: 1, status: 'OK', old_leader: 1, new_leader: 2 },
    {
      ...{ ...dry, partition: 7, status: 'ERROR', old_leader: null, new_leader: null },
      error: expect.objectContaining({ code: 'UNKNOWN_TOPIC_OR_PARTITION' }),
    },
  ]);
  expect(sent).toEqual([]);
});

it('expects no preferred leader that is not in sync or offline', async () => {
  const { client, sent } = clusterOf([2, 2, 2, 2, 1, 1, 1], []);
  const dry = { ...row, dry_run: true, old_leader: 1 };
  const error = expect.objectContaining({ code: 'PREFERRED_LEADER_NOT_AVAILABLE', exit_code: 5 });
  expect(await electLeaders(client, { ...call, type: 'preferred', dryRun: true })).toEqual([
    { ...dry, partition: 4, status: 'OK', new_leader: 2 },
    { ...dry, partition: 5, status: 'ERROR', new_leader: null, error },
    { ...dry, partition: 6, status: 'ERROR', new_leader: null, error },
  ]);
  expect(sent).toEqual([]);
});
