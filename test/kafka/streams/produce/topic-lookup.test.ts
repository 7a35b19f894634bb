import { expect, test } from 'vitest';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { openProduceTopic } from '../../../../src/kafka/streams/produce/topics.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { createWorld } from '../../../simulation/world.ts';
import { fakeClient, produceBy } from './fake-client.ts';

const lookMs = 10_000;

test('a topic that is looked for, and does not exist, neither delays nor loses what was taken before it', async () => {
  const clock = createVirtualClock(1);
  const sentAt: number[] = [];
  let looks = 0;
  const client = fakeClient(clock, {
    async metadata() {
      looks += 1;
      if (looks > 1) await clock.sleep(lookMs);
    },
    produce() {
      sentAt.push(clock.now());
      return { base: 0 };
    },
  });
  const { text, error, endedAt } = await produceBy(client, ['foo a', 'foo b', 'bar c', 'foo d'], {
    ...{ topic: undefined, parser: compileParser('%t %v\\n'), maxMessageBytes: 1_000_000 },
  });
  expect(error?.message).toContain('unable to use topic "bar"');
  expect({ text, endedAt, batches: sentAt.length }).toEqual({ text: 'a@0 b@1', endedAt: lookMs, batches: 1 });
  expect(sentAt[0]).toBeLessThan(100);
});

test('brokers that create no topics are not waited for without a word about it', async () => {
  const world = createWorld({ seed: 1, brokerCount: 1, latencyMs: 2, settings: { autoCreateTopics: false } });
  const { client, close } = world.openClient('produce', { retry: 2_000 });
  await expect(world.clock.runUntil(openProduceTopic(client, 'orders', true), 600_000)).rejects.toMatchObject({
    code: 'RETRY_TIMEOUT',
    hints: [expect.stringContaining('use: weir topic create orders'), expect.any(String)],
  });
  close();
});
