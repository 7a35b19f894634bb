import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../services/scripted-client.ts';
import { commitAnswer, cut } from '../groups/coordinator.ts';
import { requestOf } from './consuming.ts';
import { committedAnswer, print, groupScene as scene, shown, take } from './group-scene.ts';

const commit = { commit: true, discovery: false };
const discovery = { commit: false, discovery: true };
const nothing = { commit: false, discovery: false };

describe('commits', () => {
  it('for a deleted topic do not end those for others: the topic is set aside with one message', async () => {
    const { source, clock, on, offsets, warnings, topics, wakes } = await scene({ alive: 1, gone: 1 });
    const positions = await source.open();
    const gone = print(positions, 'gone/0', 5n);
    print(positions, 'alive/0', 5n);
    topics.delete('gone');
    on('OffsetCommit', (request) => take(request, offsets, (name) => (name === 'gone/0' ? 3 : 0)));
    await source.tick(commit);
    await clock.runFor(100);
    expect(offsets).toEqual(new Map([['alive/0', 5n]]));
    expect(wakes()).toBeGreaterThan(0);
    expect(shown(await source.tick(nothing))).toEqual(['alive/0:5']);
    expect(gone.done).toBe(true);
    print(positions, 'alive/0', 6n);
    await source.tick(commit);
    await clock.runFor(100);
    expect(offsets.get('alive/0')).toBe(6n);
    expect(warnings).toEqual([
      'topic "gone" is unknown to the cluster: its partitions will be read once it exists again',
    ]);
  });

  it('that the coordinator refuses for an existing topic are repeated', async () => {
    const { source, clock, on, offsets, warnings } = await scene({ fresh: 1 });
    print(await source.open(), 'fresh/0', 5n);
    on('OffsetCommit', (request, before) => take(request, offsets, () => (before === 0 ? 3 : 0)));
    for (const _round of [1, 2]) {
      expect(await source.tick(commit)).toBe(undefined);
      await clock.runFor(100);
    }
    expect({ offsets, warnings }).toEqual({ offsets: new Map([['fresh/0', 5n]]), warnings: [] });
  });

  it('that are not allowed end the read with the name of the topic', async () => {
    const { source, clock, on } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('OffsetCommit', (request) => commitAnswer(request, () => 29));
    await source.tick(commit);
    await clock.runFor(100);
    expect(await failureOf(source.tick(nothing))).toMatchObject({ code: 'TOPIC_AUTHORIZATION_FAILED', target: 't' });
  });

  it('carry the leader epoch of the last printed record, even if later ones have been fetched', async () => {
    const { source, clock, on, of, offsets } = await scene({ t: 1 });
    const positions = await source.open();
    on('OffsetCommit', (request) => take(request, offsets));
    const epochs = [
      { offset: 0n, leaderEpoch: 3 },
      { offset: 6n, leaderEpoch: 4 },
      { offset: 9n, leaderEpoch: 7 },
    ];
    for (const until of [6n, 7n, 9n]) {
      print(positions, 't/0', until).epochs = epochs;
      await source.tick(commit);
      await clock.runFor(100);
    }
    const sent = of('OffsetCommit').map(({ request }) => request.topics[0].partitions);
    expect(sent).toMatchObject([
      [{ committedOffset: 6n, committedLeaderEpoch: 3 }],
      [{ committedLeaderEpoch: 4 }],
      [{ committedLeaderEpoch: 4 }],
    ]);
  });

  it('do not delay printing while the coordinator is unreachable, and continue when it returns', async () => {
    const { source, clock, on, offsets } = await scene({ t: 1 });
    const positions = await source.open();
    print(positions, 't/0', 5n);
    on('OffsetCommit', () => Promise.reject(cut()));
    for (let time = 0; time < 40_000; time += 5_000) {
      expect(await source.tick(commit)).toBe(undefined);
      await clock.runFor(5_000);
    }
    print(positions, 't/0', 9n);
    on('OffsetCommit', (request) => take(request, offsets));
    await clock.runFor(5_000);
    await source.tick(commit);
    await clock.runFor(100);
    expect(offsets.get('t/0')).toBe(9n);
  });
});

describe('a slow reader', () => {
  it('may block printing indefinitely: heartbeats continue', async () => {
    const { source, clock, of } = await scene({ t: 1 });
    await source.open();
    await clock.runFor(600_000);
    expect(of('Heartbeat')).toHaveLength(200);
    expect(await source.tick(nothing)).toBe(undefined);
  });
});

describe('commits that overlap', () => {
  it('are sent one after another, so that the newest takes effect', async () => {
    const { source, clock, on, offsets } = await scene({ t: 1 });
    const positions = await source.open();
    print(positions, 't/0', 5n);
    on('OffsetCommit', async (request, before) => {
      await clock.sleep(before === 0 ? 2_000 : 10);
      return take(request, offsets);
    });
    await source.tick(commit);
    await clock.runFor(100);
    print(positions, 't/0', 9n);
    const closing = source.close();
    await clock.runFor(3_000);
    await closing;
    expect(offsets.get('t/0')).toBe(9n);
  });
});

describe('a rebalance', () => {
  it('does not repeat the commit of a coordinator that is gone for as long again', async () => {
    const { source, clock, on } = await scene({ t: 1 });
    print(await source.open(), 't/0', 7n);
    on('OffsetCommit', () => Promise.reject(cut()));
    on('Heartbeat', () => ({ errorCode: 27 }));
    await source.tick(commit);
    await clock.runFor(5_000);
    const startedAt = clock.now();
    const failed = source.tick(nothing).then(
      () => undefined,
      () => clock.now() - startedAt,
    );
    await clock.runFor(120_000);
    expect(await failed).toBeLessThan(60_000);
  });

  it('commits what was printed before it joins', async () => {
    const { source, clock, on, asked, offsets } = await scene({ t: 2 });
    print(await source.open(), 't/1', 7n);
    on('Heartbeat', () => ({ errorCode: 27 }));
    await clock.runFor(3_000);
    await source.tick(nothing);
    expect(offsets.get('t/1')).toBe(7n);
    const order = asked.map(({ api }) => api);
    expect(order.lastIndexOf('OffsetCommit')).toBeLessThan(order.lastIndexOf('JoinGroup'));
  });

  it("keeps the positions of kept partitions; a partition that returns begins at its last owner's commit", async () => {
    const { source, clock, on, assign, offsets } = await scene({ t: 2 });
    const before = await source.open();
    const kept = print(before, 't/0', 3n);
    const given = print(before, 't/1', 4n);
    on('Heartbeat', () => ({ errorCode: 27 }));
    assign([{ topic: 't', partitions: [0] }]);
    await clock.runFor(3_000);
    const without = (await source.tick(nothing)) ?? [];
    expect(without).toEqual([kept]);
    expect([kept.done, given.done]).toEqual([false, true]);
    offsets.set('t/1', 50n);
    assign([{ topic: 't', partitions: [0, 1] }]);
    await clock.runFor(3_000);
    const after = await source.tick(nothing);
    expect(after?.[0]).toBe(kept);
    expect(shown(after)).toEqual(['t/0:3', 't/1:50']);
  });

  it('after the group has removed the member begins everything at the commits, and commits nothing stale', async () => {
    const { source, clock, on, offsets } = await scene({ t: 1 });
    const [lost] = [print(await source.open(), 't/0', 9n)];
    offsets.set('t/0', 40n);
    on('Heartbeat', (_request, count) => ({ errorCode: count === 0 ? 25 : 0 }));
    await clock.runFor(3_000);
    expect(shown(await source.tick(nothing))).toEqual(['t/0:40']);
    expect({ done: lost.done, committed: offsets.get('t/0') }).toEqual({ done: true, committed: 40n });
  });
});

describe('discovery', () => {
  it('of patterns that match nothing yet waits, and reads new topics from their start', async () => {
    const { source, clock, topics, assign, of } = await scene({}, { topics: ['log-.*'], regex: true });
    expect(await source.open()).toEqual([]);
    topics.set('log-a', 1);
    assign([{ topic: 'log-a', partitions: [0] }]);
    await source.tick(discovery);
    await clock.runFor(100);
    expect(shown(await source.tick(nothing))).toEqual(['log-a/0:0']);
    expect(of('JoinGroup')).toHaveLength(2);
    await source.tick(discovery);
    await clock.runFor(100);
    expect(await source.tick(nothing)).toBe(undefined);
  });

  it('of patterns asks for a rebalance when a topic that matches grows, and only then', async () => {
    const more = { topics: ['log-.*'], regex: true };
    const { source, clock, topics, assign, of } = await scene({ 'log-a': 2 }, more);
    await source.open();
    const look = async () => {
      await source.tick(discovery);
      await clock.runFor(100);
      return await source.tick(nothing);
    };
    for (const _round of [1, 2, 3]) expect(await look()).toBe(undefined);
    expect(of('JoinGroup')).toHaveLength(1);
    topics.set('log-a', 3);
    assign([{ topic: 'log-a', partitions: [0, 1, 2] }]);
    expect(shown(await look())).toEqual(['log-a/0:0', 'log-a/1:0', 'log-a/2:0']);
    expect(of('JoinGroup')).toHaveLength(2);
  });

  it('of the leader asks for a rebalance when a topic grows; new partitions are read from their start', async () => {
    const { source, clock, topics, assign } = await scene({ t: 1 }, requestOf('end', { topics: ['t'] }));
    expect(shown(await source.open())).toEqual(['t/0:100']);
    topics.set('t', 2);
    assign([{ topic: 't', partitions: [0, 1] }]);
    await source.tick(discovery);
    await clock.runFor(100);
    expect(shown(await source.tick(nothing))).toEqual(['t/0:100', 't/1:0']);
  });

  it('stops assigning a deleted topic, but not after a single answer without it', async () => {
    const { source, clock, topics, of } = await scene({ a: 1, b: 1 });
    await source.open();
    const look = async (): Promise<void> => {
      await source.tick(discovery);
      await clock.runFor(100);
      await source.tick(nothing);
    };
    topics.delete('b');
    await look();
    topics.set('b', 1);
    await look();
    expect(of('JoinGroup')).toHaveLength(1);
    topics.delete('b');
    await look();
    await look();
    expect(of('JoinGroup')).toHaveLength(2);
  });

  it('reads partitions that were assigned before the cluster reported them', async () => {
    const { source, clock, topics, assign, warnings } = await scene({ t: 1 });
    assign([
      { topic: 'new', partitions: [0] },
      { topic: 't', partitions: [0] },
    ]);
    expect(shown(await source.open())).toEqual(['t/0:0']);
    expect(warnings).toHaveLength(1);
    topics.set('new', 1);
    await source.tick(commit);
    await clock.runFor(100);
    expect(shown(await source.tick(nothing))).toEqual(['t/0:0', 'new/0:0']);
  });

  it('reads such partitions once, even if a commit and a discovery find them at the same time', async () => {
    const { source, clock, on, topics, offsets, assign } = await scene({ t: 1 });
    assign([{ topic: 'new', partitions: [0] }]);
    expect(await source.open()).toEqual([]);
    topics.set('new', 1);
    on('OffsetFetch', async (request, before) => {
      await clock.sleep(before === 1 ? 2_000 : 10);
      return committedAnswer(request, offsets);
    });
    await source.tick(commit);
    await source.tick(discovery);
    await clock.runFor(100);
    const positions = (await source.tick(nothing)) ?? [];
    print(positions, 'new/0', 5n);
    await clock.runFor(3_000);
    expect(shown((await source.tick(nothing)) ?? positions)).toEqual(['new/0:5']);
  });

  it('reads such partitions once, even if a rebalance and a discovery find them at the same time', async () => {
    const { source, clock, on, topics, offsets, assign, of } = await scene({ t: 1 });
    assign([{ topic: 'new', partitions: [0] }]);
    expect(await source.open()).toEqual([]);
    topics.set('new', 1);
    on('Heartbeat', (_, before) => ({ errorCode: before === 0 ? 27 : 0 }));
    let lookups = 0;
    on('Metadata', () => clock.sleep(lookups++ === 0 ? 700 : 10)); // the first is the discovery's
    on('OffsetFetch', async (request, before) => {
      await clock.sleep(before === 1 ? 2_000 : 10);
      return committedAnswer(request, offsets);
    });
    await clock.runFor(3_100);
    const joined = source.tick(discovery);
    await clock.runFor(5_000);
    expect(shown(await joined)).toEqual(['new/0:0']);
    expect(of('OffsetFetch').length).toBeGreaterThan(2);
  });
});
