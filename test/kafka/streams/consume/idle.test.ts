import { expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { consumeFrom } from '../../../../src/kafka/streams/consume/consume.ts';
import { openTopicSource, type PositionSource } from '../../../../src/kafka/streams/consume/topic-source.ts';
import { requestOf } from './consuming.ts';
import { createFakeCluster, type FakeOptions } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';
import { startReading } from './reading.ts';

/** Two partitions, each with a broker of its own. */
function twoBrokers(options: FakeOptions = {}) {
  return createFakeCluster({ foo: { partitions: [logOf(1, ['a']), logOf(2, ['b'])] } }, options);
}

/** What a client without an answer gets after its request limit. */
async function timedOut(sleep: (milliseconds: number) => Promise<void>): Promise<Error> {
  await sleep(10_000);
  return unreachableError('no Fetch response from broker 2');
}

it('--idle ends a read once every broker has answered that nothing came', async () => {
  for (const idleMs of [1, 3_000]) {
    const cluster = twoBrokers();
    const reading = startReading(cluster, 'start', { idleMs, fetchMaxWaitMs: 5_000 });
    await cluster.clock.runFor(idleMs + 1_100);
    expect([reading.isOver, reading.error, reading.text]).toEqual([true, undefined, '0=a 0=b']);
    cluster.deadline.dispose();
    expect(cluster.clock.pending).toBe(0);
  }
});

it('--idle does not take a broker without an answer for one without records: the read fails by the retry rule', async () => {
  const cluster = twoBrokers({
    limits: { retry: 30_000 },
    onFetch: ({ node }) => (node === 2 ? timedOut(cluster.clock.sleep) : undefined),
  });
  const reading = startReading(cluster, 'start', { idleMs: 3_000 });
  await cluster.clock.runFor(29_000);
  expect([reading.isOver, reading.text]).toEqual([false, '0=a']);
  await cluster.clock.runFor(60_000);
  expect(reading.error).toMatchObject({ exitCode: 5, message: expect.stringContaining('no Fetch response') });
});

it('--idle waits for a broker that answers late, and prints its records', async () => {
  const cluster = twoBrokers({
    onFetch: async ({ node }) => {
      if (node === 2 && cluster.clock.now() < 8_000) await cluster.clock.sleep(8_000);
      return undefined;
    },
  });
  const reading = startReading(cluster, ':end', { idleMs: 3_000 });
  await cluster.clock.runFor(12_000);
  expect([reading.isOver, reading.error, reading.text]).toEqual([true, undefined, '0=a 0=b']);
});

/** A read of one record whose source differs from that of a topic. */
async function readingFrom(change: (cluster: ReturnType<typeof twoBrokers>) => Partial<PositionSource>) {
  const cluster = twoBrokers();
  const warnings: string[] = [];
  const request = requestOf('start', { idleMs: 7_000, warn: (line) => warnings.push(line) });
  const opening = consumeFrom(cluster.client, request, async (wake) => ({
    ...(await openTopicSource(cluster.client, request, wake)),
    ...change(cluster),
  }));
  const consumption = await cluster.clock.runUntil(opening);
  return { ...cluster, ...consumption, warnings };
}

it('the time of --idle does not run out during a rebalance', async () => {
  const { pump, clock } = await readingFrom((cluster) => ({
    async tick() {
      await cluster.clock.sleep(20_000);
      return undefined;
    },
  }));
  let isOver = false;
  void pump({ write: () => undefined }).then(() => {
    isOver = true;
  });
  // The first look around begins after 5 s.
  await clock.runFor(24_000);
  expect(isOver).toBe(false);
});

it('a group whose last offsets are not committed fails with exit code 5, unless somebody has stopped the read', async () => {
  const line = 'the last offsets of group "g" are not committed: the group is rebalancing';
  const close: PositionSource['close'] = async (_, tell) => tell?.(line);
  const ended = await readingFrom(() => ({ close }));
  const failed = ended.pump({ write: () => undefined }).catch((error: unknown) => error);
  expect(await ended.clock.runUntil(failed)).toMatchObject({ exitCode: 5, message: line });
  expect(ended.warnings).toEqual([]);
  const stopped = await readingFrom(() => ({ close }));
  const pumped = stopped.pump({ write: () => undefined });
  stopped.stop();
  await stopped.clock.runUntil(pumped);
  expect(stopped.warnings).toEqual([line]);
});
