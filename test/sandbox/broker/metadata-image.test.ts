import { expect, test } from 'vitest';
import { metadata } from '../../../src/kafka/protocol/wire/apis/metadata.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
import { rawClient } from './client.ts';
import { createModelCluster } from './control.ts';

test('delayed metadata does not replace newer metadata that arrived earlier', async () => {
  const clock = createVirtualClock(1);
  const brokers = [1, 2].map((id) => ({ id, host: `broker-${id}`, port: 9092 }));
  const cluster = createModelCluster({ clock, brokers });
  const { control } = cluster;
  control.createTopic({ name: 'orders', partitions: 1, replicas: 2 });
  await clock.runFor(100);
  const [first, second] = control.partition('orders', 0).replicas;
  control.setMetadataDelay(1, 500);
  control.moveLeader('orders', 0, second ?? -1);
  await clock.runFor(100);
  control.setMetadataDelay(1, 1);
  control.moveLeader('orders', 0, first ?? -1);
  await clock.runFor(1_000);
  const client = rawClient(cluster, 1);
  const answer = client.ask(metadata, { topics: [{ name: 'orders' }] }, 4);
  const { topics } = await clock.runUntil(answer);
  expect(topics[0]?.partitions[0]?.leaderId).toBe(first);
});
