import { describe, expect, it } from 'vitest';
import { untilReported } from '../../../src/kafka/topics/topic-visibility.ts';
import { createTopics, deleteTopics } from '../../../src/kafka/topics/topics.ts';
import { createTopicsAnswer, deleteTopicsAnswer } from '../../services/scripted-answers.ts';
import { type Reaction, type ScriptedBroker, startScriptedBroker } from '../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../services/scripted-client.ts';
import { type ToldTopic, topicAnswer } from './topic-answer.ts';

const unknown: ToldTopic = { leaders: [], errorCode: 3 };
const leaderless: ToldTopic = { leaders: [1, -1] };
const there: ToldTopic = { leaders: [1, 1] };
const forbidden: ToldTopic = { leaders: [], errorCode: 29 };

/** A broker that reports the topic in these states in order, and the requests that it got. */
async function brokerTelling(told: readonly ToldTopic[], last: Reaction = 'drop'): Promise<ScriptedBroker> {
  const brokers: ScriptedBroker[] = [];
  const broker = await startScriptedBroker({
    Metadata({ before }) {
      const topic = told[before];
      return topic === undefined ? last : topicAnswer(brokers, topic);
    },
  });
  brokers.push(broker);
  return broker;
}

describe('waiting until brokers report a change', () => {
  it.each<['created' | 'deleted', string, ToldTopic[]]>([
    ['created', 'looks once when the topic is there', [there]],
    ['created', 'looks again until the topic is there with all its leaders', [unknown, leaderless, there]],
    ['created', 'does not wait for what it may not see', [forbidden]],
    ['deleted', 'looks once when the topic is gone', [unknown]],
    ['deleted', 'looks again until the topic is gone', [there, there, unknown]],
    ['deleted', 'does not wait for what it may not see', [forbidden]],
  ])('%s: %s', async (change, _, told) => {
    const broker = await brokerTelling(told);
    await using client = clientOf([broker.address]);
    await untilReported(client, ['foo'], change);
    expect(broker.of('Metadata').length).toBe(told.length);
    await broker.close();
  });

  it('sends nothing if nothing was done', async () => {
    const broker = await brokerTelling([]);
    await using client = clientOf([broker.address]);
    await untilReported(client, [], 'created');
    expect(broker.journal).toEqual([]);
    await broker.close();
  });

  it('stops waiting when the broker goes away: the work is done', async () => {
    const broker = await brokerTelling([unknown]);
    await using client = clientOf([broker.address], { retry: 0 });
    await untilReported(client, ['foo'], 'created');
    expect(broker.of('Metadata').length).toBe(2);
    await broker.close();
  });

  it('ends with the command', async () => {
    const broker = await brokerTelling([unknown], 'silent');
    await using client = clientOf([broker.address], { command: 300 });
    expect((await failureOf(untilReported(client, ['foo'], 'created'))).code).toBe('COMMAND_TIMEOUT');
    await broker.close();
  });

  it.each(['created', 'deleted'] as const)(
    'is part of the command: topics are %s when brokers report it',
    async (change) => {
      const brokers: ScriptedBroker[] = [];
      const reports = change === 'created' ? [there, unknown, there] : [there, there, unknown];
      const broker = await startScriptedBroker({
        // The first one is where the controller is looked up.
        Metadata: ({ before }) => topicAnswer(brokers, reports[before] ?? there),
        CreateTopics: createTopicsAnswer('foo', 0),
        DeleteTopics: deleteTopicsAnswer('foo', 0),
      });
      brokers.push(broker);
      await using client = clientOf([broker.address]);
      const options = { partitions: 1, replicas: 1, configs: [], dryRun: false, ifNotExists: false };
      if (change === 'created') await createTopics(client, { topics: ['foo'], ...options });
      else await deleteTopics(client, { topics: ['foo'], dryRun: false });
      expect(broker.of('Metadata')).toHaveLength(3);
      await broker.close();
    },
  );
});
