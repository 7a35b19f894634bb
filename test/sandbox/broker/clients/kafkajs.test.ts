import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { describe, expect, test } from 'vitest';
import { clientStage, expectSharedReading, type Reader } from './stage.ts';

const stage = clientStage();

function kafka(): Kafka {
  return new Kafka({ clientId: 'kafkajs', brokers: stage.brokers().split(','), logLevel: logLevel.NOTHING });
}

async function write(topic: string, values: readonly string[], compression = CompressionTypes.None): Promise<void> {
  const producer = kafka().producer();
  await producer.connect();
  const messages = values.map((value) => ({ key: value, value, headers: { of: value } }));
  await producer.send({ topic, messages, compression });
  await producer.disconnect();
}

/** Starts a group member that stores the values it reads in `lines`. */
async function join(topic: string, groupId: string): Promise<Reader> {
  const consumer = kafka().consumer({ groupId, sessionTimeout: 60_000, heartbeatInterval: 200, maxWaitTimeInMs: 200 });
  const lines: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => void lines.push(message.value?.toString() ?? ''),
  });
  return { lines, leave: () => consumer.disconnect() };
}

async function expectRead(topic: string, values: readonly string[]): Promise<void> {
  const reader = await join(topic, `reader of ${topic}`);
  await expect.poll(() => [...reader.lines].sort(), { timeout: 60_000 }).toEqual([...values].sort());
  await reader.leave();
}

const values = Array.from({ length: 1_000 }, (_, index) => `value ${index}`);

describe('kafkajs', () => {
  test.each([CompressionTypes.None, CompressionTypes.GZIP])(
    'writes with codec %i and reads the records back',
    async (codec) => {
      const topic = stage.newTopic();
      await write(topic, values, codec);
      await expectRead(topic, values);
    },
  );

  test('creates, describes and deletes topics', async () => {
    const admin = kafka().admin();
    await admin.connect();
    expect(await admin.createTopics({ topics: [{ topic: 'made', numPartitions: 2, replicationFactor: 3 }] })).toBe(
      true,
    );
    expect((await admin.fetchTopicMetadata({ topics: ['made'] })).topics[0]?.partitions).toHaveLength(2);
    await admin.deleteTopics({ topics: ['made'] });
    // Another broker may learn of the deletion a moment later.
    await expect.poll(() => admin.listTopics()).not.toContain('made');
    await admin.disconnect();
  });

  test('shares a topic in a group, and every record is read once even after a member leaves', async () => {
    const topic = stage.newTopic();
    await expectSharedReading({
      write: (some) => write(topic, some),
      join: () => join(topic, `group of ${topic}`),
    });
  });

  test('commits and aborts transactions', async () => {
    const topic = stage.newTopic();
    const producer = kafka().producer({ transactionalId: `${topic}-writer`, idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    for (const [value, isCommitted] of [
      ['a', true],
      ['b', false],
      ['c', true],
    ] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value }] });
      await (isCommitted ? transaction.commit() : transaction.abort());
    }
    await producer.disconnect();
    await expectRead(topic, ['a', 'c']);
  });
});
