import { beforeEach, describe, expect, test } from 'vitest';
import type { Effect } from '../../sandbox/admin/controlled.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { type AdminWorld, adminWorld } from './admin-world.ts';

beforeEach(skipPauses);

const topic = (name: string, ...replicas: readonly number[]) => {
  return { ns: 'kafka', name, partitions: [{ id: 0, leader: replicas[0] ?? 0, replicas, sizeBytes: 1024 }] };
};

const restarts = (): Promise<AdminWorld> =>
  adminWorld({
    settings: { release: '26.2' },
    cluster: {
      brokers: [0, 1, 2].map((id) => ({ id, rack: null, alive: true })),
      topics: [topic('alone', 0), topic('pair', 0, 1), topic('three', 0, 1, 2), topic('elsewhere', 1, 2)],
    },
  });

describe('cluster restart-check over the Admin API', () => {
  test('lists what the broker reports, by risk, and exits with 10', async () => {
    const { cluster, switches } = await restarts();
    switches.setLag(1, true);
    const { stdout, exitCode } = await cluster('restart-check 0 --format json');
    expect(JSON.parse(stdout)).toEqual({
      ...{ broker: 0, api: 'admin', is_safe: false, recovered: null, in_sync_percent: null },
      ...{ rf1_offline: ['alone/0'], unavailable: ['pair/0'], acks1_data_loss: ['pair/0'] },
      full_acks_produce_unavailable: ['redpanda/controller/0', 'three/0'],
    });
    expect(exitCode).toBe(10);
  });

  test('partitions with one replica are no risk with --ignore-rf1', async () => {
    const { cluster, switches } = await restarts();
    switches.clearJournal();
    // The others of broker 2 have replicas elsewhere.
    expect((await cluster('restart-check 2')).exitCode).toBe(10);
    expect(switches.journal(2).map(({ path }) => path)).toContain('/v1/broker/pre_restart_probe?limit=1000000');
    const alone = await adminWorld({ settings: { release: '26.2' } });
    expect((await alone.cluster('restart-check 3 --ignore-rf1')).exitCode).toBe(0);
  });

  test('with --after, waits until every replica is in sync, also for a broker that does not answer yet', async () => {
    const { cluster, switches } = await restarts();
    const route = 'broker.restart.after';
    const some: Effect = { kind: 'status', status: 200, text: '{"load_reclaimed_pc":66}' };
    switches.addFault({ route, times: 20, effect: { kind: 'status', status: 503, message: 'starting' } });
    switches.addFault({ route, skip: 20, times: 2, effect: some });
    // It falls back, or is restarted only then.
    switches.addFault({ route, skip: 25, times: 1, effect: some });
    await cluster('config set health_monitor_max_metadata_age 7900');
    const { stdout, exitCode } = await cluster('restart-check 2 --after --format json');
    expect(JSON.parse(stdout)).toMatchObject({
      is_safe: null,
      recovered: true,
      in_sync_percent: 100,
      rf1_offline: null,
    });
    expect(exitCode).toBe(0);
    // The first 100% can be from before the restart: it must hold for 2.5 times the age of reports, in which weir asks every 2s.
    expect(switches.journal(2).filter((one) => one.route === route)).toHaveLength(26 + 11);
    // Who may not read the property waits for the default, 25s.
    switches.addFault({ route: 'config.get', effect: { kind: 'status', status: 403, message: 'no' } });
    switches.clearJournal();
    expect((await cluster('restart-check 2 --after')).exitCode).toBe(0);
    expect(switches.journal(2).filter((one) => one.route === route)).toHaveLength(14);
  });

  test('--wait-timeout ends the wait, and says how far the broker was', async () => {
    const { cluster, switches } = await restarts();
    switches.setLag(2, true);
    const { stdout, stderr, exitCode } = await cluster('restart-check 2 --after --wait-timeout 1s');
    expect(stderr).toContain('broker 2 had not recovered within 1s (--wait-timeout): 0% of its replicas are in sync');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
  });

  test('a release without the check says since when there is one', async () => {
    const { cluster } = await adminWorld();
    expect(await cluster('restart-check 1')).toEqual({
      stdout: '',
      stderr: [
        'weir: unable to check the restart of broker 1: this cluster does not have restart checks',
        'hint: restart checks need Redpanda 25.1 or newer: see the version with weir cluster brokers list',
        '',
      ].join('\n'),
      exitCode: 1,
    });
  });
});
