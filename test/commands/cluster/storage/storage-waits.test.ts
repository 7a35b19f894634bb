import { beforeEach, describe, expect, test } from 'vitest';
import type { Signal } from '../../../../src/host/host.ts';
import { skipPauses } from '../../../skipped-pauses.ts';

import { interruptedEverywhere } from '../interrupted-everywhere.ts';
import { storageWorld } from './storage-world.ts';

const doubt = 'hint: the cluster may have made the change: check before you repeat the command\n';
const untouched = 'weir: stopped before anything was changed\nhint: repeat the command\n';

beforeEach(skipPauses);

describe.each([
  { verb: 'mount', topic: 'archive', doing: 'mounting topic "archive"', done: 'Topic archive is mounted' },
  { verb: 'unmount', topic: 'orders', doing: 'unmounting topic "orders"', done: 'Topic orders is unmounted' },
])('cluster storage $verb', ({ verb, topic, doing, done }) => {
  const change = `POST /v1/topics/${verb}`;
  const line = `storage ${verb} ${topic} --wait`;
  const route = `topics.${verb}`;

  test('interrupted at every request and taken up again, it ends the same', async () => {
    const { whole, routes, reports } = await interruptedEverywhere({
      ...{ make: storageWorld, line },
      async resume({ world, at, where, report }) {
        const [, id] = /status-mount (\d+)/.exec(report) ?? [];
        const again = id !== undefined && at % 2 === 0 ? `storage status-mount ${id} --wait` : line;
        const second = await world.cluster(again);
        expect(second, where).toMatchObject({ exitCode: 0 });
        expect(second.stdout, where).toMatch(again === line ? done : /finished/);
        expect(world.changes()).toEqual([change]);
        return report.replaceAll(/\d+/g, 'ID');
      },
    });
    expect(whole.stdout).toContain(done);
    expect(routes.length).toBeGreaterThan(routes.indexOf(route) + 3);
    expect(reports).toEqual([
      untouched,
      `weir: stopped while ${doing}: the request may or may not have arrived\n` +
        'hint: check with: weir cluster storage list-mount\n',
      'weir: stopped waiting for migration ID; it is still running\n' +
        'hint: resume waiting with: weir cluster storage status-mount ID --wait\n',
    ]);
  });

  test.each(['before', 'after'] as const)('an answer that is cut %s the change: the id is found', async (when) => {
    const { json, switches, changes, ok } = await storageWorld();
    switches.addFault({ route, effect: { kind: 'drop', when } });
    const row = await json(line);
    expect(row).toMatchObject({ state: 'finished', status: 'OK', topics: [topic] });
    expect(await ok('GET /v1/migrations')).toMatchObject([{ id: row.id }]);
    expect(changes()).toEqual([change, change]);
  });

  test('an earlier migration of the topic is not taken for the one whose answer is lost', async () => {
    const { cluster, json, ok, switches } = await storageWorld();
    const { id: old } = await json(`storage ${verb} ${topic}`);
    await switches.advance(1000);
    await cluster(`storage cancel-mount ${old} --wait`);
    switches.addFault({ route, effect: { kind: 'drop', when: 'after' } });
    const row = await json(line);
    expect(row.id).not.toBe(old);
    expect(await ok('GET /v1/migrations')).toMatchObject([
      { id: old, state: 'cancelled' },
      { id: row.id, state: 'finished' },
    ]);
  });

  test('a node that cuts every answer: exit 5, the doubt, and how to check', async () => {
    const { cluster, switches } = await storageWorld();
    switches.addFault({ route, effect: { kind: 'drop', when: 'before' }, times: null });
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toContain(`${doubt}hint: check with: weir cluster storage list-mount\n`);
    expect(exitCode).toBe(5);
  });

  test('a leader that moves when the request arrives, and during the wait, changes nothing', async () => {
    const { cluster, switches, ok } = await storageWorld();
    const effect = { kind: 'move-controller', electionMs: 1000 } as const;
    switches.addFault({ route, effect });
    switches.addFault({ route: 'migrations.get', effect, skip: 1 });
    const outcome = await cluster(line);
    expect(outcome, outcome.stderr).toMatchObject({ stdout: expect.stringContaining(done), exitCode: 0 });
    expect(await ok('GET /v1/migrations')).toHaveLength(1);
  });

  test('a node that is lost during the wait: the wait goes on at another one', async () => {
    const { cluster, switches, whenAfter } = await storageWorld();
    whenAfter('migrations.get', () => switches.stopNode(0));
    expect(await cluster(line)).toMatchObject({ stdout: expect.stringContaining(done), exitCode: 0 });
  });

  test.each([
    ['several nodes of which any may be asked', [1, 2, 0]],
    ['only a follower', [1]],
  ])('nodes that learn of it a while later: the wait goes on, with %s', async (_, nodes) => {
    const { cluster, api } = await storageWorld({ perRequestMs: 400, replicationMs: 900 });
    const hosts = nodes.map((at) => api.addresses[at]).join(',');
    const outcome = await cluster(line, { env: { WEIR_ADMIN_HOSTS: hosts } });
    expect(outcome, outcome.stderr).toMatchObject({ stdout: expect.stringContaining(done), exitCode: 0 });
  });

  test('somebody who cancels it during the wait ends the wait with exit 6', async () => {
    const world = await storageWorld();
    world.whenAfter('migrations.get', async () => {
      await world.switches.advance(1000);
      await world.ok(`POST /v1/migrations/${await idOf(world)}?action=cancel`);
    });
    const { stderr, exitCode } = await world.cluster(line);
    expect({ stderr, exitCode }).toEqual({
      stderr: `weir: migration ${await idOf(world)} was canceled\n`,
      exitCode: 6,
    });
  });

  test('somebody who deletes it during the wait ends the wait with exit 3', async () => {
    const world = await storageWorld({});
    world.whenAfter('migrations.get', async () => {
      await world.ok(`DELETE /v1/migrations/${await idOf(world)}`);
    });
    const { stderr, exitCode } = await world.cluster(line);
    expect(stderr).toMatch(
      /^weir: migration \d+ does not exist\nhint: see the migrations with: weir cluster storage list-mount\n$/,
    );
    expect(exitCode).toBe(3);
  });

  test('the wait ends at its limit with exit 5 and the id', async () => {
    const world = await storageWorld({});
    const { stderr, exitCode } = await world.cluster(`${line} --wait-timeout 20s`);
    const id = await idOf(world);
    expect(stderr).toBe(
      `weir: migration ${id} was not done within 20s (--wait-timeout); it is still running\n` +
        'hint: raise the limit with --wait-timeout DURATION\n' +
        `hint: resume waiting with: weir cluster storage status-mount ${id} --wait\n`,
    );
    expect(exitCode).toBe(5);
  });

  test('credentials that are refused during the wait: exit 4, with the command that waits again', async () => {
    const { cluster, switches } = await storageWorld();
    switches.addFault({ route: 'migrations.get', effect: { kind: 'status', status: 403 }, skip: 1 });
    const { stderr, exitCode } = await cluster(line);
    expect(stderr).toMatch(/hint: resume waiting with: weir cluster storage status-mount \d+ --wait\n$/);
    expect(exitCode).toBe(4);
  });
});

async function idOf({ ok }: Awaited<ReturnType<typeof storageWorld>>): Promise<number> {
  return (await ok('GET /v1/migrations'))[0].id;
}

describe('cluster storage cancel-mount', () => {
  test('interrupted at every request and taken up again, it ends the same', async () => {
    const prepared = async () => {
      const world = await storageWorld({ perRequestMs: 400, migrationStepMs: 4_000 });
      const { id } = await world.json('storage mount archive');
      await world.switches.advance(4_000);
      world.switches.clearJournal();
      return { ...world, id: Number(id) };
    };
    const lineIn = ({ id }: { readonly id: number }) => `storage cancel-mount ${id} --wait`;
    const { whole, reports } = await interruptedEverywhere({
      ...{ make: prepared, line: lineIn },
      async resume({ world, where, report }) {
        const { id } = world;
        expect((await world.cluster(lineIn(world))).stdout, where).toBe(`Migration ${id} is canceled.\n`);
        expect(world.changes()).toEqual([`POST /v1/migrations/${id}?action=cancel`]);
        return report.replaceAll(String(id), 'ID');
      },
    });
    expect(whole.exitCode).toBe(0);
    expect(reports).toEqual([
      untouched,
      'weir: stopped while canceling migration ID: the request may or may not have arrived\n' +
        'hint: check with: weir cluster storage status-mount ID\n',
      'weir: stopped waiting for the cancellation of migration ID; it is still running\n' +
        'hint: resume waiting with: weir cluster storage cancel-mount ID --wait\n',
    ]);
  });

  test('interrupted while its result is printed, it says that the migration is being canceled', async () => {
    const { cluster, json, switches } = await storageWorld();
    const { id } = await json('storage mount archive');
    await switches.advance(1000);
    let kill: (signal: Signal) => void = () => undefined;
    const ended = Promise.withResolvers<void>();
    const { stderr, exitCode } = await cluster(`storage cancel-mount ${id}`, {
      onStart(send) {
        kill = send;
      },
      onStdout() {
        kill('SIGINT');
        return ended.promise;
      },
      onAbandon: () => ended.resolve(),
    });
    expect(stderr).toContain(
      `weir: migration ${id} is being canceled\nhint: wait for its end with: weir cluster storage cancel-mount ${id} --wait\n`,
    );
    expect(exitCode).toBe(130);
  });

  test('is repeated when the answer is lost, and its refusal then counts as made', async () => {
    const { cluster, json, switches, changes } = await storageWorld({});
    const { id } = await json('storage mount archive');
    await switches.advance(1000);
    switches.addFault({ route: 'migrations.act', effect: { kind: 'drop', when: 'after' } });
    expect(await cluster(`storage cancel-mount ${id}`)).toMatchObject({ exitCode: 0 });
    expect(changes()).toHaveLength(3);
  });

  test('a mount that finishes first: exit 6', async () => {
    const world = await storageWorld({});
    const { id } = await world.json('storage mount archive');
    await world.switches.advance(1000);
    const text = JSON.stringify({ ...(await world.ok(`GET /v1/migrations/${id}`)), state: 'finished' });
    const effect = { kind: 'status', status: 200, text } as const;
    world.switches.addFault({ route: 'migrations.get', effect, skip: 1, times: null });
    const { stderr, exitCode } = await world.cluster(`storage cancel-mount ${id} --wait`);
    expect(stderr).toBe(`weir: migration ${id} finished before it was canceled\n`);
    expect(exitCode).toBe(6);
  });
});
