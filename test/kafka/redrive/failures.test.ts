import { describe, expect, it } from 'vitest';
import { openFilter } from '../../../src/kafka/filter/filter.ts';
import type { RedriveRequest } from '../../../src/kafka/redrive/request.ts';
import { openRedriveWorld, type RedriveWorld } from './redrive-world.ts';

/** Chooses by a condition. */
async function where(condition: string): Promise<Pick<RedriveRequest, 'filter'>> {
  return { filter: { filter: await openFilter({ where: [condition] }), onSifted: () => undefined } };
}

/** Makes the leader of a new topic `cut` the only replica that has what follows. */
function leaveReplicas({ control }: RedriveWorld): void {
  const { leader, replicas } = control.partition('cut', 0);
  for (const broker of replicas.filter((one) => one !== leader)) {
    control.holdReplication('cut', 0, broker);
    control.dropFromIsr('cut', 0, broker);
  }
}

/** Elects a replica that does not have that. */
async function cutLog({ control, world }: RedriveWorld): Promise<void> {
  const { leader, replicas } = control.partition('cut', 0);
  control.kill(leader);
  await world.clock.runFor(2_000);
  control.electUnclean('cut', 0);
  await world.clock.runFor(10_000);
  for (const broker of replicas.filter((one) => one !== leader)) control.releaseReplication('cut', 0, broker);
}

function openCut(): RedriveWorld {
  const opened = openRedriveWorld();
  opened.control.createTopic({ name: 'cut', configs: { 'min.insync.replicas': '1' } });
  return opened;
}

describe.each([false, true])(
  'dead letters whose log is cut by an unclean election, exactly once: %s',
  (isExactlyOnce) => {
    it('are put back from where it was cut, also at the offsets of others that were sent', async () => {
      const opened = openCut();
      const { write, redrive, values, warnings, world } = opened;
      await write('cut', 0, ['a', 'b']);
      await world.clock.runFor(1_000);
      leaveReplicas(opened);
      await write('cut', 0, ['c', 'd', 'e']);
      const request = { topic: 'cut', isExactlyOnce };
      expect(await redrive(request)).toEqual(['to 5']);
      await cutLog(opened);
      await write('cut', 0, ['x', 'y', 'z', 'w']);
      expect(await redrive(request)).toEqual(['to 4']);
      expect(values('to')).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z', 'w']);
      expect(warnings).toEqual([expect.stringContaining('lost offsets 2 to 4')]);
      expect(await redrive(request)).toEqual([]);
    });

    it('are put back also behind one that was left', async () => {
      const opened = openCut();
      const { write, redrive, values, world } = opened;
      await write('cut', 0, ['a', 'b']);
      await world.clock.runFor(1_000);
      leaveReplicas(opened);
      await write('cut', 0, ['c', 'd', 'e', 'f']);
      const request = { topic: 'cut', isExactlyOnce };
      expect(await redrive({ ...request, ...(await where('value != "a" && value != "f"')) })).toEqual(['to 4']);
      await cutLog(opened);
      await write('cut', 0, ['x', 'y', 'z']);
      expect(await redrive(request)).toEqual(['to 4']);
      expect(values('to')).toEqual(['b', 'c', 'd', 'e', 'a', 'x', 'y', 'z']);
    });
  },
);

it('dead letters that an earlier run has sent do not count where the log is cut before a run has read so far', async () => {
  const opened = openCut();
  const { write, redrive, start, values, world, control } = opened;
  await write('cut', 0, ['a', 'b', 'c', 'd']);
  await world.clock.runFor(1_000);
  leaveReplicas(opened);
  await write('cut', 0, ['e', 'f', 'g']);
  expect(await redrive({ topic: 'cut', range: { start: { at: 'exact', offset: 4n }, end: { at: 'end' } } })).toEqual([
    'to 3',
  ]);
  control.fault({ api: 'Fetch', times: 1_000, action: { kind: 'refuse', code: 6 } });
  const running = start({ topic: 'cut' }, { retry: 60_000 });
  await world.clock.runFor(1_000);
  await cutLog(opened);
  await write('cut', 0, ['x', 'y', 'z']);
  control.clearFaults();
  expect(await world.clock.runUntil(running.ended)).toEqual(['to 7']);
  expect(values('to')).toEqual(['e', 'f', 'g', 'a', 'b', 'c', 'd', 'x', 'y', 'z']);
});

it('two topics with dead letters are put back at once with one group', async () => {
  const { write, start, values, world, control } = openRedriveWorld();
  control.createTopic({ name: 'other' });
  const all = Array.from({ length: 20 }, (_, at) => `a${at}`);
  await write('from', 0, all);
  await write('other', 0, all);
  const request = { group: 'both', isExactlyOnce: true, perSecond: 5 };
  const runs = ['from', 'other'].map((topic) => start({ ...request, topic }));
  expect(await world.clock.runUntil(Promise.all(runs.map(({ ended }) => ended)))).toEqual([['to 20'], ['to 20']]);
  expect(values('to')).toHaveLength(40);
});
