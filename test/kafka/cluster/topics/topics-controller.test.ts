import { expect, test } from 'vitest';
import { createTopics, deleteTopics } from '../../../../src/kafka/cluster/topics/topics.ts';
import { deleteTopics as deleteTopicsApi } from '../../../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { answerOf } from '../../../services/answer.ts';
import { deadAddress } from '../../../services/dead-address.ts';
import { createTopicsAnswer, deleteTopicsAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';
import { topicAnswer } from './topic-answer.ts';

const foo = { topic: 'foo', partitions: 1, replicas: 1, configs: [] };
const call = { topics: [foo], ifNotExists: false };
const notController = 41;
const timedOut = 7;
const unknownTopic = 3;

async function controllerAnswering(
  created: readonly number[],
  deleted: readonly number[] = [0],
): Promise<ScriptedBroker> {
  const brokers: ScriptedBroker[] = [];
  const broker = await startScriptedBroker({
    Metadata: () => topicAnswer(brokers, { leaders: [1] }),
    CreateTopics: created.map((code) => createTopicsAnswer('foo', code)),
    DeleteTopics: deleted.map((code) => deleteTopicsAnswer('foo', code)),
  });
  brokers.push(broker);
  return broker;
}

test('a topic is created by the new controller after the old one was replaced', async () => {
  await using broker = await controllerAnswering([notController, 0]);
  await using client = clientOf([broker.address]);
  expect(await createTopics(client, call)).toMatchObject([{ topic: 'foo', status: undefined, error: null }]);
  expect(broker.of('CreateTopics')).toHaveLength(2);
});

test('a creation that may have been carried out is not repeated', async () => {
  await using broker = await controllerAnswering([timedOut, 0]);
  await using client = clientOf([broker.address]);
  const [row] = await createTopics(client, call);
  expect(row?.error?.code).toBe('REQUEST_TIMED_OUT');
  expect(broker.of('CreateTopics')).toHaveLength(1);
});

test('the deletion of a topic that the controller does not know fails at once', async () => {
  await using broker = await controllerAnswering([0], [unknownTopic]);
  await using client = clientOf([broker.address]);
  const [row] = await deleteTopics(client, ['foo']);
  expect(row?.error?.code).toBe('UNKNOWN_TOPIC_OR_PARTITION');
  expect(broker.of('DeleteTopics')).toHaveLength(1);
});

test('only Redpanda protects a topic that it leaves out of the answer', async () => {
  const brokers: ScriptedBroker[] = [];
  await using broker = await startScriptedBroker({
    Metadata: () => topicAnswer(brokers, { leaders: [1] }),
    DeleteTopics: answerOf(deleteTopicsApi, 4, { responses: [] }),
  });
  brokers.push(broker);
  await using client = clientOf([broker.address]);
  expect((await failureOf(deleteTopics(client, ['foo']))).message).toContain("the broker's answer leaves it out");
});

test('an unreachable controller is one failure, not one for each topic', async () => {
  await using dead = await deadAddress();
  await using client = clientOf([dead.address], { retry: 0 });
  expect((await failureOf(createTopics(client, { ...call, topics: [foo, { ...foo, topic: 'bar' }] }))).code).toBe(
    'CONNECTION_REFUSED',
  );
});
