import { describe, expect, it } from 'vitest';
import { assignment, cut, later, silence } from '../groups/coordinator.ts';
import { print, groupScene as scene, take } from './group-scene.ts';

const commit = { commit: true, discovery: false };
const nothing = { commit: false, discovery: false };

describe('the end', () => {
  it('commits, then leaves', async () => {
    const { source, clock, asked, offsets } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    await source.close();
    expect(offsets.get('t/0')).toBe(5n);
    expect(asked.slice(-2).map(({ api }) => api)).toEqual(['OffsetCommit', 'LeaveGroup']);
    expect(clock.pending).toBe(0);
  });

  it('during a rebalance commits what was printed since, as soon as the coordinator takes it', async () => {
    const { source, clock, on, offsets } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('Heartbeat', () => ({ errorCode: 27 }));
    on('SyncGroup', () => later(clock, 1_000, () => assignment([{ topic: 't', partitions: [0] }])));
    // Refused before the join, as by a coordinator that has moved on, and until the assignment has come.
    on('OffsetCommit', (request) => take(request, offsets, () => (request.generationIdOrMemberEpoch === 2 ? 0 : 27)));
    await clock.runFor(3_000);
    const ticking = source.tick(nothing);
    await clock.runFor(500);
    const closing = source.close();
    await clock.runFor(2_000);
    await Promise.all([closing, ticking.catch(() => undefined)]);
    expect(offsets.get('t/0')).toBe(5n);
    await clock.runFor(10_000);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for the pause of a commit that is being repeated', async () => {
    const { source, clock, on, offsets, warnings } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('OffsetCommit', () => Promise.reject(cut()));
    await source.tick(commit);
    // The next try would be at 10.75 s.
    await clock.runFor(8_300);
    on('OffsetCommit', (request) => take(request, offsets));
    const closing = source.close();
    await clock.runFor(10);
    await closing;
    expect({ committed: offsets.get('t/0'), warnings }).toEqual({ committed: 5n, warnings: [] });
    expect(clock.pending).toBe(0);
  });

  it('without a coordinator takes at most 4.3 s, says what is not committed, and leaves nothing behind', async () => {
    const { source, clock, on, warnings } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('OffsetCommit', () => Promise.reject(cut()));
    on('LeaveGroup', silence);
    const closing = source.close();
    await clock.runFor(4_300);
    await closing;
    expect(warnings).toEqual([
      'the last offsets of group "g" are not committed: the coordinator did not answer in time',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('says that nobody took the last records, even if all before them are committed', async () => {
    const { source, clock, warnings, offsets } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    const closing = source.close(new Promise(() => undefined));
    await clock.runFor(4_300);
    await closing;
    expect({ offsets, warnings }).toEqual({
      offsets: new Map([['t/0', 5n]]),
      warnings: [
        'the last offsets of group "g" are not committed: standard output did not take the last records in time',
      ],
    });
    expect(clock.pending).toBe(0);
  });

  it('says nothing about records that were taken while the commit was made', async () => {
    const { source, clock, on, warnings, offsets } = await scene({ t: 1 });
    const positions = await source.open();
    print(positions, 't/0', 5n);
    on('OffsetCommit', async (request) => {
      await clock.sleep(1_000);
      return take(request, offsets);
    });
    const written = Promise.withResolvers<void>();
    const closing = source.close(written.promise);
    await clock.runFor(500);
    print(positions, 't/0', 6n);
    written.resolve();
    await clock.runFor(4_000);
    await closing;
    expect({ offsets, warnings }).toEqual({ offsets: new Map([['t/0', 6n]]), warnings: [] });
  });

  it('after the group has removed the member says what is not committed', async () => {
    const { source, clock, on, offsets, warnings } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('OffsetCommit', (request) => take(request, offsets, () => 25));
    const closing = source.close();
    await clock.runFor(4_300);
    await closing;
    expect(warnings).toEqual(['the last offsets of group "g" are not committed: the group has removed this member']);
  });

  it('leaves the group even when the last commit took all of its time', async () => {
    const { source, clock, on } = await scene({ t: 1 });
    print(await source.open(), 't/0', 5n);
    on('OffsetCommit', silence);
    let hasLeft = false;
    on('LeaveGroup', () =>
      later(clock, 900, () => {
        hasLeft = true;
        return { errorCode: 0, members: [] };
      }),
    );
    const closing = source.close().then(() => hasLeft);
    await clock.runFor(4_300);
    expect(await closing).toBe(true);
  });
});
