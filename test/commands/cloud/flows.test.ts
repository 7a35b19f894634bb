import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clusterBody, readyNetwork, report } from '../../sandbox/cloud/plane.ts';
import type { World } from '../../world.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

let me: CloudPerson;
let file = '';
let place: { readonly groupId: string; readonly networkId: string };
beforeAll(async () => {
  me = await newCloudPerson();
  file = join(me.home, 'cluster.json');
});
afterAll(() => me.plane.stop());
beforeEach(async () => {
  await me.plane.reset();
  place = await readyNetwork(me.plane);
  writeBody();
});
afterEach(async () => {
  for (const { id } of me.flows()) await me.run(`cloud resume ${id} --forget`);
  expect(me.flows()).toEqual([]);
});

function writeBody(part: object = {}): void {
  writeFileSync(file, JSON.stringify(clusterBody(place.groupId, place.networkId, part)));
}

/** A ready BYOC cluster in the network of the test. */
async function readyCluster(): Promise<{ readonly clusterId: string }> {
  const created = await me.plane.api('POST', '/v1/clusters', clusterBody(place.groupId, place.networkId));
  const clusterId: string = created.body.operation.metadata.cluster_id;
  await report(me.plane, clusterId, 'installed');
  await me.plane.advance(15_000);
  return { clusterId };
}

const create = (more: string) => `cloud cluster create --file ${file} ${more}`;
const failing: NonNullable<World['spawn']> = async () => ({ exitCode: 7, stdout: '', stderr: '' });
const changes = async () =>
  (await me.plane.journal()).filter(({ route }) => /\.(create|delete)$/.test(String(route))).length;
/** The environment without the directories for state and the cache. */
const homeless = { home: '', env: { XDG_STATE_HOME: '', XDG_CACHE_HOME: '' } };

describe('a usage error before anything is changed', () => {
  test.each<[string, string, object, string]>([
    ['--apply for a Dedicated cluster', '--apply', { type: 'TYPE_DEDICATED' }, '--apply is for BYOC clusters'],
    ['--apply without waiting', '--apply --no-wait', {}, '--apply and --no-wait are mutually exclusive'],
    [
      '--apply on another cloud',
      '--apply',
      { cloud_provider: 'CLOUD_PROVIDER_MOON' },
      '--apply needs a cloud provider: aws, azure or gcp',
    ],
  ])('%s', async (_, flags, part, message) => {
    writeBody(part);
    const before = await changes();
    const outcome = await me.run(create(flags));
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(`weir: ${message}\n`) });
    expect(await changes()).toBe(before);
  });

  test.each([
    ['--no-wait --destroy', '--no-wait deletes only the cluster'],
    ['--no-wait --with-network', '--no-wait deletes only the cluster'],
    ['--no-wait --with-resource-group', '--no-wait deletes only the cluster'],
    ['--destroy', 'missing flag --project-id'],
  ])('deleting a cluster with %s', async (flags, message) => {
    const { clusterId } = await readyCluster();
    const before = await changes();
    const outcome = await me.run(`cloud cluster delete ${clusterId} --yes ${flags}`);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(`weir: ${message}\n`) });
    expect(await changes()).toBe(before);
  });

  test.each([
    ['cloud cluster delete CLUSTER --yes', 'journal', 'XDG_STATE_HOME'],
    ['cloud resume', 'journal', 'XDG_STATE_HOME'],
    ['cloud byoc install --cluster-id cccccccccccccccccccc', 'plugin', 'XDG_CACHE_HOME'],
  ])('%s without a home directory', async (line, what, variable) => {
    const { clusterId } = await readyCluster();
    expect(await me.run(line.replace('CLUSTER', clusterId), { ...homeless, cwd: me.home })).toEqual({
      stdout: '',
      stderr: `weir: unable to find a directory for the ${what}: the home directory is unknown\nhint: set ${variable}\n`,
      exitCode: 2,
    });
  });
});

describe('creating a cluster without the plugin', () => {
  test.each<[string, () => World]>([
    ['without a home directory', () => ({ ...homeless, cwd: me.home })],
    [
      'with a state directory that cannot be written',
      () => {
        const state = join(me.home, 'no-state');
        mkdirSync(join(state, 'weir'), { recursive: true });
        writeFileSync(join(state, 'weir/cloud'), '');
        return { env: { XDG_STATE_HOME: state } };
      },
    ],
  ])('needs no journal: %s', async (_, world) => {
    const outcome = await me.run(create('--no-wait --format json'), world());
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ type: 'TYPE_CREATE_CLUSTER' });
  });

  test('is refused while a creation with the plugin is unfinished', async () => {
    expect((await me.run(create('--apply --project-id p'), { spawn: failing })).exitCode).toBe(7);
    for (const flags of ['--no-wait', '--apply --project-id p']) {
      const { exitCode, stderr } = await me.run(create(`${flags} --format json`), { spawn: failing });
      expect(exitCode).toBe(6);
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'FLOW_UNFINISHED' });
    }
    expect(await me.plane.journal('?route=clusters.create')).toHaveLength(1);
  });
});

describe('cloud resume', () => {
  async function failedCreation(): Promise<string> {
    const { stderr } = await me.run(create('--apply --project-id p'), { spawn: failing });
    expect(stderr).toContain('the plugin ended with exit code 7 (gcp apply)');
    return String(me.flows()[0]?.cluster_id);
  }

  test('reports a flow that fails again, its hints, and its exit code; the flow can still be resumed', async () => {
    const id = await failedCreation();
    const outcome = await me.run('cloud resume --format json', { spawn: failing });
    const hints = [
      'see its output above',
      `resume with: weir cloud resume ${id}`,
      `or forget it without undoing anything: weir cloud resume ${id} --forget`,
    ];
    expect([outcome.exitCode, JSON.parse(outcome.stderr).error.code]).toEqual([7, 'PLUGIN_FAILED']);
    expect(JSON.parse(outcome.stdout)).toMatchObject([
      {
        kind: 'create',
        cluster_id: id,
        state: 'failed',
        command: null,
        error: { code: 'PLUGIN_FAILED', exit_code: 7 },
        hints,
      },
    ]);
    const text = await me.run(`cloud resume ${id}`, { spawn: failing });
    expect(text.stdout).toBe(
      [
        `create cluster "first" (${id}): failed: the plugin ended with exit code 7 (gcp apply)`,
        ...hints.map((hint) => `  hint: ${hint}`),
        '',
      ].join('\n'),
    );
  });

  test.each(['first', 'OPERATION', 'FLOW'])(
    'finds a flow by its cluster, its operation or its own id: %s',
    async (name) => {
      await failedCreation();
      const [{ id = '', operation_id: operation = '' } = {}] = me.flows();
      const word = name.replace('OPERATION', String(operation)).replace('FLOW', String(id));
      const { stdout } = await me.run(`cloud resume ${word} --dry-run --format json`);
      expect(JSON.parse(stdout)).toMatchObject([{ id, state: 'unfinished', step: 'apply' }]);
      const other = await me.run('cloud resume another --dry-run');
      expect(other).toMatchObject({
        exitCode: 0,
        stdout: '',
        stderr: expect.stringContaining('unfinished for another'),
      });
    },
  );

  test('--forget shows in a dry run what it would forget, and then does', async () => {
    const id = await failedCreation();
    const dry = await me.run(`cloud resume ${id} --forget --dry-run --format json`);
    expect(JSON.parse(dry.stdout)).toMatchObject([{ cluster_id: id, state: 'forgotten' }]);
    expect(me.flows()).toHaveLength(1);
    const done = await me.run(`cloud resume ${id} --forget`);
    expect(done.stdout).toBe(`create cluster "first" (${id}): forgotten\n`);
    expect(me.flows()).toEqual([]);
  });

  test('leaves a flow of another control plane alone, and refuses it by name', async () => {
    const id = await failedCreation();
    const env = { WEIR_CLOUD_API_URL: 'http://127.0.0.1:1' };
    const hint = `use the profile or -X cloud.api_url of ${me.plane.url}, where it was started`;
    expect(await me.run('cloud resume', { env })).toEqual({
      stdout: '',
      stderr: `warning: skipping the flow of "first": ${hint}\nnothing is unfinished\n`,
      exitCode: 0,
    });
    const { exitCode, stderr } = await me.run(`cloud resume ${id} --format json`, { env });
    expect([exitCode, JSON.parse(stderr).error]).toEqual([
      6,
      expect.objectContaining({ code: 'OTHER_CONTROL_PLANE', target: id, hint }),
    ]);
  });
});

test('a plugin that ends well although a signal arrived ends the flow by the signal, after its step was recorded', async () => {
  let kill: (signal: 'SIGHUP') => void = () => {};
  const outcome = await me.run(create('--apply --project-id p'), {
    onStart: (send) => {
      kill = send;
    },
    spawn: async () => {
      kill('SIGHUP');
      return { exitCode: 0, stdout: '', stderr: '' };
    },
  });
  expect(outcome.exitCode).toBe(129);
  expect(outcome.stderr).toMatch(/^hint: resume with: weir cloud resume \w+$/m);
  expect(me.flows()).toMatchObject([{ step: 'apply', begun: true }]);
});

test('a journal that is broken does not fail the plugin, but is a warning', async () => {
  const created = await me.plane.api('POST', '/v1/clusters', clusterBody(place.groupId, place.networkId));
  const broken = join(me.home, 'broken/weir/cloud/x.json');
  mkdirSync(dirname(broken), { recursive: true });
  writeFileSync(broken, '{');
  const line = `cloud byoc gcp apply --cluster-id ${created.body.operation.metadata.cluster_id} --project-id p`;
  const spawn: World['spawn'] = async () => ({ exitCode: 0, stdout: '', stderr: '' });
  const outcome = await me.run(line, { spawn, env: { XDG_STATE_HOME: join(me.home, 'broken') } });
  expect(outcome).toEqual({
    stdout: '',
    stderr: `warning: skipping an unfinished operation: unable to read ${broken}: it is not a valid flow record\n`,
    exitCode: 0,
  });
});

test('without a project, the agent is not removed on a terminal: the command that does it is printed', async () => {
  const { clusterId } = await readyCluster();
  await me.plane.settings({ durations: { clusterDeleteMs: 0 } });
  const outcome = await me.run(`cloud cluster delete ${clusterId} --yes`, {
    terminal: { stdin: true, stdout: true, stderr: true },
    spawn: failing,
  });
  expect(outcome.stdout).toBe(`weir cloud byoc gcp destroy --cluster-id ${clusterId} --project-id=PROJECT\n`);
  expect(outcome.stderr).not.toContain('[y/N]');
  expect(outcome.exitCode).toBe(6);
});
