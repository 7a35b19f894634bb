import { describe, expect, it } from 'vitest';
import { readStored, storeOffsets } from '../../../../src/kafka/carry/stored-offsets.ts';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { openCopyWorld } from './copy-world.ts';

const follow = { range: { start: { at: 'start' }, end: undefined } } as const;
const inUse = { code: 'GROUP_IN_USE', exitCode: 6 };

describe('a copy leaves a group alone that', () => {
  it('has committed offsets of the destination', async () => {
    const { world, write, copy, values } = openCopyWorld(2);
    const { client } = world.openClient('app', { retry: 20_000 });
    const committer = { group: 'app', generation: -1, memberId: '', instanceId: undefined };
    const offsets = [{ topic: 'to', partition: 1, offset: 1n, metadata: '' }];
    await write('to', 1, ['old']);
    await world.clock.runUntil(storeOffsets(client, committer, offsets));
    await write('from', 0, ['a', 'b']);
    await expect(copy({ group: 'app', appends: true })).rejects.toMatchObject({
      ...inUse,
      message: 'group "app" has offsets of another program for topic "to"',
    });
    expect(values('to')).toEqual([]);
    expect(await world.clock.runUntil(readStored(client, 'app', offsets))).toEqual(offsets);
  });

  it('has consumers as members, and they stay alone in theirs', async () => {
    const { world, write, copy, start, values } = openCopyWorld();
    const { client } = world.openClient('app', { retry: 20_000 });
    const join = (group: string) =>
      createMembership(client, {
        group,
        instanceId: undefined,
        balancers: ['sticky'],
        sessionTimeoutMs: 45_000,
        rebalanceTimeoutMs: 60_000,
        heartbeatMs: 3_000,
        topics: () => ['to'],
        onChange: () => undefined,
      }).join();
    await world.clock.runUntil(join('app'));
    await write('from', 0, ['a']);
    await expect(copy({ group: 'app' })).rejects.toMatchObject({
      ...inUse,
      message:
        'group "app" has other programs as members, or copies of other topics (0 records were copied before that)',
    });
    expect(values('to')).toEqual([]);
    const running = start({ group: 'mirror', ...follow });
    await world.clock.runFor(5_000);
    await expect(world.clock.runUntil(join('mirror'))).rejects.toMatchObject({ code: 'INCONSISTENT_GROUP_PROTOCOL' });
    running.stop();
    expect(await world.clock.runUntil(running.ended)).toMatchObject({ records: 1 });
  });

  it('copies another topic there, now or before', async () => {
    const { world, control, write, copy, start, values } = openCopyWorld(2);
    control.createTopic({ name: 'second', partitions: 2 });
    await write('from', 0, ['a']);
    await write('second', 1, ['x']);
    const sources = ['from', 'second'].map((source) => ({ topics: [{ source, target: 'to' }], group: 'mirror' }));
    const running = sources.map((one) => start({ ...one, ...follow }));
    await world.clock.runFor(10_000);
    for (const { stop } of running) stop();
    const ends = await world.clock.runUntil(Promise.allSettled(running.map(({ ended }) => ended)));
    const refused = ends.findIndex(({ status }) => status === 'rejected');
    expect(ends[refused]).toMatchObject({ reason: inUse });
    expect(ends[1 - refused]).toMatchObject({ value: { records: 1 } });
    const winner = ['from', 'second'][1 - refused];
    await expect(copy(sources[refused])).rejects.toMatchObject({
      ...inUse,
      message: `group "mirror" has the progress of a copy of topic "${winner}" to "to"`,
    });
    expect([...values('to', 0), ...values('to', 1)]).toHaveLength(1);
  });

  it('has copied a topic of the same name that was deleted', async () => {
    const { control, write, copy } = openCopyWorld();
    await write('from', 0, ['a']);
    await copy({ group: 'mirror' });
    control.deleteTopic('from');
    control.createTopic({ name: 'from' });
    await expect(copy({ group: 'mirror' })).rejects.toMatchObject({
      ...inUse,
      message: 'group "mirror" has the progress of a topic "from" that was deleted and created again',
    });
  });
});

it('processes of one group share partitions that both topics get', async () => {
  const { world, write, grow, start, values } = openCopyWorld();
  const running = [start({ group: 'mirror', ...follow }), start({ group: 'mirror', ...follow })];
  await world.clock.runFor(5_000);
  for (const topic of ['from', 'to']) await grow(topic, 3);
  for (const partition of [0, 1, 2]) await write('from', partition, [`a${partition}`]);
  await world.clock.runFor(30_000);
  for (const { stop } of running) stop();
  await world.clock.runUntil(Promise.all(running.map(({ ended }) => ended)));
  expect([0, 1, 2].map((partition) => values('to', partition))).toEqual([['a0'], ['a1'], ['a2']]);
});

it('processes of one group share the partitions', async () => {
  const { world, write, start, values } = openCopyWorld(4);
  for (const partition of [0, 1, 2, 3]) await write('from', partition, ['a', 'b']);
  const running = [start({ group: 'mirror' }), start({ group: 'mirror' })];
  const rows = await world.clock.runUntil(Promise.all(running.map(({ ended }) => ended)));
  expect(rows.reduce((sum, { records }) => sum + records, 0)).toBe(8);
  expect(rows.every(({ records }) => records > 0)).toBe(true);
  expect([0, 1, 2, 3].flatMap((partition) => values('to', partition))).toHaveLength(8);
});

it('two members that begin at once have the records once, though one has read the progress before the other stored it', async () => {
  const { world, write, start, control, values } = openCopyWorld();
  await write('from', 0, ['a', 'b']);
  control.fault({ api: 'OffsetFetch', times: 1, action: { kind: 'late', milliseconds: 8_000 } });
  const slow = start({ group: 'mirror' });
  await world.clock.runFor(200);
  const quick = start({ group: 'mirror' });
  await world.clock.runUntil(Promise.all([slow.ended, quick.ended]));
  expect(slow.copied + quick.copied).toBe(2);
  expect(values('to')).toEqual(['a', 'b']);
});
