import { expect, test } from 'vitest';
import type { NextTry } from '../../../../src/deadline.ts';
import { openClient } from '../../../../src/kafka/protocol/client/open-client.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { runProduce } from '../../../simulation/producing.ts';
import { createWorld } from '../../../simulation/world.ts';

test('a producer that has to wait reports it at once and again after a while, once for all partitions', async () => {
  const world = createWorld({ seed: 1, brokerCount: 1, latencyMs: 1, settings: {} });
  const { clock, cluster, network, brokers } = world;
  cluster.control.createTopic({ name: 'orders', partitions: 8 });
  const told: { readonly at: number; readonly message: string; readonly next: NextTry | undefined }[] = [];
  const deadline = deadlineOf({ command: 600_000 }, clock, (error, next) => {
    told.push({ at: clock.now(), message: error.message, next });
  });
  const client = openClient({
    ...{ brokers, tls: undefined, sasl: undefined, clientId: 'p', deadline, dial: network.dial },
  });
  // All partitions have records in flight when the broker stops.
  clock.after(40, () => cluster.control.kill(1));
  clock.after(10_000, () => cluster.control.start(1));
  const produced = runProduce(
    world,
    { name: 'p', client, clock: { running: () => undefined }, close: client.close, timersLeft: 0 },
    {
      ...{ topic: 'orders', records: 400, hasKeys: true, burst: 100, pauseMs: 20, acks: -1, compression: 'none' },
      ...{ deliveryTimeoutMs: undefined, maxMessageBytes: 90 },
    },
  );
  expect((await clock.runUntil(produced)).error).toBeUndefined();
  client.close();
  deadline.dispose();
  const firsts = told.filter(({ next }) => next?.what === 'attempt 2 of Produce');
  expect(firsts.length).toBeGreaterThan(0);
  expect(firsts.length).toBeLessThan(8);
  expect(told[0]?.at).toBeLessThan(1_000);
  expect(told.some(({ at, next }) => next?.isLong === true && at >= 2_000)).toBe(true);
});
