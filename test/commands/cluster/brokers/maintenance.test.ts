import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const on = 'PUT /v1/brokers/3/maintenance';
const off = 'DELETE /v1/brokers/3/maintenance';
const drained = 'Broker 3 is in maintenance mode, and all its leaderships have moved.\n';

beforeEach(skipPauses);

describe('cluster maintenance status', () => {
  test('prints the columns of rpk, one broker per line', async () => {
    const { cluster, ok, switches } = await adminWorld({ settings: {} });
    await ok(on);
    expect(await cluster('maintenance status')).toEqual({
      stdout: [
        'NODE-ID  ENABLED  FINISHED  ERRORS  PARTITIONS  ELIGIBLE  TRANSFERRING  FAILED',
        '0        false    -         -       -           -         -             -',
        '1        false    -         -       -           -         -             -',
        '2        false    -         -       -           -         -             -',
        '3        true     false     false   2           2         1             0',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    await switches.advance(60_000);
    expect((await cluster('maintenance status --no-headers')).stdout).toContain('3  true   true  false  2  2  0  0\n');
  });

  test('what the server does not say is "-" in text and null in JSON', async () => {
    const { cluster, json, switches } = await adminWorld();
    const broker = {
      ...{ node_id: 4, num_cores: 1, internal_rpc_address: 'b', internal_rpc_port: 1 },
      ...{ membership_status: 'active', maintenance_status: { draining: false } },
    };
    const effect = { kind: 'status', status: 200, text: JSON.stringify([broker]) } as const;
    switches.addFault({ route: 'brokers.list', effect, times: null });
    expect((await cluster('maintenance status --no-headers')).stdout).toBe('4  false  -  -  -  -  -  -\n');
    expect(await json('maintenance status')).toEqual([
      {
        ...{ id: 4, enabled: false, finished: null, errors: null },
        ...{ partitions: null, eligible: null, transferring: null, failed: null },
      },
    ]);
  });
});

describe('cluster maintenance enable', () => {
  test('turns it on and returns; again, it says so and sends nothing', async () => {
    const { cluster, changes } = await adminWorld({ settings: {} });
    const stdout = 'Broker 3 is in maintenance mode; its leaderships are moving.\n';
    expect(await cluster('maintenance enable 3')).toEqual({ stdout, stderr: '', exitCode: 0 });
    expect(await cluster('maintenance enable 3')).toEqual({
      stdout: stdout.replace('is in', 'is already in'),
      stderr: '',
      exitCode: 0,
    });
    expect(changes()).toEqual([on]);
  });

  test('--wait ends when all leaderships have moved', async () => {
    const { cluster, json } = await adminWorld();
    expect(await cluster('maintenance enable 3 --wait')).toEqual({ stdout: drained, stderr: '', exitCode: 0 });
    expect(await json('maintenance enable 3 -w')).toMatchObject({
      id: 3,
      enabled: true,
      finished: true,
      status: 'NOT_NEEDED',
    });
  });

  test('--dry-run changes nothing', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster('maintenance enable 3 --dry-run --wait')).toEqual({
      stdout: 'The maintenance mode of broker 3 would be turned on.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('maintenance enable 3 --dry-run')).toMatchObject({
      enabled: false,
      status: 'OK',
      dry_run: true,
    });
    expect(changes()).toEqual([]);
  });

  test.each(['', ' --dry-run'])('a second broker is refused%s: exit 6', async (how) => {
    const { cluster } = await adminWorld();
    await cluster('maintenance enable 3');
    const { stderr, exitCode } = await cluster(`maintenance enable 1${how}`);
    expect(stderr).toMatch(
      /^weir: unable to turn the maintenance mode of broker 1 on: broker 3 is in maintenance mode\nhint: turn it off first/,
    );
    expect(exitCode).toBe(6);
  });

  test('leaderships that cannot move: the wait warns once, and ends at its limit with exit 5', async () => {
    const { cluster, ok, switches } = await adminWorld();
    await ok(on);
    // The simulator always finds another leader.
    const brokers: readonly Json[] = await ok('GET /v1/brokers');
    const failing = {
      draining: true,
      finished: false,
      errors: true,
      partitions: 2,
      eligible: 1,
      transferring: 0,
      failed: 1,
    };
    const text = JSON.stringify(brokers.with(3, { ...brokers[3], maintenance_status: failing }));
    switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status: 200, text }, times: null });
    const outcome = await cluster('maintenance enable 3 --wait --wait-timeout 30s');
    expect(outcome).toEqual({
      stdout: '',
      stderr: [
        'warning: some leaderships cannot move away from broker 3 yet',
        'weir: the drain of broker 3 was not done within 30s (--wait-timeout); it is still running',
        'hint: raise the limit with --wait-timeout DURATION',
        'hint: resume waiting with: weir cluster maintenance enable 3 --wait',
        '',
      ].join('\n'),
      exitCode: 5,
    });
  });

  test('a node that learns of the change later does not end the wait', async () => {
    const { cluster, ok, switches } = await adminWorld();
    const text = JSON.stringify(await ok('GET /v1/brokers'));
    switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status: 200, text }, skip: 1, times: 2 });
    expect(await cluster('maintenance enable 3 --wait')).toEqual({ stdout: drained, stderr: '', exitCode: 0 });
    expect(switches.journal().filter(({ faults }) => faults.length > 0)).toHaveLength(2);
  });

  test('someone else turns it off during the wait: exit 6', async () => {
    const world = await adminWorld({ settings: { perRequestMs: 400, transferMs: 60_000 } });
    world.whenAfter('brokers.maintenance.start', () =>
      world.whenAfter(world.switches.journal().length + 1, () => world.ok(off)),
    );
    const { stderr, exitCode } = await world.cluster('maintenance enable 3 --wait --format json');
    expect(JSON.parse(stderr).error).toMatchObject({
      message: 'broker 3 is not in maintenance mode any more',
      code: 'MAINTENANCE_STOPPED',
    });
    expect(exitCode).toBe(6);
  });

  test('interrupted at every request and taken up again, it ends the same', async () => {
    const line = 'maintenance enable 3 --wait';
    const { routes, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where }) {
        const { stdout, exitCode } = await world.cluster(line);
        expect({ stdout: stdout.replace('already ', ''), exitCode }, where).toEqual({ stdout: drained, exitCode: 0 });
        expect(world.changes()).toEqual([on]);
      },
    });
    expect(routes.length).toBeGreaterThan(routes.indexOf('brokers.maintenance.start') + 2);
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while turning the maintenance mode of broker 3 on: the request may or may not have arrived\n' +
        'hint: check with: weir cluster maintenance status\n',
      'weir: stopped waiting for the drain of broker 3; it is still running\n' +
        'hint: resume waiting with: weir cluster maintenance enable 3 --wait\n',
    ]);
  });

  test('a leader that moves when the request arrives changes nothing', async () => {
    const { cluster, switches, changes } = await adminWorld();
    const effect = { kind: 'move-controller', electionMs: 1_000 } as const;
    switches.addFault({ route: 'brokers.maintenance.start', effect });
    expect(await cluster('maintenance enable 3 --wait')).toMatchObject({ stdout: drained, exitCode: 0 });
    expect(new Set(changes())).toEqual(new Set([on]));
    expect(changes().length).toBeGreaterThan(1);
  });
});

describe('cluster maintenance disable', () => {
  test('turns it off; again, it says so and sends nothing', async () => {
    const { cluster, json, changes } = await adminWorld();
    await cluster('maintenance enable 3');
    expect(await cluster('maintenance disable 3 --dry-run')).toEqual({
      stdout: 'The maintenance mode of broker 3 would be turned off.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('maintenance disable 3')).toMatchObject({ id: 3, enabled: false, status: 'OK' });
    expect(await cluster('maintenance disable 3')).toEqual({
      stdout: 'Broker 3 is not in maintenance mode.\n',
      stderr: 'the maintenance mode of broker 3 was off already\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([on, off]);
  });
});
