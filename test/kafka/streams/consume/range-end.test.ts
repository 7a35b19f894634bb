import { describe, expect, it } from 'vitest';
import { consume } from '../../../../src/kafka/streams/consume/open.ts';
import type { ConsumeRequest } from '../../../../src/kafka/streams/consume/request.ts';
import { batchAt } from '../../record-answers.ts';
import { requestOf } from './consuming.ts';
import { createFakeCluster, type FakeCluster, type FakeOptions } from './fake-cluster.ts';
import { type FakePartition, logOf } from './fake-log.ts';

const empty = Buffer.alloc(0);

/** Reads a range of the topic `foo` in virtual time; what was printed, and how long it took in milliseconds. */
async function readRange(cluster: FakeCluster, range: string, more: Partial<ConsumeRequest> = {}) {
  let text = '';
  const reading = async (): Promise<void> => {
    const consumption = await consume(cluster.client, requestOf(range, more));
    await consumption.pump({
      write(chunk) {
        text += Buffer.from(chunk).toString();
        return undefined;
      },
    });
  };
  const start = cluster.clock.now();
  try {
    await cluster.clock.runUntil(reading());
  } finally {
    cluster.deadline.dispose();
  }
  return { text: text.trim(), ms: cluster.clock.now() - start };
}

function clusterOf(partitions: FakePartition[], options: FakeOptions = {}): FakeCluster {
  return createFakeCluster({ foo: { partitions } }, options);
}

/** A log whose last offsets were compacted away. */
function withoutTail(localStart?: bigint): FakePartition {
  return { ...logOf(1, ['a', 'b']), highWatermark: 9n, ...(localStart === undefined ? {} : { localStart }) };
}

describe('a range is at its end', () => {
  it('when a batch beyond the end was read, without another request', async () => {
    const cluster = clusterOf([logOf(1, ['a', 'b'], ['c', 'd'])]);
    expect((await readRange(cluster, ':3')).text).toBe('0=a 1=b 2=c');
    expect(cluster.fetches.some(({ isAlone }) => isAlone)).toBe(false);
  });

  it('when its leader, asked only about it, has nothing on its own disks', async () => {
    const cluster = clusterOf([withoutTail(0n)]);
    expect((await readRange(cluster, ':9')).text).toBe('0=a 1=b');
    const alone = cluster.fetches.filter(({ isAlone }) => isAlone);
    expect(alone.map(({ names, request }) => [names, request.rackId, request.maxWaitMs, request.sessionEpoch])).toEqual(
      [[['foo/0'], '', 0, -1]],
    );
  });

  it('when that happens three times in a row, if the broker cannot report what is on its disks', async () => {
    const cluster = clusterOf([withoutTail()]);
    expect((await readRange(cluster, ':9')).text).toBe('0=a 1=b');
    expect(cluster.fetches.filter(({ isAlone }) => isAlone)).toHaveLength(3);
  });

  it('for a committed read, when the last stable offset reaches it', async () => {
    const stable = clusterOf([{ ...withoutTail(0n), lastStable: 9n }]);
    expect((await readRange(stable, ':9', { readCommitted: true })).text).toBe('0=a 1=b');
    const open = clusterOf([{ ...withoutTail(0n), lastStable: 2n }], { onFetch: () => undefined });
    const log = open.topics.foo?.partitions[0];
    // The plan uses the last stable offset first; the fake has only one end.
    open.clock.after(20_000, () => {
      if (log !== undefined) log.lastStable = 9n;
    });
    expect((await readRange(open, ':9', { readCommitted: true })).ms).toBeGreaterThan(19_000);
  });
});

describe('a range whose end is gone', () => {
  it('because an unclean election has cut the log ends with a warning', async () => {
    const cluster = clusterOf([logOf(1, ['a', 'b'], ['c'])], {
      onPartition: (row) => (row.records.length > 0 ? { ...row, records: batchAt(0n, ['a', 'b'], 1) } : row),
    });
    const log = cluster.topics.foo?.partitions[0];
    const warnings: string[] = [];
    cluster.clock.after(3, () => {
      if (log === undefined) return;
      log.batches = log.batches.slice(0, 1);
      log.highWatermark = 2n;
    });
    const { text } = await readRange(cluster, ':end', { warn: (line) => warnings.push(line) });
    expect(text).toBe('0=a 1=b');
    expect(warnings).toEqual(['topic "foo" partition 0: log truncated to 2, offsets before 3 are lost']);
  });
});

describe('a range is not at its end', () => {
  it('when the leader sends readers to another replica', async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b', 'c']), localStart: 0n }], {
      onPartition(row, { node, request }) {
        if (node === 1 && request.rackId !== '') return { ...row, records: empty, preferredReadReplica: 2 };
        if (node === 2) return { ...row, errorCode: 0, highWatermark: 3n, records: recordsOf(cluster) };
        return row;
      },
    });
    expect((await readRange(cluster, ':end', { rack: 'r2' })).text).toBe('0=a 1=b 2=c');
    expect(cluster.fetches.map(({ node }) => node)).toEqual([1, 2]);
  });

  it("when a follower does not have the leader's records yet", async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b', 'c']), localStart: 0n }], {
      onPartition(row, { node, request }) {
        if (node === 1 && request.rackId !== '') return { ...row, records: empty, preferredReadReplica: 2 };
        // It reports the same log end, and returns nothing for a while.
        const records = cluster.clock.now() < 20_000 ? empty : recordsOf(cluster);
        return node === 2 ? { ...row, errorCode: 0, highWatermark: 3n, records } : row;
      },
    });
    expect((await readRange(cluster, ':end', { rack: 'r2' })).text).toBe('0=a 1=b 2=c');
  });

  it('when other partitions have used up the size of the answer', async () => {
    const logs = [logOf(1, ['a'], ['b'], ['c'], ['d']), logOf(1, ['e'])].map((log) => ({ ...log, localStart: 0n }));
    const cluster = clusterOf(logs, { perAnswer: 1 });
    const { text } = await readRange(cluster, ':end');
    expect(text.split(' ').sort()).toEqual(['0=a', '0=e', '1=b', '2=c', '3=d']);
  });

  it('when an answer is empty because of a quota', async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b']), localStart: 0n }], {
      onFetch({ at }) {
        if (at > 10_000) return undefined;
        return { throttleMs: 500, errorCode: 0, sessionId: 0, partitions: [] };
      },
    });
    expect((await readRange(cluster, ':end')).text).toBe('0=a 1=b');
    // It is not a failure either, which would trigger a leader lookup.
    expect(cluster.metadataRequests).toHaveLength(2);
  });

  it.each([true, false])(
    'when a quota empties answers but not their lists (only when asked alone: %s)',
    async (alone) => {
      const cluster = clusterOf([{ ...logOf(1, ['a', 'b']), localStart: 0n }], {
        onFetch({ at, isAlone }) {
          if (at > 10_000) return undefined;
          const row = { topic: 'foo', partition: 0, errorCode: 0, highWatermark: 2n, lastStableOffset: 2n };
          const rest = { logStartOffset: 0n, preferredReadReplica: -1, records: empty };
          const throttleMs = isAlone || !alone ? 500 : 0;
          return { throttleMs, errorCode: 0, sessionId: 0, partitions: [{ ...row, ...rest }] };
        },
      });
      expect((await readRange(cluster, ':end')).text).toBe('0=a 1=b');
    },
  );

  it('when the records are in remote storage that is slow', async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b']), localStart: 2n }], {
      onPartition: (row, { at }) => (at < 12_000 ? { ...row, records: empty } : row),
    });
    expect((await readRange(cluster, ':end')).text).toBe('0=a 1=b');
  });

  it('when remote storage never answers: that is an error after the retry timeout, not an end', async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b']), localStart: 2n }], {
      limits: { retry: 30_000 },
      onPartition: (row) => ({ ...row, records: empty }),
    });
    await expect(readRange(cluster, ':end')).rejects.toMatchObject({
      ...{ exitCode: 5, code: 'NO_RECORDS', target: 'foo', retryable: false },
      message:
        'unable to read topic "foo" partition 0 at offset 0: the broker sends no records although the log continues',
    });
    expect(cluster.clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(cluster.clock.now()).toBeLessThan(40_000);
  });

  it('when the leader moves while it is asked', async () => {
    const cluster = clusterOf([{ ...logOf(1, ['a', 'b'], ['c']), localStart: 0n }], {
      onPartition(row, { node, isAlone }) {
        if (isAlone && node === 1) return { ...row, errorCode: 6, records: empty };
        return node === 1 ? { ...row, records: empty } : row;
      },
    });
    const log = cluster.topics.foo?.partitions[0];
    cluster.clock.after(100, () => {
      if (log !== undefined) log.leader = 2;
    });
    expect((await readRange(cluster, ':end')).text).toBe('0=a 1=b 2=c');
  });
});

/** The whole log of partition 0, whatever broker leads it. */
function recordsOf(cluster: FakeCluster): Buffer {
  return cluster.recordsOf('foo', 0);
}
