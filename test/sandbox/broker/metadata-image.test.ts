import { expect, test } from 'vitest';
import { metadata } from '../../../src/kafka/protocol/wire/apis/metadata.ts';
import { createModelCluster } from '../../../src/sandbox/broker/cluster.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
import { rawClient } from './client.ts';

test('delayed metadata does not replace newer metadata that arrived earlier', async () => {
  const clock = createVirtualClock(1);
  const brokers = [1, 2].map((id) => ({ id, host: `broker-${id}`, port: 9092 }));
  const { connect, control } = createModelCluster({ clock, brokers });
  control.createTopic({ name: 'orders', partitions: 1, replicas: 2 });
  await clock.runFor(100);
  const [first, second] = control.partition('orders', 0).replicas;
  control.setMetadataDelay(1, 500);
  control.moveLeader('orders', 0, second ?? -1);
  await clock.runFor(100);
  control.setMetadataDelay(1, 1);
  control.moveLeader('orders', 0, first ?? -1);
  await clock.runFor(1_000);
  const client = rawClient({ connect, control }, 1);
  const answer = client.ask(metadata, { topics: [{ name: 'orders' }] }, 4);
  const { topics } = await clock.runUntil(answer);
  expect(topics[0]?.partitions[0]?.leaderId).toBe(first);
});
