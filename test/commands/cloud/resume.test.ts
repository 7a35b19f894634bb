import { kill } from 'node:process';
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../sandbox/cloud/plane.ts';
import { newPerson, type ProcessPerson } from './resume-world.ts';

/** How a request is held until weir is killed: it goes on when its client has gone. */
const held: Effect = { kind: 'delay', ms: 600_000 };
const lost: Effect = { kind: 'drop', when: 'before' };

/** The request that weir is killed in, after so many to the same route; `lost`: it never arrives. */
type KillPoint = readonly [route: string, skip: number, fate: 'arrives' | 'lost'];

/** Kills weir with -9 while its request is held, and waits until the simulator is done with it. */
async function killAt(me: ProcessPerson, line: string, [route, skip, fate]: KillPoint): Promise<void> {
  for (const effect of fate === 'lost' ? [held, lost] : [held]) await me.plane.fault(route, effect, { skip });
  const weir = me.start(line);
  await me.untilHeld();
  weir.child.kill('SIGKILL');
  expect(await weir.ended).toBe(137);
  await me.untilAnswered(route, skip + 1);
}

async function killInPlugin(me: ProcessPerson, line: string, hang: string): Promise<void> {
  const weir = me.start(line, { SIM_PLUGIN_HANG: hang });
  const plugin = await me.untilPluginHangs();
  weir.child.kill('SIGKILL');
  expect(await weir.ended).toBe(137);
  kill(plugin, 'SIGKILL');
}

async function expectCreated(me: ProcessPerson): Promise<void> {
  const clusters = await me.clusters();
  expect(clusters.map(({ name, state }) => [name, state])).toEqual([['first', 'STATE_READY']]);
  expect(await me.plane.journal('?route=clusters.create&status=202')).toHaveLength(1);
  expect(me.flows()).toEqual([]);
}

async function expectDeleted(me: ProcessPerson): Promise<void> {
  const state = me.plane.state();
  expect([state.clusters, state.networks, state.resourceGroups]).toEqual([[], [], []]);
  for (const route of ['clusters.delete', 'networks.delete'])
    expect(await me.plane.journal(`?route=${route}&status=202`)).toHaveLength(1);
  expect(me.flows()).toEqual([]);
}

// Every point at which a flow can be killed or interrupted is in test/byoc/flow/flow.test.ts and in interrupted.test.ts;
// here, some of them with real processes, signals and plugins.
describe.concurrent('the creation of a BYOC cluster, as a process', () => {
  test('from the request to the cluster, the apply in between, in one command', async () => {
    const me = await newPerson();
    const outcome = await me.finish(await me.creation());
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ name: 'first', state: 'STATE_READY' });
    expect(outcome.stderr).toMatch(/weir cloud cluster select \w+/);
    expect(me.pluginStarts().map(({ argv }) => argv.slice(0, 2).join(' '))).toEqual(['gcp apply']);
    await expectCreated(me);
  });

  test('killed in the request that arrives, it is resumed', async () => {
    const me = await newPerson();
    await killAt(me, await me.creation(), ['clusters.create', 0, 'arrives']);
    expect(me.flows()).toHaveLength(1);
    expect(JSON.stringify(me.flows())).not.toMatch(/eyJ|admin-secret/);
    const outcome = await me.finish('cloud resume');
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(outcome.stdout).toMatch(/^create cluster "first" \(\w+\): finished\n$/);
    await expectCreated(me);
    expect(await me.finish('cloud resume')).toMatchObject({ exitCode: 0, stderr: 'nothing is unfinished\n' });
  });

  test('killed in the plugin, after its work is done, it is resumed', async () => {
    const me = await newPerson();
    await killInPlugin(me, await me.creation(), 'after');
    const [cluster] = await me.clusters();
    const outcome = await me.finish(`cloud resume ${cluster.id}`);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    await expectCreated(me);
    const applies = me.pluginStarts().filter(({ message }) => message === 'apply done');
    expect(applies).toEqual([]);
  });

  test('SIGTERM goes to the plugin, weir outlives it and says how to go on', async () => {
    const [signal, exitCode] = ['SIGTERM', 143] as const;
    const me = await newPerson();
    const weir = me.start(await me.creation(), { SIM_PLUGIN_HANG: 'before' });
    await me.untilPluginHangs();
    weir.child.kill(signal);
    expect(await weir.ended).toBe(exitCode);
    expect(me.pluginStarts().at(-1)).toMatchObject({ signal, exit_code: exitCode });
    const [cluster] = await me.clusters();
    expect(weir.stderr()).toContain(`weir cloud resume ${cluster.id}`);
    expect((await me.finish(`cloud resume ${cluster.id}`)).exitCode).toBe(0);
    await expectCreated(me);
  });

  test('a token that expires while 45 minutes go by is replaced', async () => {
    const me = await newPerson();
    await me.plane.settings({ tokenLifetimeS: 1200, durations: { clusterCreateMs: 2_700_000 } } as never);
    const weir = me.start(await me.creation());
    for (let polls = 1; polls <= 3; polls += 1) {
      await me.untilAnswered('operations.get&status=200', polls);
      await me.plane.advance(900_000);
    }
    expect(await weir.ended, weir.stderr()).toBe(0);
    expect((await me.plane.journal('?status=401')).length).toBeGreaterThan(0);
    await expectCreated(me);
  });
});

describe.concurrent('the deletion of a BYOC cluster, as a process', () => {
  test('cluster, agent, network and resource group, in one command', async () => {
    const me = await newPerson();
    const outcome = await me.finish(await me.deletion());
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ name: 'first', state: 'DELETED' });
    expect(me.pluginStarts().map(({ argv }) => argv.slice(0, 2).join(' '))).toEqual(['gcp destroy']);
    await expectDeleted(me);
  });

  test('killed in the plugin, it is resumed', async () => {
    const me = await newPerson();
    await killInPlugin(me, await me.deletion(), 'before');
    const outcome = await me.finish('cloud resume');
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    await expectDeleted(me);
  });

  test('without leave the very command is printed on one line; run, and resumed, it ends', async () => {
    const me = await newPerson();
    const line = (await me.deletion()).replace('--destroy', '').replace('--format json', '');
    const [cluster] = await me.clusters();
    const outcome = await me.finish(line);
    expect(outcome.exitCode).toBe(6);
    expect(outcome.stdout).toBe(`weir cloud byoc gcp destroy --cluster-id ${cluster.id} --project-id=p1\n`);
    const again = await me.finish('cloud resume --format json');
    expect(again.exitCode).toBe(6);
    expect(JSON.parse(again.stdout)).toMatchObject([{ state: 'waiting', command: outcome.stdout.trim() }]);
    await me.plane.settings({ durations: { agentRemoveMs: 240_000 } } as never); // four seconds of ours
    expect((await me.finish(`${outcome.stdout.trim().slice('weir '.length)} --yes`)).exitCode).toBe(0);
    expect((await me.finish(`cloud resume ${cluster.id}`)).exitCode).toBe(0);
    await expectDeleted(me);
  });

  test('the same delete again continues even if only the network is left', async () => {
    const me = await newPerson();
    const line = await me.deletion();
    await killAt(me, line, ['networks.delete', 0, 'lost']);
    expect(await me.clusters()).toEqual([]);
    const outcome = await me.finish(line);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    await expectDeleted(me);
    expect((await me.finish(line)).exitCode).toBe(3);
  });
});
