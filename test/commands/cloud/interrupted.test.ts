import { describe, expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import type { Effect } from '../../sandbox/cloud/plane.ts';
import type { Outcome, World } from '../../world.ts';
import { newPerson, type ProcessPerson } from './resume-world.ts';

/** How a request is held until weir is gone. */
const held: Effect = { kind: 'delay', ms: 600_000 };

/** Presses Ctrl-C once a request to this route is held, after so many to the same route. */
async function interruptIn(
  me: ProcessPerson,
  line: string,
  [route, skip]: readonly [string, number],
): Promise<Outcome> {
  await me.plane.fault(route, held, { skip });
  let kill: (signal: Signal) => void = () => undefined;
  const running = me.run(line, {
    env: unhurried,
    onStart: (given) => {
      kill = given;
    },
  });
  const early = running.then(({ stderr }) => Promise.reject(new Error(`weir ended before: ${stderr}`)));
  await Promise.race([me.untilHeld(), early]);
  early.catch(() => undefined);
  kill('SIGINT');
  return withoutProgress(await running);
}

/** A machine with more to do may take longer than a command may. */
const unhurried = { WEIR_GLOBALS_COMMAND_TIMEOUT: '1h' };

/** Leaves out the progress that a command prints every ten seconds, for example `creating the cluster "x"  creating  10s`. */
function withoutProgress({ stderr, ...outcome }: Outcome): Outcome {
  const lines = stderr.split('\n').filter((line) => !/ {2}[\dhm]*\d+m?s$/.test(line));
  return { ...outcome, stderr: lines.join('\n') };
}

const inText = (line: string) => line.replace(' --format json', '');
const stopping = 'stopping (press Ctrl-C again to end at once)\n';

/** What is interrupted: a request and the number of earlier ones to its route, what is reported, and the step it is at. */
interface Point {
  readonly in: readonly [route: string, skip: number];
  readonly reached: string;
  readonly step: string;
  /** The request that `cloud resume` sends next. */
  readonly next: string;
  /** An earlier request in which the first command is interrupted; then `cloud resume` is, in this one. */
  readonly after?: readonly [route: string, skip: number];
}

const arrived = 'the request may or may not have arrived';
const preparing = 'the control plane is preparing it for its agent';
const applying = 'the plugin may not have installed its agent completely';
const finishing = 'its agent is installed, and the control plane is finishing it';

const creating: readonly Point[] = [
  { in: ['clusters.create', 0], reached: arrived, step: 'create', next: 'clusters.list' },
  { in: ['clusters.get', 0], reached: preparing, step: 'agent', next: 'clusters.get' },
  { in: ['legacy.cluster', 0], reached: applying, step: 'apply', next: 'clusters.get' },
  { in: ['artifacts.get', 0], reached: applying, step: 'apply', next: 'clusters.get' },
  { in: ['operations.get', 0], reached: finishing, step: 'operation', next: 'operations.get' },
  { in: ['clusters.get', 1], reached: 'it has been created', step: 'read', next: 'clusters.get' },
];

const begun = 'the deletion has started, but its agent may still be in your own cloud account';
const destroying = 'the plugin may not have removed its agent completely';
const network = `it has been deleted; the request to delete its network may or may not have arrived`;
const group = 'it and its network have been deleted; its resource group may or may not be deleted';
const both = 'it has been deleted, and the control plane is deleting its network';

const deleting: readonly Point[] = [
  { in: ['clusters.delete', 0], reached: arrived, step: 'delete', next: 'clusters.get' },
  { in: ['clusters.get', 2], reached: begun, step: 'agent', next: 'clusters.get' },
  { in: ['artifacts.get', 0], reached: destroying, step: 'destroy', next: 'clusters.get' },
  { in: ['operations.get', 0], reached: 'the control plane is deleting it', step: 'operation', next: 'operations.get' },
  { in: ['networks.get', 0], reached: network, step: 'network', next: 'networks.get' },
  { in: ['networks.delete', 0], reached: network, step: 'network', next: 'networks.get' },
  {
    // How often the operation of the cluster is read before depends on the time; after a resume it is not read again.
    ...{ after: ['networks.get', 0], in: ['operations.get', 0] },
    ...{ reached: both, step: 'network-operation', next: 'operations.get' },
  },
  { in: ['resource-groups.delete', 0], reached: group, step: 'resource-group', next: 'resource-groups.delete' },
];

/** Interrupts a flow, then `cloud resume` of it, and expects that each says what it has reached and how to continue. */
async function expectReports(me: ProcessPerson, line: string, doing: string, point: Point): Promise<void> {
  if (point.after !== undefined) await interruptIn(me, inText(line), point.after);
  const outcome = await interruptIn(me, point.after === undefined ? inText(line) : 'cloud resume first', point.in);
  const [flow] = me.flows();
  expect(flow).toMatchObject({ step: point.step, begun: true });
  const id = flow?.cluster_id;
  const name = id ?? flow?.id;
  const what = `stopped while ${doing} the cluster "first"${id === null ? '' : ` (${id})`}`;
  expect(outcome).toEqual({
    stdout: '',
    stderr: `${stopping}weir: ${what}: ${point.reached}\nhint: resume with: weir cloud resume ${name}\n`,
    exitCode: 130,
  });
  const resumed = await interruptIn(me, `cloud resume ${name} --format json`, [point.next, 0]);
  expect(resumed).toMatchObject({ stdout: '', exitCode: 130 });
  expect(JSON.parse(resumed.stderr.slice(stopping.length)).error).toMatchObject({
    code: 'INTERRUPTED',
    message: expect.stringContaining(what),
    hint: `resume with: weir cloud resume ${name}`,
    target: name,
  });
  const all = await interruptIn(me, 'cloud resume', [point.next, 0]);
  expect(all.stderr).toMatch(/^hint: resume with: weir cloud resume$/m);
}

describe.concurrent('Ctrl-C says what was reached and which command continues', () => {
  test.each(creating)('in a creation: $in', async (point) => {
    const me = await newPerson();
    await expectReports(me, await me.creation(), 'creating', point);
  });

  test.each(deleting)('in a deletion: $in', async (point) => {
    const me = await newPerson();
    await expectReports(me, await me.deletion(), 'deleting', point);
  });

  test('before a deletion has begun', async () => {
    const me = await newPerson();
    expect(await interruptIn(me, inText(await me.deletion()), ['clusters.get', 0])).toEqual({
      stdout: '',
      stderr: `${stopping}weir: stopped before anything was changed\nhint: repeat the command\n`,
      exitCode: 130,
    });
    expect(me.flows()).toEqual([]);
  });

  test('in a creation without the plugin: first of the request, then of the wait for the agent', async () => {
    const me = await newPerson();
    const line = inText(await me.creation()).replace(' --apply', '');
    const sent = await interruptIn(me, line, ['clusters.create', 0]);
    expect(sent.stderr).toBe(
      `${stopping}weir: stopped while creating the cluster "first": ${arrived}\nhint: check with: weir cloud cluster list\n`,
    );
    const other = await newPerson();
    const second = await interruptIn(other, inText(await other.creation()).replace(' --apply', ''), [
      'clusters.get',
      0,
    ]);
    const [{ id }] = (await other.clusters()) as readonly [{ id: string }];
    expect(second.stderr).toContain(`weir: stopped while creating the cluster "first" (${id}): ${preparing}\n`);
    expect(second.stderr).toContain(`weir cloud byoc gcp apply --cluster-id ${id} --project-id=p1\n`);
    expect(second.stderr).toMatch(/^hint: then wait with: weir cloud operation wait \w+$/m);
  });

  test('in a creation without waiting', async () => {
    const me = await newPerson();
    const line = (await me.creation()).replace(/ --apply.*/, ' --no-wait');
    expect((await interruptIn(me, line, ['clusters.create', 0])).stderr).toBe(
      `${stopping}weir: stopped while creating the cluster "first": ${arrived}\nhint: check with: weir cloud cluster list\n`,
    );
  });

  test('in a deletion without waiting, and in a change', async () => {
    const me = await newPerson();
    const line = (await me.deletion()).replace(/ --destroy.*/, ' --no-wait --yes');
    const [cluster] = await me.clusters();
    const deletion = await interruptIn(me, line, ['clusters.delete', 0]);
    expect(deletion.stderr).toBe(
      `${stopping}weir: stopped while deleting the cluster ${cluster.id}: ${arrived}\nhint: check with: weir cloud cluster get ${cluster.id}\n`,
    );
    const change = await interruptIn(me, `cloud cluster update ${cluster.id} --set a=b`, ['clusters.update', 0]);
    expect(change.stderr).toContain(`weir: stopped while updating the cluster ${cluster.id}: ${arrived}\n`);
    const { networkId } = cluster;
    const removal = await interruptIn(me, `cloud network delete ${networkId} --yes`, ['networks.delete', 0]);
    expect(removal.stderr).toContain(`weir: stopped while deleting the network ${networkId}: ${arrived}\n`);
  });

  test.each([
    'resource-group create dev',
    'service-account create --name pipe',
    'role-binding create --role-name Reader --account-id ci-reader --resource-id b',
  ])('at the first answer of %s, and at the one to its change; with --format json as JSON', async (line) => {
    const me = await newPerson();
    const interruptAt = async (route: string) => {
      const outcome = await interruptIn(me, `cloud ${line} --format json`, [route, 0]);
      expect(outcome).toMatchObject({ stdout: '', exitCode: 130 });
      return JSON.parse(outcome.stderr.slice(stopping.length)).error;
    };
    const untouched = {
      code: 'INTERRUPTED',
      message: 'stopped before anything was changed',
      hint: 'repeat the command',
    };
    expect(await interruptAt('oauth.token')).toMatchObject(untouched);
    const doubt = {
      code: 'INTERRUPTED',
      hint: expect.stringMatching(/^check whether the request to create the .* was/),
    };
    expect(await interruptAt(`${line.split(' ')[0]}s.create`)).toMatchObject(doubt);
  });

  test('in the download and in the run of the plugin alone', async () => {
    const me = await newPerson();
    await me.run((await me.creation()).replace(' --apply', ''));
    const [cluster] = await me.clusters();
    const repeat = `weir cloud byoc gcp apply --cluster-id ${cluster.id} --project-id=p1`;
    const line = repeat.slice('weir '.length);
    const install = `cloud byoc install --cluster-id ${cluster.id}`;
    expect((await interruptIn(me, install, ['artifacts.get', 0])).stderr).toBe(
      `${stopping}weir: stopped before the plugin was installed\nhint: repeat it with: weir ${install}\n`,
    );
    expect((await interruptIn(me, line, ['artifacts.get', 0])).stderr).toBe(
      `${stopping}weir: stopped before the plugin started (gcp apply)\nhint: repeat it with: ${repeat}\n`,
    );
    expect(await interruptInPlugin(me, line, 1)).toEqual({
      stdout: '',
      stderr: `weir: stopped while the plugin was running; it may not have finished its work (gcp apply)\nhint: repeat it with: ${repeat}\n`,
      exitCode: 1,
    });
    expect(await interruptInPlugin(me, line, 0)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test.each([
    [130, 130],
    [1, 1],
    [0, 130],
  ])('in the plugin of a flow, which ends with %i', async (pluginCode, exitCode) => {
    const me = await newPerson();
    const outcome = await interruptInPlugin(me, inText(await me.creation()), pluginCode);
    const [cluster] = await me.clusters();
    expect(outcome).toEqual({
      stdout: '',
      stderr: `weir: stopped while creating the cluster "first" (${cluster.id}): ${applying}\nhint: resume with: weir cloud resume ${cluster.id}\n`,
      exitCode,
    });
  });
});

/** Presses Ctrl-C while the plugin runs, which then ends with this exit code. */
async function interruptInPlugin(me: ProcessPerson, line: string, exitCode: number): Promise<Outcome> {
  let kill: (signal: Signal) => void = () => undefined;
  const spawn: World['spawn'] = async () => {
    kill('SIGINT');
    return { exitCode, stdout: '', stderr: '' };
  };
  const outcome = await me.run(line, {
    env: unhurried,
    spawn,
    onStart: (given) => {
      kill = given;
    },
  });
  return withoutProgress(outcome);
}
