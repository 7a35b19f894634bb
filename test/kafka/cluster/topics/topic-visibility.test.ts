import { describe, expect, it } from 'vitest';
import { untilReported } from '../../../../src/kafka/cluster/topics/topic-visibility.ts';
import { createTopics, deleteTopics } from '../../../../src/kafka/cluster/topics/topics.ts';
import { createTopicsAnswer, deleteTopicsAnswer } from '../../../services/scripted-answers.ts';
import type { Reaction } from '../../../services/scripted-broker.ts';
import type { TestLimits } from '../../../services/scripted-client.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { type ToldTopic, topicAnswer } from './topic-answer.ts';

const unknown: ToldTopic = { leaders: [], errorCode: 3 };
const leaderless: ToldTopic = { leaders: [1, -1] };
const there: ToldTopic = { leaders: [1, 1] };
const forbidden: ToldTopic = { leaders: [], errorCode: 29 };

const self = [{ address: { host: 'one', port: 9092 } }];

/** A client of a broker that reports the topic in these states in order. */
function clientTold(told: readonly ToldTopic[], last: Reaction = 'drop', limits: TestLimits = {}) {
  const Metadata = [...told.map((topic) => topicAnswer(self, topic)), last];
  return virtualClient({ Metadata }, limits);
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
    const { clock, links, client } = clientTold(told);
    await clock.runUntil(untilReported(client, ['foo'], change));
    expect(links.of('Metadata').length).toBe(told.length);
    client.close();
  });

  it('sends nothing if nothing was done', async () => {
    const { clock, links, client } = clientTold([]);
    await clock.runUntil(untilReported(client, [], 'created'));
    expect(links.journal).toEqual([]);
    client.close();
  });

  it('stops waiting when the broker goes away: the work is done', async () => {
    const { clock, links, client } = clientTold([unknown], 'drop', { retry: 0 });
    await clock.runUntil(untilReported(client, ['foo'], 'created'));
    expect(links.of('Metadata').length).toBe(2);
    client.close();
  });

  it('ends with the command, whose change is done', async () => {
    const { clock, client } = clientTold([unknown], 'silent', { command: 300 });
    await clock.runUntil(untilReported(client, ['foo'], 'created'));
    expect([client.deadline.signal.aborted, clock.now()]).toEqual([true, 300]);
    client.close();
  });

  it.each(['created', 'deleted'] as const)(
    'is part of the command: topics are %s when brokers report it',
    async (change) => {
      // The first one is where the controller is looked up.
      const reports = change === 'created' ? [there, unknown, there] : [there, there, unknown];
      const { clock, links, client } = virtualClient({
        Metadata: reports.map((told) => topicAnswer(self, told)),
        CreateTopics: createTopicsAnswer('foo', 0),
        DeleteTopics: deleteTopicsAnswer('foo', 0),
      });
      const topics = [{ topic: 'foo', partitions: 1, replicas: 1, configs: [] }];
      const work =
        change === 'created' ? createTopics(client, { topics, ifNotExists: false }) : deleteTopics(client, ['foo']);
      await clock.runUntil(Promise.resolve<unknown>(work));
      expect(links.of('Metadata')).toHaveLength(3);
      client.close();
    },
  );
});
