import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const decommissioned = 'PUT /v1/brokers/3/decommission';
const recommissioned = 'PUT /v1/brokers/3/recommission';

beforeEach(skipPauses);

describe('cluster brokers list', () => {
  test('prints the columns of rpk, and the UUID last', async () => {
    const { cluster } = await adminWorld();
    const { stdout, stderr, exitCode } = await cluster('brokers list');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [header, ...rows] = stdout.trimEnd().split('\n');
    expect(header?.split(/ +/)).toEqual([
      'ID',
      'HOST',
      'PORT',
      'RACK',
      'CORES',
      'MEMBERSHIP',
      'IS-ALIVE',
      'VERSION',
      'UUID',
    ]);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^0 +127\.0\.0\.1 +33145 +- +\d+ +active +true +v\S+ - \S+ +[0-9a-f-]{36}$/);
  });

  test('wide adds the maintenance mode and the disk', async () => {
    const { cluster } = await adminWorld();
    const { stdout } = await cluster('brokers ls --format wide');
    expect(stdout.split('\n')[0]).toMatch(/VERSION +MAINTENANCE +DISK-FREE +DISK-TOTAL +UUID$/);
  });

  test('shows each broker as a block on a terminal that its UUID nearly fills', async () => {
    const { cluster } = await adminWorld();
    const { stdout } = await cluster('brokers list --color never', { terminal: { stdout: 60 } });
    const [first, second] = stdout.split('\n\n');
    expect(first).toMatch(/^ID +0\nHOST +127\.0\.0\.1\nPORT +33145\n(?:.+\n)+UUID +[0-9a-f-]{36}$/);
    expect(second).toMatch(/^ID +1\n/);
  });

  test('without UUIDs, as in older versions, there is no such column', async () => {
    const { cluster, switches } = await adminWorld();
    switches.addFault({ route: 'brokers.uuids', effect: { kind: 'status', status: 404 }, times: null });
    expect((await cluster('brokers list')).stdout.split('\n')[0]).toMatch(/VERSION$/);
    expect(await cluster('brokers list -d')).toMatchObject({ exitCode: 0 });
  });

  test('a broker that is down has no version; one that is draining is shown as such', async () => {
    const { json, ok, switches } = await adminWorld();
    await ok('PUT /v1/brokers/3/decommission');
    await switches.stopNode(2);
    const rows = await json('brokers list');
    expect(rows[2]).toMatchObject({ id: 2, is_alive: false, version: null, membership: 'active' });
    expect(rows[3]).toMatchObject({ id: 3, is_alive: true, membership: 'draining', in_maintenance: false });
  });

  test('-d adds the brokers that have left, of which only the ids are known', async () => {
    const { cluster, json, ok, switches } = await adminWorld();
    await ok('PUT /v1/brokers/3/decommission');
    await switches.advance(60_000);
    expect((await json('brokers list')).map((one: { id: number }) => one.id)).toEqual([0, 1, 2]);
    const rows = await json('brokers list --include-decommissioned');
    expect(rows[3]).toMatchObject({ id: 3, host: null, membership: null, uuid: expect.any(String) });
    const { stdout } = await cluster('brokers list -d');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^3( +-){7} +[0-9a-f-]{36}$/);
  });
});

describe('cluster brokers decommission-status', () => {
  test('lists the replicas that are moving; -d adds bytes, -H units', async () => {
    const { cluster, ok, json, switches } = await adminWorld({ settings: {} });
    await ok('PUT /v1/brokers/3/decommission');
    await switches.advance(1_000);
    const plain = await cluster('brokers decommission-status 3');
    expect(plain).toEqual({
      stdout: [
        'DECOMMISSION PROGRESS',
        '=====================',
        'NAMESPACE-TOPIC    PARTITION  MOVING-TO  COMPLETION-%  PARTITION-SIZE',
        'kafka/orders       0          0          50            67108864',
        'kafka_internal/tx  0          2          50            67108864',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    const { stdout } = await cluster('brokers decommission-status 3 -d -H');
    expect(stdout.split('\n').slice(2, 4)).toEqual([
      'NAMESPACE-TOPIC    PARTITION  MOVING-TO  COMPLETION-%  PARTITION-SIZE  BYTES-MOVED  BYTES-REMAINING',
      'kafka/orders       0          0          50            67.11MB         33.55MB      33.55MB',
    ]);
    expect((await cluster('brokers decommission-status 3 --format wide')).stdout).toContain('BYTES-REMAINING\n');
    expect(await json('brokers decommission-status 3')).toMatchObject({
      ...{ id: 3, membership: 'draining', replicas_left: 2, without_place: [], place_failures: [] },
      replicas: [{ topic: 'orders', partition: 0, to: 0, completion_percent: 50, bytes_moved: 33554432 }, {}],
    });
  });

  test('a broker that is not being decommissioned is no error, except with --wait (exit 6)', async () => {
    const { cluster } = await adminWorld();
    expect(await cluster('brokers decommission-status 1')).toEqual({
      stdout: 'Broker 1 is not being decommissioned.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await cluster('brokers decommission-status 1 --wait')).toEqual({
      stdout: '',
      stderr: 'weir: broker 1 is not being decommissioned\nhint: start it with: weir cluster brokers decommission 1\n',
      exitCode: 6,
    });
  });

  test('--wait ends when the broker has left, and at once if it has already', async () => {
    const { cluster, ok } = await adminWorld();
    await ok('PUT /v1/brokers/3/decommission');
    const left = { stdout: 'Broker 3 has left the cluster.\n', stderr: '', exitCode: 0 };
    expect(await cluster('brokers decommission-status 3 --wait')).toEqual(left);
    expect(await cluster('brokers decommission-status 3 -w')).toEqual(left);
    expect(await cluster('brokers decommission-status 3')).toEqual(left);
  });
});

describe('cluster brokers recommission', () => {
  test('stops a decommission, once', async () => {
    const { cluster, json, changes } = await adminWorld({ settings: {} });
    await cluster('brokers decommission 3');
    expect(await cluster('brokers recommission 3 --dry-run')).toEqual({
      stdout: 'Broker 3 would be recommissioned.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('brokers recommission 3')).toEqual({
      ...{ id: 3, membership: 'active', status: 'OK', dry_run: false, error: null },
    });
    expect(await cluster('brokers recommission 3')).toEqual({
      stdout: 'Broker 3 is an active member of the cluster.\n',
      stderr: 'broker 3 is not being decommissioned\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([decommissioned, recommissioned]);
    expect((await json('brokers list'))[3]).toMatchObject({ id: 3, membership: 'active' });
  });

  test('a broker that has left cannot come back: exit 3', async () => {
    const { cluster } = await adminWorld();
    await cluster('brokers decommission 3 --wait');
    expect((await cluster('brokers recommission 3')).exitCode).toBe(3);
  });

  test('interrupted at every request and repeated, it ends the same', async () => {
    const line = 'brokers recommission 3';
    const { whole, routes, reports } = await interruptedEverywhere({
      async make() {
        const world = await adminWorld({ settings: {} });
        await world.ok('PUT /v1/brokers/3/decommission');
        return world;
      },
      line,
      async resume({ world, where, report }) {
        expect((await world.cluster(line)).exitCode, where).toBe(0);
        expect(world.changes()).toEqual([decommissioned, recommissioned]);
        return /^weir: .*$/m.exec(report)?.[0];
      },
    });
    expect(whole.exitCode).toBe(0);
    // The list, its UUIDs, the leader and the change.
    expect(routes.length).toBeGreaterThanOrEqual(4);
    expect(reports).toEqual([
      'weir: stopped before anything was changed',
      'weir: stopped while recommissioning broker 3: the request may or may not have arrived',
    ]);
  });
});
