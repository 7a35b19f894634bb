import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { askOffsets } from '../../../../src/kafka/protocol/partitions/offsets.ts';
import { listOffsets, offsetTimes } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { answerOf, requestIn } from '../../../services/answer.ts';
import { type Arrival, type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';

const latest = { time: offsetTimes.latest, isolation: 'uncommitted' } as const;

function topicOf(...leaders: readonly number[]) {
  const partitions = leaders.map((leader, partition) => ({
    partition,
    leader,
    leaderEpoch: 1,
    errorCode: 0,
    replicas: [leader],
    isr: [leader],
    offlineReplicas: [],
  }));
  return { name: 'foo', errorCode: 0, internal: false, partitions };
}

/** ListOffsets v5: error code and offset by partition. */
function offsetsAnswer(
  partitions: readonly (readonly [partition: number, errorCode: number, offset: bigint])[],
): Buffer {
  const rows = partitions.map(([partitionIndex, errorCode, offset]) => ({
    partitionIndex,
    errorCode,
    timestamp: -1n,
    offset,
    leaderEpoch: 1,
  }));
  return answerOf(listOffsets, 5, { topics: [{ name: 'foo', partitions: rows }] });
}

describe('asking the leaders for offsets', () => {
  it('sends one request to each leader, whatever the number of partitions', async () => {
    const brokers: ScriptedBroker[] = [];
    const script = {
      Metadata: () => topicAnswer(brokers, { leaders: [1, 2, 1] }),
      ListOffsets: (arrival: Arrival) => {
        // The first leader has the partitions 0 and 2, the second has 1: the count identifies the leader.
        const count = requestIn(listOffsets, arrival).topics[0]?.partitions.length;
        return offsetsAnswer(
          count === 2
            ? [
                [0, 0, 10n],
                [2, 0, 30n],
              ]
            : [[1, 0, 20n]],
        );
      },
    };
    brokers.push(await startScriptedBroker(script), await startScriptedBroker(script));
    await using client = clientOf([brokers[0]?.address ?? '']);
    const answers = await askOffsets(client, [topicOf(1, 2, 1)], latest);
    expect([0, 1, 2].map((partition) => answers.get('foo')?.get(partition)?.offset)).toEqual([10n, 20n, 30n]);
    expect(brokers.map((broker) => broker.of('ListOffsets').length)).toEqual([1, 1]);
    await Promise.all(brokers.map((broker) => broker.close()));
  });

  it.each([
    ['uncommitted', 0],
    ['committed', 1],
  ] as const)('asks for the %s end of the log', async (isolation, level) => {
    const brokers: ScriptedBroker[] = [];
    const broker = await startScriptedBroker({
      Metadata: () => topicAnswer(brokers, { leaders: [1] }),
      ListOffsets: offsetsAnswer([[0, 0, 10n]]),
    });
    brokers.push(broker);
    await using client = clientOf([broker.address]);
    await askOffsets(client, [topicOf(1)], { ...latest, isolation });
    expect(broker.of('ListOffsets').map((arrival) => requestIn(listOffsets, arrival))).toMatchObject([
      { isolationLevel: level, topics: [{ partitions: [{ currentLeaderEpoch: 2, timestamp: -1n }] }] },
    ]);
    await broker.close();
  });

  it('finds the new leader of a partition that has moved, and asks for that one only', async () => {
    const brokers: ScriptedBroker[] = [];
    const metadata = ({ before }: Arrival) => topicAnswer(brokers, { leaders: [1, before === 0 ? 1 : 2] });
    const first = await startScriptedBroker({
      Metadata: metadata,
      ListOffsets: offsetsAnswer([
        [0, 0, 10n],
        [1, 6, -1n],
      ]),
    });
    const second = await startScriptedBroker({ Metadata: metadata, ListOffsets: offsetsAnswer([[1, 0, 20n]]) });
    brokers.push(first, second);
    await using client = clientOf([first.address]);
    const answers = await askOffsets(client, [topicOf(1, 1)], latest);
    expect(answers.get('foo')?.get(0)).toMatchObject({ offset: 10n, error: undefined });
    expect(answers.get('foo')?.get(1)).toMatchObject({ offset: 20n, error: undefined });
    expect([first.of('ListOffsets').length, second.of('ListOffsets').length]).toEqual([1, 1]);
    await Promise.all(brokers.map((broker) => broker.close()));
  });

  it.each([
    ['waits for a leader', undefined, { offset: 10n, error: undefined }],
    ['reports at once that there is no leader, if told to,', true, { offset: -1n, error: 'LEADER_NOT_AVAILABLE' }],
  ])('%s', async (_what, reportsLeaderless, answer) => {
    const brokers: ScriptedBroker[] = [];
    const broker = await startScriptedBroker({
      Metadata: ({ before }) => topicAnswer(brokers, { leaders: [before === 0 ? -1 : 1] }),
      ListOffsets: offsetsAnswer([[0, 0, 10n]]),
    });
    brokers.push(broker);
    await using client = clientOf([broker.address]);
    const query = { ...latest, ...(reportsLeaderless && { reportsLeaderless }) };
    expect((await askOffsets(client, [topicOf(-1)], query)).get('foo')?.get(0)).toMatchObject(answer);
    await broker.close();
  });

  it('reports the error of each partition when the retry timeout has passed', async () => {
    const brokers: ScriptedBroker[] = [];
    const broker = await startScriptedBroker({
      Metadata: () => topicAnswer(brokers, { leaders: [1, 1, -1] }),
      ListOffsets: offsetsAnswer([
        [0, 0, 10n],
        [1, 6, -1n],
      ]),
    });
    brokers.push(broker);
    await using client = clientOf([broker.address], { retry: 0 });
    const answers = await askOffsets(client, [topicOf(1, 1, -1)], latest);
    expect(answers.get('foo')?.get(0)?.error).toBeUndefined();
    expect(answers.get('foo')?.get(1)).toMatchObject({ offset: -1n, timestamp: -1n, error: 'NOT_LEADER_OR_FOLLOWER' });
    expect(answers.get('foo')?.get(2)?.error).toBe('LEADER_NOT_AVAILABLE');
    await broker.close();
  });

  it('names the error code of the last answer, not the limit that ended the retries', async () => {
    const error = unreachableError('gave up', { code: 'RETRY_TIMEOUT' });
    const row = { partition: 0, errorCode: 6, timestamp: -1n, offset: -1n, leaderEpoch: -1 };
    const ask = async (_: unknown, items: readonly unknown[]) => items.map((item) => ({ item, row, error }));
    const answers = await askOffsets({ ask } as unknown as Client, [topicOf(1)], latest);
    expect(answers.get('foo')?.get(0)).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER', cause: error });
  });

  it('names the limit for the partitions of a leader that does not answer', async () => {
    const brokers: ScriptedBroker[] = [];
    const broker = await startScriptedBroker({ Metadata: () => topicAnswer(brokers, { leaders: [1] }) });
    brokers.push(broker);
    await using client = clientOf([broker.address], { retry: 0, overhead: 100 });
    const answers = await askOffsets(client, [topicOf(1)], latest);
    expect(answers.get('foo')?.get(0)?.error).toBe('REQUEST_TIMEOUT');
    await broker.close();
  });

  it('asks the follower of a leader that went away', async () => {
    const brokers: ScriptedBroker[] = [];
    const metadata = ({ before }: Arrival) => topicAnswer(brokers, { leaders: [before === 0 ? 1 : 2] });
    const first = await startScriptedBroker({ Metadata: metadata, ListOffsets: 'drop' });
    const second = await startScriptedBroker({ ListOffsets: offsetsAnswer([[0, 0, 20n]]) });
    brokers.push(first, second);
    await using client = clientOf([first.address]);
    const answers = await askOffsets(client, [topicOf(1)], latest);
    expect(answers.get('foo')?.get(0)).toMatchObject({ offset: 20n, error: undefined });
    expect([first.of('ListOffsets').length, second.of('ListOffsets').length]).toEqual([1, 1]);
    await Promise.all(brokers.map((broker) => broker.close()));
  });

  it('ends with the command', async () => {
    const brokers: ScriptedBroker[] = [];
    const broker = await startScriptedBroker({ Metadata: () => topicAnswer(brokers, { leaders: [1] }) });
    brokers.push(broker);
    await using client = clientOf([broker.address], { command: 200 });
    expect((await failureOf(askOffsets(client, [topicOf(1)], latest))).code).toBe('COMMAND_TIMEOUT');
    await broker.close();
  });
});
