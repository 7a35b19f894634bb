import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import type { ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { createFakeCluster } from './fake-cluster.ts';
import { type FakeTopic, logOf } from './fake-log.ts';
import { startReading } from './reading.ts';

/** The id of a topic in metadata. */
const idOf = (letter: string): string => letter.repeat(22);

function topicOf(id: string, ...batches: readonly (readonly string[])[]): FakeTopic {
  return { id: idOf(id), partitions: [logOf(1, ...batches)] };
}

type Topics = { [name: string]: FakeTopic };

/** Appends values to the only partition of a topic. */
function append(topic: FakeTopic | undefined, ...values: string[]): void {
  const log = topic?.partitions[0];
  if (log === undefined) return;
  log.batches = [...log.batches, { base: log.highWatermark, values }];
  log.highWatermark += BigInt(values.length);
}

/** Metadata of a broker that knows only another topic of the same name. */
function withId(told: ClusterMetadata, id: string): ClusterMetadata {
  return { ...told, topics: told.topics.map((topic) => ({ ...topic, id })) };
}

const retry = { limits: { retry: 30_000 } };

it('a range ends although metadata names a partition twice', async () => {
  const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
  cluster.state.metadata = (names) => {
    const told = cluster.metadataOf(names);
    return {
      ...told,
      topics: told.topics.map((topic) => ({ ...topic, partitions: [...topic.partitions, ...topic.partitions] })),
    };
  };
  const reading = startReading(cluster, ':end');
  await cluster.clock.runUntil(reading.over, 60_000);
  expect([reading.text, reading.error]).toEqual(['0=a', undefined]);
});

describe('an unbounded read', () => {
  it('continues when the search for new partitions gets a stale answer, or none', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(5_000);
    cluster.state.metadata = (names) => ({
      ...cluster.metadataOf(names),
      topics: [{ name: 'foo', errorCode: 3, internal: false, partitions: [] }],
    });
    await cluster.clock.runFor(10_000);
    cluster.state.metadata = () => unreachableError('no broker answers', { retryable: false });
    await cluster.clock.runFor(10_000);
    cluster.state.metadata = undefined;
    append(cluster.topics.foo, 'b');
    await cluster.clock.runFor(1_000);
    expect([reading.text, reading.isOver, reading.warnings]).toEqual(['0=a 1=b', false, []]);
    expect(cluster.metadataRequests.length).toBeGreaterThan(3);
  });

  it('looks for new partitions every ten seconds', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    const before = cluster.metadataRequests.length;
    await cluster.clock.runFor(60_000);
    expect(cluster.metadataRequests.length - before).toBe(6);
    reading.stop();
  });

  it('continues printing while that search hangs', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(5_000);
    let searches = 0;
    const metadata = (): Promise<never> => {
      searches += 1;
      return new Promise(() => undefined);
    };
    Object.assign(cluster.client, { metadata });
    await cluster.clock.runFor(10_000);
    append(cluster.topics.foo, 'b');
    await cluster.clock.runFor(1_000);
    expect(reading.text).toBe('0=a 1=b');
    // The next one waits for it.
    await cluster.clock.runFor(30_000);
    expect(searches).toBe(1);
  });

  it('reads new partitions from their start, and does not wait for one that has no leader', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'end');
    await cluster.clock.runFor(5_000);
    cluster.topics.foo?.partitions.push(logOf(-1, ['later']), logOf(2, ['new']));
    await cluster.clock.runFor(10_000);
    expect(reading.text).toBe('0=new');
    const lost = cluster.topics.foo?.partitions[1];
    if (lost !== undefined) lost.leader = 2;
    await cluster.clock.runFor(10_000);
    expect(reading.text).toBe('0=new 0=later');
  });

  it('does not mistake a topic for another when brokers begin to report its id', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a', 'b']) }, retry);
    cluster.state.metadata = (names) => withId(cluster.metadataOf(names), noUuid);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(5_000);
    cluster.state.metadata = undefined;
    append(cluster.topics.foo, 'c');
    await cluster.clock.runFor(10_000);
    expect([reading.text, reading.warnings]).toEqual(['0=a 1=b 2=c', []]);
  });

  it('tells the leader of a recreated topic which leader epoch it expects', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a', 'b']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    cluster.topics.foo = { id: idOf('C'), partitions: [{ ...logOf(2, ['x']), epoch: 4 }] };
    await cluster.clock.runFor(3_000);
    expect(reading.text).toBe('0=a 1=b 0=x');
    const atNew = cluster.fetches.filter(({ node }) => node === 2);
    const epochs = atNew.flatMap(({ request }) => request.topics.flatMap(({ partitions }) => partitions));
    expect(new Set(epochs.map(({ currentLeaderEpoch }) => currentLeaderEpoch))).toEqual(new Set([4]));
  });

  it('starts over with a topic that was deleted and created again, and says so', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a', 'b', 'c']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    cluster.topics.foo = topicOf('C', ['x', 'y']);
    await cluster.clock.runFor(3_000);
    expect(reading.text).toBe('0=a 1=b 2=c 0=x 1=y');
    // A broker without the new metadata does not lead back.
    const now = cluster.topics.foo;
    const log = now.partitions[0];
    cluster.state.metadata = (names) => {
      const old = log === undefined ? undefined : { leader: log.leader, epoch: log.epoch };
      if (log !== undefined) Object.assign(log, { leader: 7, epoch: 99 });
      const told = withId(cluster.metadataOf(names), idOf('B'));
      if (log !== undefined) Object.assign(log, old);
      return told;
    };
    if (log !== undefined) Object.assign(log, { leader: 2, epoch: 2 });
    await cluster.clock.runFor(10_000);
    expect(cluster.fetches.map(({ node }) => node)).not.toContain(7);
    cluster.state.metadata = undefined;
    append(now, 'z');
    await cluster.clock.runFor(10_000);
    expect(reading.text).toBe('0=a 1=b 2=c 0=x 1=y 2=z');
    expect(reading.warnings).toEqual([
      'topic "foo" was deleted and created again: reading starts over at its beginning',
    ]);
  });

  it('finds a recreated topic with the next search, even if its log is longer', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    cluster.topics.foo = topicOf('C', ['x'], ['y']);
    await cluster.clock.runFor(10_000);
    expect(reading.text).toBe('0=a 1=y 0=x 1=y');
    cluster.state.metadata = (names) => withId(cluster.metadataOf(names), idOf('B'));
    await cluster.clock.runFor(20_000);
    expect(reading.text).toBe('0=a 1=y 0=x 1=y');
    expect(reading.warnings).toEqual([
      'topic "foo" was deleted and created again: reading starts over at its beginning',
    ]);
  });
});

describe('a topic that is deleted while it is read', () => {
  it('is dropped with a warning after the retry timeout, and the read of the others continues', async () => {
    const cluster = createFakeCluster<Topics>({ bar: topicOf('C', ['b']), foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start', { topics: ['foo', 'bar'] });
    await cluster.clock.runFor(1_000);
    delete cluster.topics.foo;
    await cluster.clock.runFor(20_000);
    expect(reading.warnings).toEqual([]);
    await cluster.clock.runFor(20_000);
    append(cluster.topics.bar, 'c');
    await cluster.clock.runFor(1_000);
    expect(reading.warnings).toEqual(['topic "foo" was deleted: its partition is dropped']);
    expect(reading.text.split(' ').sort()).toEqual(['0=a', '0=b', '1=c']);
    expect(reading.isOver).toBe(false);
  });

  it('ends the read as not found if it was the last named topic', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    delete cluster.topics.foo;
    await cluster.clock.runUntil(reading.over, 60_000);
    expect(reading.error).toMatchObject({ exitCode: 3, code: 'UNKNOWN_TOPIC_OR_PARTITION' });
  });

  it('does not end a read by patterns, which reads it from its start once it exists again', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start', { topics: ['^f'], regex: true });
    await cluster.clock.runFor(1_000);
    delete cluster.topics.foo;
    await cluster.clock.runFor(60_000);
    cluster.topics.foo = topicOf('C', ['b']);
    await cluster.clock.runFor(15_000);
    expect([reading.text, reading.isOver]).toEqual(['0=a 0=b', false]);
  });

  it('continues at its position if the brokers only failed to report it for a while', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start', { topics: ['^f'], regex: true });
    await cluster.clock.runFor(1_000);
    const kept = topicOf('B', ['a'], ['b']);
    delete cluster.topics.foo;
    await cluster.clock.runFor(60_000);
    cluster.topics.foo = kept;
    await cluster.clock.runFor(15_000);
    expect([reading.text, reading.isOver]).toEqual(['0=a 1=b', false]);
  });

  it('fails its range as not found once the ranges of other topics are read', async () => {
    const cluster = createFakeCluster<Topics>(
      { bar: topicOf('C', ['b']), foo: topicOf('B', ['a'], ['b']) },
      { ...retry, perAnswer: 1 },
    );
    const reading = startReading(cluster, ':end', { topics: ['foo', 'bar'] });
    cluster.clock.after(4, () => delete cluster.topics.foo);
    await cluster.clock.runUntil(reading.over, 60_000);
    expect(reading.error).toMatchObject({ exitCode: 3, code: 'UNKNOWN_TOPIC_OR_PARTITION' });
    expect(reading.text).toContain('0=b');
    expect(reading.warnings).toEqual(['topic "foo" was deleted: its partition is dropped']);
  });
});

describe('a partition without a leader', () => {
  it('is retried with growing pauses while others are read, and then continues', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']), bar: topicOf('C', ['b']) }, retry);
    const reading = startReading(cluster, 'start', { topics: ['foo', 'bar'] });
    await cluster.clock.runFor(1_000);
    const log = cluster.topics.foo?.partitions[0];
    if (log !== undefined) log.leader = -1;
    const asked = cluster.metadataRequests.length;
    await cluster.clock.runFor(20_000);
    append(cluster.topics.bar, 'c');
    await cluster.clock.runFor(1_000);
    expect(reading.text).toBe('0=a 0=b 1=c');
    const looks = cluster.metadataRequests.slice(asked).filter((names) => names.length === 1);
    expect(looks.length).toBeGreaterThan(7);
    expect(looks.length).toBeLessThan(16);
    append(cluster.topics.foo, 'd');
    if (log !== undefined) Object.assign(log, { leader: 2, epoch: 2 });
    await cluster.clock.runFor(4_000);
    expect([reading.text, reading.error]).toEqual(['0=a 0=b 1=c 1=d', undefined]);
  });

  it('fails after the retry timeout, counted from the first failure in a row', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(50_000);
    const log = cluster.topics.foo?.partitions[0];
    if (log !== undefined) log.leader = -1;
    await cluster.clock.runFor(29_000);
    expect(reading.isOver).toBe(false);
    await cluster.clock.runUntil(reading.over, 6_000);
    expect(reading.error).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
  });

  it('is not led back to a deposed leader by outdated metadata', async () => {
    const cluster = createFakeCluster<Topics>({ foo: topicOf('B', ['a']) }, retry);
    const reading = startReading(cluster, 'start');
    await cluster.clock.runFor(1_000);
    const log = cluster.topics.foo?.partitions[0];
    const stale = cluster.metadataOf(['foo']);
    let looks = 0;
    cluster.state.metadata = (names) => {
      looks += 1;
      return looks < 4 ? stale : cluster.metadataOf(names);
    };
    if (log !== undefined) Object.assign(log, { leader: 2, epoch: 4 });
    await cluster.clock.runFor(8_000);
    const before = cluster.fetches.length;
    looks = 0;
    if (log !== undefined) Object.assign(log, { leader: 3, epoch: 5 });
    await cluster.clock.runFor(8_000);
    expect(cluster.fetches.slice(before).map(({ node }) => node)).not.toContain(1);
    append(cluster.topics.foo, 'b');
    await cluster.clock.runFor(1_000);
    expect(reading.text).toBe('0=a 1=b');
  });
});
