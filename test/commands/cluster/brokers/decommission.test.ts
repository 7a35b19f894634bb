import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const twoBrokers = {
  brokers: [0, 1].map((id) => ({ id, rack: null, alive: true })),
  topics: [
    {
      ns: 'kafka',
      name: 'orders',
      partitions: [{ id: 0, leader: 0, replicas: [0, 1], sizeBytes: 1000 }],
    },
  ],
};
const decommissioned = 'PUT /v1/brokers/3/decommission';
const recommissioned = 'PUT /v1/brokers/3/recommission';

beforeEach(skipPauses);

describe('cluster brokers decommission', () => {
  test('starts the decommission and says how to follow it', async () => {
    const { cluster, changes } = await adminWorld();
    expect(await cluster('brokers decommission 3')).toEqual({
      stdout: 'Broker 3 is being decommissioned: 2 replicas will move.\n',
      stderr: 'see how far it is with: weir cluster brokers decommission-status 3\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([decommissioned]);
  });

  test('--wait ends when the broker has left', async () => {
    const { cluster, json } = await adminWorld();
    expect(await cluster('brokers decommission 3 --wait')).toEqual({
      stdout: 'Broker 3 has left the cluster.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await json('brokers list')).toHaveLength(3);
  });

  test('the wait also ends on a server that forgets a broker that has left', async () => {
    const { json, switches } = await adminWorld({
      settings: { perRequestMs: 400, endedDecommission: 'not-found' },
    });
    expect(await json('brokers decommission 3 -w')).toMatchObject({ id: 3, membership: 'removed', status: 'OK' });
    expect(await json('brokers decommission-status 3')).toMatchObject({ id: 3, membership: 'removed' });
    switches.addFault({ route: 'brokers.uuids', effect: { kind: 'status', status: 404 }, times: null });
    await expect(json('brokers decommission-status 3')).rejects.toThrow('exit 3');
  });

  test('the wait also ends if such a server does not list UUIDs', async () => {
    const { cluster, switches } = await adminWorld({
      settings: { perRequestMs: 400, endedDecommission: 'not-found' },
    });
    switches.addFault({ route: 'brokers.uuids', effect: { kind: 'status', status: 404 }, times: null });
    const outcome = await cluster('brokers decommission 3 --wait');
    expect(outcome).toEqual({ stdout: 'Broker 3 has left the cluster.\n', stderr: '', exitCode: 0 });
    expect(switches.journal().at(-1)).toMatchObject({ route: 'brokers.uuids', status: 404 });
  });

  test('--dry-run shows what would move and changes nothing', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster('brokers decommission 3 --dry-run')).toEqual({
      stdout: [
        'TOPIC              REPLICAS  WITHOUT-PLACE',
        'kafka_internal/tx  1         0',
        'orders             1         0',
        'Broker 3 would be decommissioned.',
        '',
      ].join('\n'),
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('brokers decommission 3 --dry-run')).toMatchObject({
      ...{ id: 3, membership: 'active', status: 'OK', dry_run: true },
      topics: [{ topic: 'kafka_internal/tx' }, { topic: 'orders', replicas: 1, without_place: 0 }],
    });
    expect(changes()).toEqual([]);
  });

  test('asks on a terminal, with the replicas that will move; no changes nothing', async () => {
    const { cluster, changes } = await adminWorld();
    const { stderr, exitCode } = await cluster('brokers decommission 3', { terminal: { typed: 'n\n' } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('kafka_internal/tx  1         0\n');
    expect(stderr).toContain('Move 2 replicas away from broker 3 and remove it from the cluster on ');
    expect(changes()).toEqual([]);
    expect((await cluster('brokers decommission 3', { terminal: { typed: 'y\n' } })).exitCode).toBe(0);
    expect(changes()).toEqual([decommissioned]);
  });

  test('a server that does not list partitions: the replicas are not known', async () => {
    const { cluster, switches } = await adminWorld();
    switches.addFault({ route: 'cluster.partitions', effect: { kind: 'status', status: 404 }, times: null });
    expect((await cluster('brokers decommission 3')).stdout).toBe('Broker 3 is being decommissioned.\n');
  });

  test('warns before of replicas that have no place to go, and again while it waits', async () => {
    const { cluster } = await adminWorld({ cluster: twoBrokers });
    const outcome = await cluster('brokers decommission 1 --wait --wait-timeout 20s');
    expect(outcome).toEqual({
      stdout: '',
      stderr: [
        'warning: 1 partition has a replica on every broker that remains: without another broker, broker 1 cannot leave',
        'warning: no other broker can take some replicas of broker 1: add a broker, or stop the decommission with: weir cluster brokers recommission 1',
        'weir: the decommission of broker 1 was not done within 20s (--wait-timeout); it is still running',
        'hint: raise the limit with --wait-timeout DURATION',
        'hint: resume waiting with: weir cluster brokers decommission-status 1 --wait',
        'hint: stop it with: weir cluster brokers recommission 1',
        '',
      ].join('\n'),
      exitCode: 5,
    });
    expect(await cluster('brokers decommission-status 1')).toMatchObject({
      stdout: [
        'ALLOCATION FAILURES',
        '===================',
        'kafka/orders/0',
        '',
        'DECOMMISSION PROGRESS',
        '=====================',
        'NAMESPACE-TOPIC  PARTITION  MOVING-TO  COMPLETION-%  PARTITION-SIZE',
        '',
      ].join('\n'),
      exitCode: 0,
    });
  });

  test('says why a replica has no place to go, as Redpanda 26.1 does', async () => {
    const { cluster, json } = await adminWorld({ cluster: twoBrokers, settings: { release: '26.1' } });
    await cluster('brokers decommission 1');
    expect((await cluster('brokers decommission-status 1')).stdout).toContain(
      'kafka/orders/0: No eligible node found to move replica\n',
    );
    expect(await json('brokers decommission-status 1')).toMatchObject({
      without_place: ['orders/0'],
      place_failures: [{ partition: 'orders/0', reason: 'No eligible node found to move replica' }],
    });
  });

  test('again, while the broker is draining, only waits', async () => {
    const { cluster, changes } = await adminWorld();
    await cluster('brokers decommission 3');
    // Nothing is asked either.
    const again = await cluster('brokers decommission 3 --wait', { terminal: { typed: '' } });
    expect(again).toEqual({
      stdout: 'Broker 3 has left the cluster.\n',
      stderr: 'broker 3 is being decommissioned already\n',
      exitCode: 0,
    });
    expect(await cluster('brokers decommission 3 --wait')).toEqual({
      stdout: 'Broker 3 has left the cluster.\n',
      stderr: 'broker 3 has left the cluster already\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([decommissioned]);
  });

  test('a broker in maintenance mode can be decommissioned', async () => {
    const { cluster, ok, switches, changes } = await adminWorld();
    await ok('PUT /v1/brokers/3/maintenance');
    switches.clearJournal();
    expect(await cluster('brokers decommission 3')).toMatchObject({ exitCode: 0 });
    expect(changes()).toEqual([decommissioned]);
  });

  test('is refused while a broker is down (exit 6), unless it is forced', async () => {
    const { cluster, switches, changes } = await adminWorld();
    await switches.stopNode(2);
    const down = await cluster('brokers decommission 1');
    expect(down.stderr).toContain('unable to decommission broker 1: broker 2 is down');
    expect(down.exitCode).toBe(6);
    expect(changes()).toEqual([]);
    expect((await cluster('brokers decommission 2 --force')).exitCode).toBe(0);
    expect(changes()).toEqual(['PUT /v1/brokers/2/decommission']);
  });

  test('the last active broker stays (exit 6)', async () => {
    const { cluster, changes } = await adminWorld({ cluster: twoBrokers });
    await cluster('brokers decommission 1');
    const { stderr, exitCode } = await cluster('brokers decommission 0 --force');
    expect(stderr).toContain('unable to decommission broker 0: no other active broker would remain');
    expect(exitCode).toBe(6);
    expect(changes()).toEqual(['PUT /v1/brokers/1/decommission']);
  });

  test('a change that the server refuses for the state of the cluster: exit 6 with its reason', async () => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 400, message: 'not now' } as const;
    switches.addFault({ route: 'brokers.decommission', effect });
    const { stderr, exitCode } = await cluster('brokers decommission 3 --wait');
    expect(stderr).toContain('unable to decommission broker 3: not now (PUT http://');
    expect(exitCode).toBe(6);
  });

  test.each([
    ['--wait-timeout 1s', 2],
    ['--wait --wait-timeout soon', 2],
    ['--no-wait', 0],
  ])('%s exits with %d', async (flags, expected) => {
    const { cluster, changes } = await adminWorld();
    expect((await cluster(`brokers decommission 3 ${flags}`)).exitCode).toBe(expected);
    expect(changes()).toEqual(expected === 0 ? [decommissioned] : []);
  });

  test('interrupted at every request and taken up again, it ends the same', async () => {
    const line = 'brokers decommission 3 --wait';
    const { routes, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where }) {
        expect(await world.cluster(line), where).toMatchObject({
          stdout: 'Broker 3 has left the cluster.\n',
          exitCode: 0,
        });
        expect(world.changes()).toEqual([decommissioned]);
      },
    });
    expect(routes.length).toBeGreaterThan(routes.indexOf('brokers.decommission') + 3);
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while decommissioning broker 3: the request may or may not have arrived\n' +
        'hint: check with: weir cluster brokers decommission-status 3\n',
      'weir: stopped waiting for the decommission of broker 3; it is still running\n' +
        'hint: resume waiting with: weir cluster brokers decommission-status 3 --wait\n' +
        'hint: stop it with: weir cluster brokers recommission 3\n',
    ]);
  });

  test('a leader that moves when the request arrives, and during the wait, changes nothing', async () => {
    const { cluster, switches, changes } = await adminWorld();
    const effect = { kind: 'move-controller', electionMs: 1_000 } as const;
    switches.addFault({ route: 'brokers.decommission', effect });
    switches.addFault({ route: 'brokers.decommission.progress', effect, skip: 1 });
    const outcome = await cluster('brokers decommission 3 --wait');
    expect(outcome, outcome.stderr).toMatchObject({ stdout: 'Broker 3 has left the cluster.\n', exitCode: 0 });
    expect(new Set(changes())).toEqual(new Set([decommissioned]));
  });

  test('the node that leads is lost during the wait: the wait goes on', async () => {
    const { cluster, switches, whenAfter } = await adminWorld();
    whenAfter('brokers.decommission.progress', async () => {
      whenAfter(switches.journal().length + 3, () => switches.startNode(0));
      await switches.stopNode(0);
    });
    const outcome = await cluster('brokers decommission 3 --wait');
    expect(outcome, outcome.stderr).toMatchObject({ stdout: 'Broker 3 has left the cluster.\n', exitCode: 0 });
    expect(switches.journal().some(({ node, route }) => node !== 0 && route === 'brokers.decommission.progress')).toBe(
      true,
    );
  });

  test('someone else stops the decommission during the wait: exit 6', async () => {
    const world = await adminWorld();
    world.whenAfter('brokers.decommission.progress', () => world.ok(recommissioned));
    const { stderr, exitCode } = await world.cluster('brokers decommission 3 --wait');
    expect({ stderr, exitCode }).toEqual({
      stderr: 'weir: broker 3 is not being decommissioned any more\n',
      exitCode: 6,
    });
    const answers = world.switches.journal().filter(({ route }) => route === 'brokers.decommission.progress');
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  test('credentials that are refused during the wait: exit 4, with the command that waits again', async () => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 403, message: 'no' } as const;
    switches.addFault({ route: 'brokers.decommission.progress', effect, skip: 1 });
    const { stderr, exitCode } = await cluster('brokers decommission 3 --wait');
    expect(stderr).toContain('hint: resume waiting with: weir cluster brokers decommission-status 3 --wait\n');
    expect(exitCode).toBe(4);
  });
});
