import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import { createFetchSession, nextEpoch } from '../../../../src/kafka/streams/consume/fetch-session.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { requestBytes } from '../../../services/answer.ts';
import { createFakeCluster, type FakeAnswer, type FakeCluster, type FakeOptions } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';
import { fetcherOf, positionsOf, startReading } from './reading.ts';

const positionAt = (partition: number, offset = 0n) =>
  createPosition({ topic: 't', partition, offset, end: undefined });

const partitionsOf = (items: readonly { readonly partition: number }[]): number[] =>
  items.map(({ partition }) => partition);

describe('a fetch session', () => {
  it('opens with all partitions, then names those that are new, have moved, or are no longer needed', () => {
    const session = createFetchSession();
    const [zero, one, two] = [positionAt(0), positionAt(1), positionAt(2)];
    session.want(zero);
    session.want(one);
    const first = session.ask();
    expect([first.session, partitionsOf(first.positions)]).toEqual([{ id: 0, epoch: 0 }, [0, 1]]);
    session.answered(first, 77);
    const idle = session.ask();
    expect(idle).toEqual({ session: { id: 77, epoch: 1 }, positions: [], forgotten: [], hasIds: false, isFull: false });
    session.answered(idle, 77);
    zero.offset = 5n;
    session.want(zero);
    session.want(two);
    session.drop(one);
    const changed = session.ask();
    expect(changed.session).toEqual({ id: 77, epoch: 2 });
    expect(partitionsOf(changed.positions)).toEqual([0, 2]);
    expect(changed.forgotten).toEqual([{ topic: 't', partition: 1 }]);
  });

  it('does not drop a partition that returned with another position before the next request', () => {
    const session = createFetchSession();
    const [old, other, again] = [positionAt(0, 9n), positionAt(1), positionAt(0, 3n)];
    session.want(old);
    session.want(other);
    session.answered(session.ask(), 77);
    session.drop(old);
    session.want(again);
    const request = session.ask();
    expect([partitionsOf(request.positions), request.forgotten]).toEqual([[0], []]);
  });

  it('is not requested for a single partition, and requests stay full if the broker grants none', () => {
    const session = createFetchSession();
    session.want(positionAt(0));
    const alone = session.ask();
    expect(alone.session).toEqual({ id: 0, epoch: -1 });
    session.answered(alone, 0);
    session.want(positionAt(1));
    const both = session.ask();
    session.answered(both, 0);
    expect([both.session.epoch, session.ask().session.epoch]).toEqual([0, 0]);
  });

  it('that the broker closes in an answer is opened again', () => {
    const session = createFetchSession();
    for (const partition of [0, 1]) session.want(positionAt(partition));
    session.answered(session.ask(), 77);
    session.answered(session.ask(), 0);
    const next = session.ask();
    expect([next.session, next.isFull, partitionsOf(next.positions)]).toEqual([{ id: 0, epoch: 0 }, true, [0, 1]]);
  });

  it('that was lost closes the old one with the request that opens the new one', () => {
    const session = createFetchSession();
    for (const partition of [0, 1]) session.want(positionAt(partition));
    session.answered(session.ask(), 77);
    session.restart();
    expect(session.ask().session).toEqual({ id: 77, epoch: 0 });
  });

  it('ignores an answer for a partition that moved or was dropped in the meantime', () => {
    const session = createFetchSession();
    const [zero, one] = [positionAt(0), positionAt(1)];
    session.want(zero);
    session.want(one);
    session.ask();
    expect(session.asked({ topic: 't' }, 0)).toBe(zero);
    zero.offset = 4n;
    session.want(zero);
    session.drop(one);
    expect([session.asked({ topic: 't' }, 0), session.asked({ topic: 't' }, 1)]).toEqual([undefined, undefined]);
  });

  it('counts its requests, starting at 1 again after the largest number', () => {
    expect([nextEpoch(1), nextEpoch(2 ** 31 - 2), nextEpoch(2 ** 31 - 1)]).toEqual([2, 2 ** 31 - 1, 1]);
  });
});

/** Reads two partitions completely from a broker that answers with `onFetch`. */
function twoPartitions(onFetch: FakeOptions['onFetch'], options: FakeOptions = {}): FakeCluster {
  const partitions = [logOf(1, ['a'], ['b'], ['c']), logOf(1, ['d'], ['e'], ['f'])];
  return createFakeCluster({ foo: { partitions } }, { perAnswer: 1, ...options, ...(onFetch && { onFetch }) });
}

async function readAll(cluster: FakeCluster): Promise<string[]> {
  const reading = startReading(cluster, ':end');
  await cluster.clock.runUntil(reading.over);
  cluster.deadline.dispose();
  if (reading.error !== undefined) throw reading.error;
  return reading.text.split(' ').sort();
}

const everything = ['0=a', '0=d', '1=b', '1=e', '2=c', '2=f'];
const failed = (errorCode: number): FakeAnswer => ({ throttleMs: 0, errorCode, sessionId: 0, partitions: [] });

describe('reading in a session', () => {
  it('prints each record once', async () => {
    const cluster = twoPartitions(undefined);
    expect(await readAll(cluster)).toEqual(everything);
    expect(cluster.fetches.slice(1).every(({ request }) => request.sessionEpoch > 0)).toBe(true);
  });

  it.each([70, 71, 106])(
    'goes on with a full request after error %d, once, without asking for leaders',
    async (code) => {
      let count = 0;
      const cluster = twoPartitions(() => {
        count += 1;
        return count === 3 ? failed(code) : undefined;
      });
      expect(await readAll(cluster)).toEqual(everything);
      expect(cluster.fetches.filter(({ request }) => request.sessionEpoch === 0)).toHaveLength(2);
      expect(cluster.metadataRequests).toHaveLength(2);
    },
  );

  it('forgets every partition that is no longer needed, including several of one topic', async () => {
    const cluster = createFakeCluster({ foo: { partitions: [logOf(1), logOf(1), logOf(1), logOf(1)] } });
    const positions = positionsOf(cluster, 'foo');
    const fetcher = fetcherOf(cluster);
    fetcher.setPositions(positions);
    const next = fetcher.next();
    await cluster.clock.runFor(600);
    for (const position of positions.slice(1, 3)) position.done = true;
    fetcher.setPositions(positions.filter(({ done }) => !done));
    await cluster.clock.runFor(1_200);
    fetcher.close();
    await next;
    cluster.deadline.dispose();
    expect(cluster.fetches.flatMap(({ request }) => request.forgottenTopicsData)).toMatchObject([
      { topic: 'foo', partitions: [1, 2] },
    ]);
    expect([...cluster.sessions.values()].map(({ entries }) => [...entries.keys()])).toEqual([['foo/0', 'foo/3']]);
  });

  it('that is evicted repeatedly is read to the end', async () => {
    const cluster = twoPartitions(({ request }) => {
      if (request.sessionEpoch > 0) cluster.sessions.clear();
      return undefined;
    });
    expect(await readAll(cluster)).toEqual(everything);
  });

  it('is retried like any failure when a full request gets a session error, and ends by the retry rule', async () => {
    const cluster = twoPartitions(() => failed(71), { limits: { retry: 5_000 } });
    await expect(readAll(cluster)).rejects.toThrow(
      /^unable to read from broker 1: INVALID_FETCH_SESSION_EPOCH \(71\): /,
    );
    expect(cluster.fetches.length).toBeLessThan(12);
  });

  it('continues after a cut, with one lookup of the leaders of all its partitions', async () => {
    let count = 0;
    const cluster = twoPartitions(() => {
      count += 1;
      return count === 3 ? cutError : undefined;
    });
    expect(await readAll(cluster)).toEqual(everything);
    expect(cluster.metadataRequests).toEqual([['foo'], ['foo'], ['foo']]);
    // The outcome of the last request is unknown: the next one opens a new session and closes the old one.
    const [first, second, cut, after] = cluster.fetches.map(({ request }) => request);
    expect([first?.sessionEpoch, second?.sessionEpoch, cut?.sessionEpoch]).toEqual([0, 1, 2]);
    expect(after).toMatchObject({ sessionId: cut?.sessionId, sessionEpoch: 0 });
  });
});

const cutError = unreachableError('the broker closed the connection', { code: 'CONNECTION_CLOSED' });

describe('20,000 partitions', () => {
  const topics = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [
      `orders-service-topic-${index}`,
      { partitions: Array.from({ length: 4 }, () => logOf(1)) },
    ]),
  );

  it('make idle requests that name none of them; only requests without a session are full', async () => {
    const cluster = createFakeCluster(topics);
    const fetcher = fetcherOf(cluster);
    fetcher.setPositions(Object.keys(topics).flatMap((topic) => positionsOf(cluster, topic)));
    const next = fetcher.next();
    await cluster.clock.runFor(5_000);
    fetcher.close();
    await next;
    cluster.deadline.dispose();
    const [first = 0, ...idle] = cluster.fetches.map(({ request }) => requestBytes(fetch, 12, request).length);
    expect(first).toBeGreaterThan(500_000);
    expect(idle.length).toBeGreaterThan(5);
    expect(Math.max(...idle)).toBeLessThan(50);
    expect(cluster.metadataRequests).toHaveLength(1);
  });

  it('cost work only for the partitions in an answer', () => {
    const session = createFetchSession();
    let reads = 0;
    const positions = Array.from({ length: 20_000 }, (_, partition) => {
      const position = positionAt(partition);
      let { offset } = position;
      return Object.defineProperty(position, 'offset', {
        get() {
          reads += 1;
          return offset;
        },
        set(value: bigint) {
          offset = value;
        },
      });
    });
    for (const position of positions) session.want(position);
    session.answered(session.ask(), 77);
    reads = 0;
    for (let round = 0; round < 100; round += 1) {
      const position = positions[round];
      if (position === undefined) break;
      expect(session.asked({ topic: 't' }, round)).toBe(position);
      position.offset = 1n;
      session.want(position);
      session.took(position, { hasRecords: true, isBehind: false });
      const request = session.ask();
      expect(request.positions).toEqual([position]);
      session.answered(request, 77);
    }
    expect(reads).toBeLessThan(1_000);
  });
});
