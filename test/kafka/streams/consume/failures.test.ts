import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { createFakeCluster } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';
import { fetcherOf, positionsOf, startReading } from './reading.ts';

const cutError = unreachableError('the broker closed the connection', { code: 'CONNECTION_CLOSED' });

describe('a failure', () => {
  it('of a whole Fetch is reported with its own error', async () => {
    const cluster = createFakeCluster(
      { foo: { partitions: [logOf(1, ['a'])] } },
      { onFetch: () => ({ throttleMs: 0, errorCode: 42, sessionId: 0, partitions: [] }) },
    );
    const reading = startReading(cluster, ':end');
    await cluster.clock.runUntil(reading.over);
    expect(reading.error).toMatchObject({
      message: expect.stringMatching(/^unable to read from broker 1: INVALID_REQUEST \(42\): /),
      code: 'INVALID_REQUEST',
    });
  });

  it('to find an existing offset is followed by a pause, however often it happens', async () => {
    const log = logOf(1, ['a']);
    const cluster = createFakeCluster(
      { foo: { partitions: [log] } },
      {
        onPartition(row) {
          log.logStart += 10n;
          log.highWatermark = log.logStart + 5n;
          return { ...row, errorCode: 1, records: Buffer.alloc(0) };
        },
      },
    );
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(60_000);
    expect(reading.warnings.length).toBeGreaterThan(20);
    expect(reading.warnings.length).toBeLessThan(40);
    reading.stop();
    await cluster.clock.runUntil(reading.over);
  });

  it('of one partition is reported after the records that came in the same answer', async () => {
    const cluster = createFakeCluster(
      { foo: { partitions: [logOf(1, ['a']), logOf(1, ['b']), logOf(1, ['c'])] } },
      { onPartition: (row) => (row.partition === 1 ? { ...row, records: Buffer.alloc(0), errorCode: 29 } : row) },
    );
    const reading = startReading(cluster, ':end');
    await cluster.clock.runUntil(reading.over);
    expect(reading.text).toBe('0=a 0=c');
    expect(reading.error).toMatchObject({ code: 'TOPIC_AUTHORIZATION_FAILED', exitCode: 4 });
  });

  it('that ends the read is reported after the records already received from other brokers', async () => {
    const cluster = createFakeCluster(
      { foo: { partitions: [logOf(1, ['a'], ['b']), logOf(2, ['c'], ['d'], ['e'])] } },
      {
        perAnswer: 1,
        onPartition: (row, { request }) =>
          row.partition === 0 && request.topics[0]?.partitions[0]?.fetchOffset === 1n
            ? { ...row, records: Buffer.alloc(0), errorCode: 29 }
            : row,
      },
    );
    const fetcher = fetcherOf(cluster);
    fetcher.setPositions(positionsOf(cluster, 'foo'));
    const read: number[] = [];
    const failure = await cluster.clock.runUntil(
      (async () => {
        for (;;) {
          const chunks = await fetcher.next();
          if (typeof chunks === 'string') return chunks;
          read.push(...chunks.map(({ position }) => position.partition));
          // Printing takes longer than the next answer of each broker.
          await cluster.clock.sleep(1_000);
        }
      })().catch((error: unknown) => error),
    );
    expect(failure).toMatchObject({ code: 'TOPIC_AUTHORIZATION_FAILED' });
    expect(read).toEqual([0, 1, 1]);
    fetcher.close();
  });

  it('of a connection is retried, with one lookup of the leaders of all partitions of that broker', async () => {
    const partitions = Array.from({ length: 50 }, (_, index) => logOf((index % 2) + 1, ['a'], ['b']));
    let cuts = 0;
    const cluster = createFakeCluster(
      { foo: { partitions } },
      {
        onFetch({ node, at }) {
          if (node !== 1 || at < 10 || cuts === 3) return undefined;
          cuts += 1;
          return cutError;
        },
      },
    );
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(9_000);
    expect([cuts, reading.error]).toEqual([3, undefined]);
    // One at the start, one before the first Fetch, one for each cut.
    expect(cluster.metadataRequests).toHaveLength(2 + 3);
    expect(cluster.open).toBe(2);
    reading.stop();
    await cluster.clock.runUntil(reading.over);
    expect(cluster.open).toBe(0);
  });

  it('is retried for the retry timeout since the first one in a row, not since the start', async () => {
    const cluster = createFakeCluster(
      { foo: { partitions: [logOf(1, ['a'])] } },
      { limits: { retry: 10_000 }, onFetch: ({ at }) => (at > 60_000 ? cutError : undefined) },
    );
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(69_000);
    expect(reading.isOver).toBe(false);
    await cluster.clock.runUntil(reading.over, 5_000);
    expect(reading.error).toMatchObject({
      ...{ code: 'RETRY_TIMEOUT', cause: cutError },
      message: expect.stringMatching(/ \(gave up on Fetch after \d attempts in .*, globals\.retry_timeout=10s\)$/),
      hints: ['raise the limit with -X globals.retry_timeout=DURATION'],
    });
  });
});

describe('closing', () => {
  it('ends the pause before the next leader lookup, and leaves no timer', async () => {
    const cluster = createFakeCluster({ foo: { partitions: [logOf(-1)] } });
    const fetcher = fetcherOf(cluster);
    const timers = cluster.clock.pending;
    fetcher.setPositions(positionsOf(cluster, 'foo'));
    const next = fetcher.next();
    await cluster.clock.runFor(20_000);
    expect(cluster.clock.pending).toBe(timers + 1);
    fetcher.close();
    expect(await next).toBe('finished');
    expect(cluster.clock.pending).toBe(timers);
  });

  it('ends the pauses in which the end of a range is confirmed', async () => {
    const cluster = createFakeCluster({ foo: { partitions: [{ ...logOf(1, ['a']), highWatermark: 5n }] } });
    const timers = cluster.clock.pending;
    const reading = startReading(cluster, ':5');
    await cluster.clock.runUntil(
      (async () => {
        while (!cluster.fetches.some(({ isAlone }) => isAlone)) await cluster.clock.sleep(1);
        await cluster.clock.sleep(50);
      })(),
    );
    reading.stop();
    await cluster.clock.settle();
    expect(reading.isOver).toBe(true);
    expect(reading.error).toBeUndefined();
    expect(cluster.clock.pending).toBe(timers);
  });
});

describe('an offset that the leader does not have', () => {
  it('although its log contains it is requested again by the retry rule, not at once', async () => {
    const cluster = createFakeCluster(
      { foo: { partitions: [logOf(1, ['a', 'b'])] } },
      { limits: { retry: 5_000 }, onPartition: (row) => ({ ...row, records: Buffer.alloc(0), errorCode: 1 }) },
    );
    const reading = startReading(cluster, 'start');
    await cluster.clock.runUntil(reading.over, 20_000);
    expect(reading.error).toMatchObject({ code: 'RETRY_TIMEOUT', cause: { code: 'OFFSET_OUT_OF_RANGE' } });
    expect(cluster.fetches.length).toBeLessThan(10);
  });

  it('is looked up once for all partitions of an answer', async () => {
    const partitions = Array.from({ length: 30 }, () => logOf(1, ['a', 'b']));
    const cluster = createFakeCluster({ foo: { partitions } });
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    for (const log of partitions) {
      log.logStart = 10n;
      log.highWatermark = 11n;
      log.batches = [{ base: 10n, values: ['c'] }];
    }
    const asked = cluster.metadataRequests.length;
    await cluster.clock.runFor(1_000);
    expect(reading.text.match(/10=c/g)).toHaveLength(30);
    expect(cluster.metadataRequests.length - asked).toBe(1);
    reading.stop();
    await cluster.clock.runUntil(reading.over);
  });
});
