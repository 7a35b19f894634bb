import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';
import { storageWorld } from './storage-world.ts';

const started = 'POST /v1/cloud_storage/automated_recovery';
const line = 'storage restore start --wait --yes';
const done = 'The restore is done.\n';
const quick = { perRequestMs: 400, recoveryMs: 3000 };

/** The effect of a server that shows this state. */
function showing(state: object) {
  return { kind: 'status', status: 200, text: JSON.stringify(state) } as const;
}

beforeEach(skipPauses);

describe('cluster storage restore start', () => {
  test('starts it and says how to follow it; again, it says so and sends nothing', async () => {
    const { cluster, json, changes } = await storageWorld({});
    const follow = 'see how far it is with: weir cluster storage restore status\n';
    expect(await cluster('storage restore start --yes')).toEqual({
      stdout: 'A restore is running: starting.\n',
      stderr: follow,
      exitCode: 0,
    });
    expect(await cluster('storage recovery start', { terminal: { typed: '' } })).toEqual({
      stdout: 'A restore is running: initialized.\n',
      stderr: `a restore is running already\n${follow}`,
      exitCode: 0,
    });
    expect(await json('storage restore start --yes')).toEqual({
      ...{ state: 'initialized', reason: null, topics: [], status: 'NOT_NEEDED', dry_run: false, error: null },
    });
    expect(changes()).toEqual([started]);
  });

  test('--wait ends when it is done', async () => {
    const { cluster, changes } = await storageWorld(quick);
    expect(await cluster(line)).toEqual({ stdout: done, stderr: '', exitCode: 0 });
    expect(changes()).toEqual([started]);
  });

  test('asks first; no changes nothing', async () => {
    const { cluster, changes } = await storageWorld();
    const { stderr, exitCode } = await cluster('storage restore start', { terminal: { typed: 'n\n' } });
    expect(stderr).toContain('Restore the topics and settings in object storage into the cluster on ');
    expect(exitCode).toBe(1);
    expect(await cluster('storage restore start --dry-run')).toEqual({
      stdout: 'A restore would be started.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });

  test('a state that the next leader does not show yet does not end the wait', async () => {
    const { cluster, switches } = await storageWorld(quick);
    const effect = showing({ state: 'inactive', error: 'an earlier one failed' });
    // Read once before the start.
    switches.addFault({ route: 'recovery.cluster.status', effect, skip: 1, times: 2 });
    expect(await cluster(line)).toMatchObject({ stdout: done, exitCode: 0 });
    expect(switches.journal().filter(({ route }) => route === 'recovery.cluster.status').length).toBeGreaterThan(5);
  });

  test('a restore that failed does not keep the next one from starting', async () => {
    const { cluster, changes, switches } = await storageWorld({ ...quick, recoveryOutcome: 'error' });
    const { stderr, exitCode } = await cluster(`${line} --format json`);
    expect(JSON.parse(stderr).error).toMatchObject({
      ...{ code: 'RESTORE_FAILED', message: expect.stringContaining('the restore has failed') },
    });
    expect(exitCode).toBe(1);
    switches.changeSettings({ recoveryOutcome: 'success' });
    expect(await cluster(line)).toMatchObject({ stdout: done, exitCode: 0 });
    expect(changes()).toEqual([started, started]);
  });

  test.each([
    [{ state: 'recovery_stage::failed', error: 'manifest not found' }, 'manifest not found'],
    [{ state: 'failed' }, 'the server gave no reason'],
    [{ state: 'inactive', error: 'no bucket\u001b[1m' }, 'no bucket\\u001b[1m'],
    [
      {
        state: 'inactive',
        topic_download_counts: [
          { topic_namespace: 'kafka/b', pending_downloads: 0, successful_downloads: 1, failed_downloads: 1 },
          { topic_namespace: 'ns/a', pending_downloads: 0, successful_downloads: 0, failed_downloads: 2 },
        ],
      },
      'partitions of "b", "ns/a" were not downloaded',
    ],
  ])('a restore that fails: exit 1 with the reason, %j', async (state, reason) => {
    const { cluster, switches } = await storageWorld();
    switches.addFault({ route: 'recovery.cluster.status', effect: showing(state), skip: 3, times: null });
    const { stdout, stderr, exitCode } = await cluster(line);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: `weir: the restore has failed: ${reason}\n`,
      exitCode: 1,
    });
    expect(await cluster('storage restore status --wait')).toMatchObject({ stderr, exitCode: 1 });
    expect((await cluster('storage restore status')).stdout).toContain('The last restore has failed');
  });

  test('a wait ends only when no download is pending', async () => {
    const { cluster, switches } = await storageWorld();
    const counts = { topic_namespace: 'kafka/b', successful_downloads: 1, failed_downloads: 0 };
    const pending = { state: 'inactive', topic_download_counts: [{ ...counts, pending_downloads: 2 }] };
    const effect = showing(pending);
    switches.addFault({ route: 'recovery.cluster.status', effect, skip: 2, times: 8 });
    const ended = showing({ state: 'inactive', topic_download_counts: [{ ...counts, pending_downloads: 0 }] });
    switches.addFault({ route: 'recovery.cluster.status', effect: ended, skip: 2, times: null });
    expect(await cluster(line)).toMatchObject({ stdout: done, exitCode: 0 });
    expect(switches.journal().filter(({ route }) => route === 'recovery.cluster.status')).toHaveLength(11);
  });

  test('is sent once: an answer that is lost is looked for, before it is an error with exit 5', async () => {
    const lost = await storageWorld();
    lost.switches.addFault({ route: 'recovery.cluster.start', effect: { kind: 'drop', when: 'after' } });
    expect((await lost.cluster('storage restore start --yes')).exitCode).toBe(0);
    const before = await storageWorld();
    before.switches.addFault({ route: 'recovery.cluster.start', effect: { kind: 'drop', when: 'before' } });
    const { stderr, exitCode } = await before.cluster('storage restore start --yes');
    expect(stderr).toContain('hint: the cluster may have made the change: check before you repeat the command\n');
    expect(exitCode).toBe(5);
    for (const { changes } of [lost, before]) expect(changes()).toEqual([started]);
  });

  test('one that somebody else starts in between: exit 6', async () => {
    const { cluster, ok, whenAfter } = await storageWorld({});
    whenAfter('recovery.cluster.status', () => ok(started));
    const { stderr, exitCode } = await cluster('storage restore start --yes');
    expect(stderr).toMatch(
      /a recovery is already active \(POST \S+: 409\)\nhint: see whether a restore is running with: weir/,
    );
    expect(exitCode).toBe(6);
  });

  test('a cluster without tiered storage: exit 6; without the call: exit 1', async () => {
    const { cluster, switches } = await adminWorld();
    expect(await cluster('storage restore start --yes')).toMatchObject({
      stderr: expect.stringContaining('there is no bucket'),
      exitCode: 6,
    });
    switches.addFault({ route: 'recovery.cluster.status', effect: { kind: 'status', status: 404 }, times: null });
    expect(await cluster('storage restore start --yes')).toMatchObject({
      stderr: expect.stringContaining('may not support restoring a cluster'),
      exitCode: 1,
    });
  });

  test('--cluster-uuid is refused if a broker would restore another cluster than that one', async () => {
    const choice = '--cluster-uuid 67f5505a-32f1-4677-bcad-3c75a1a702a6';
    const { cluster, changes } = await storageWorld();
    for (const how of ['--yes', '--dry-run']) {
      expect(await cluster(`storage restore start ${choice} ${how}`)).toMatchObject({
        stderr: expect.stringContaining('broker 0 has the version v24.3.1\nhint: --cluster-uuid needs Redpanda 25.3.3'),
        exitCode: 1,
      });
    }
    expect(changes()).toEqual([]);
    const newer = await storageWorld({ release: '25.3' });
    const brokers = (await newer.ok('GET /v1/brokers')) as object[];
    for (const version of ['v25.3.2', undefined]) {
      const text = JSON.stringify(brokers.map((one, at) => (at === 1 ? { ...one, version } : one)));
      newer.switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status: 200, text } });
      expect(await newer.cluster(`storage restore start ${choice} --yes`)).toMatchObject({ exitCode: 1 });
    }
    expect(await newer.cluster(`storage restore start ${choice} --yes`)).toMatchObject({ exitCode: 0 });
    expect(newer.changes()).toEqual([started]);
  });

  test('the polling interval of rpk is accepted and ignored', async () => {
    const { cluster } = await storageWorld();
    expect(await cluster('storage restore start --polling-interval 5s --yes')).toMatchObject({
      stderr: expect.stringContaining('warning: --polling-interval is ignored\n'),
      exitCode: 0,
    });
  });

  test('interrupted at every request and taken up again, it ends the same', async () => {
    const { reports } = await interruptedEverywhere({
      ...{ make: () => storageWorld(quick), line },
      // Later on it is over, and the same command would start another one.
      requests: (routes) => routes.indexOf('recovery.cluster.start') + 4,
      async resume({ world, at, routes, where }) {
        const again = at > routes.indexOf('recovery.cluster.start') ? 'storage restore status --wait' : line;
        const { stdout, exitCode } = await world.cluster(again);
        expect({ stdout, exitCode }, where).toEqual({
          stdout: again === line ? done : 'No restore is running.\n',
          exitCode: 0,
        });
        expect(world.changes()).toEqual([started]);
      },
    });
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while starting the restore: the request may or may not have arrived\n' +
        'hint: check with: weir cluster storage restore status\n',
      'weir: stopped waiting for the restore; it is still running\n' +
        'hint: resume waiting with: weir cluster storage restore status --wait\n',
    ]);
  });
});

describe('cluster storage restore status', () => {
  test('shows the state, and the partitions of topics if the server lists them', async () => {
    const { cluster, json, switches } = await storageWorld();
    expect((await cluster('storage restore status')).stdout).toBe('No restore is running.\n');
    const counts = { topic_namespace: 'kafka/b', pending_downloads: 3, successful_downloads: 1, failed_downloads: 0 };
    const effect = showing({ state: 'recovering', error: '', topic_download_counts: [counts] });
    switches.addFault({ route: 'recovery.cluster.status', effect, times: null });
    expect((await cluster('storage recovery status')).stdout).toBe(
      [
        'TOPIC  PENDING  SUCCESSFUL  FAILED',
        'b      3        1           0',
        'A restore is running: recovering.',
        '',
      ].join('\n'),
    );
    expect(await json('storage restore status')).toEqual({
      ...{ state: 'recovering', reason: null },
      topics: [{ topic: 'b', pending: 3, successful: 1, failed: 0 }],
    });
  });
});
