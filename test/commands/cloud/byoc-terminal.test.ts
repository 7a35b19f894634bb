import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Signal } from '../../../src/host/host.ts';
import { clusterBody, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

let me: CloudPerson;
let clusterId: string;
beforeAll(async () => {
  me = await newCloudPerson();
});
afterAll(() => me.plane.stop());
beforeEach(async () => {
  await me.plane.reset();
  const { groupId, networkId } = await readyNetwork(me.plane);
  const created = await me.plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  clusterId = created.body.operation.metadata.cluster_id;
});

const apply = (more = '') => `cloud byoc gcp apply --cluster-id ${clusterId} --project-id p1${more}`;
const pluginFile = () => join(me.cache, 'weir/byoc', me.pluginFiles()[0] ?? '');

test('on a terminal Ctrl-C is left to the plugin, other signals are forwarded, and weir waits for the plugin to end', async () => {
  const sent: string[] = [];
  let kill: (signal: Signal) => void = () => undefined;
  const outcome = await me.run(apply(), {
    terminal: { stdin: true, stdout: true, stderr: true },
    onStart: (send) => {
      kill = send;
    },
    spawn: async (_, __, { onStart }) => {
      onStart?.((signal) => sent.push(signal));
      for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) kill(signal);
      return { exitCode: 130, stdout: '', stderr: '' };
    },
  });
  expect(sent).toEqual(['SIGTERM', 'SIGHUP']);
  expect(outcome.exitCode).toBe(130);
});

test.each([
  ['azure apply', '--subscription-id s', 'apply'],
  ['aws apply', '--dry-run', 'apply'],
  ['aws destroy', '', 'destroy'],
  ['aws destroy', '--yes --identity x', 'destroy'],
  ['aws validate', '', 'validate'],
])('%s %s for a cluster on gcp is refused with the right command, and nothing is run', async (words, flags, verb) => {
  const terminal = { stdin: true, stdout: true, stderr: true };
  const starts = me.pluginStarts().length;
  const outcome = await me.run(`cloud byoc ${words} --color never --cluster-id ${clusterId} ${flags}`, { terminal });
  const project = verb === 'validate' ? '' : ' --project-id=PROJECT';
  const rest = flags.includes('--identity') ? ' --identity x' : '';
  expect(outcome).toEqual({
    stdout: '',
    stderr: `weir: unable to run ${words}: the cluster "first" (${clusterId}) is on gcp
hint: use: weir cloud byoc gcp ${verb} --cluster-id ${clusterId}${project}${rest}
`,
    exitCode: 2,
  });
  expect(me.pluginStarts()).toHaveLength(starts);
  const data = await me.run(`cloud byoc ${words} --format json --cluster-id ${clusterId} ${flags}`, { terminal });
  expect(JSON.parse(data.stderr).error).toMatchObject({ code: 'WRONG_PROVIDER', target: clusterId });
});

test('a plugin that cannot be started is reported with its name and the reason, never with the token', async () => {
  const fail = Object.assign(new Error('Command failed: --cloud-api-token eyJhbGciOi'), { code: 'EACCES' });
  const outcome = await me.run(apply(' -vv'), { spawn: () => Promise.reject(fail) });
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stderr).toContain(`unable to start the plugin ${pluginFile()}: EACCES`);
  expect(outcome.stderr).toContain(`running ${pluginFile()} gcp apply\n`);
  expect(outcome.stderr).not.toContain('eyJ');
  const nameless = await me.run(apply(), { spawn: () => Promise.reject(new Error('eyJ')) });
  expect(nameless.stderr).toContain(`weir: unable to start the plugin ${pluginFile()}\n`);
  const data = await me.run(apply(' --format json'), { spawn: () => Promise.reject(fail) });
  expect(data.stderr).toContain(`"code":"PLUGIN_NOT_STARTED",`);
});

test.each([
  ['y\n', 'DELETED'],
  ['n\n', 'STATE_DELETING_AGENT'],
])('the answer %j on a terminal decides whether the agent is removed', async (answer, state) => {
  me.plane.setClockRate(60);
  await me.run(apply());
  const outcome = await me.run(`cloud cluster delete ${clusterId} --project-id p1 --yes --format json`, {
    terminal: { stdin: true, stdout: true, stderr: true },
    stdin: answer,
  });
  me.plane.setClockRate(0);
  expect(outcome.stderr).toContain(`Remove the agent of cluster ${clusterId} from your own cloud account now? [y/N]`);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ id: clusterId, state });
  expect(outcome.exitCode).toBe(state === 'DELETED' ? 0 : 6);
  // Every format agrees with the schema and has the same exit code.
  const unfinished = await Promise.all(
    ['text', 'json', 'yaml'].map((format) => me.run(`cloud resume --dry-run --format ${format}`)),
  );
  expect(unfinished.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(unfinished[0]?.stdout === '').toBe(state === 'DELETED');
  await me.run(`cloud resume ${clusterId} --forget`);
});

test.each([
  ['y\n', /profile "offered" is now selected/],
  ['', /use it with: weir cloud cluster select/],
])('a new cluster is offered as a profile on a terminal: %j', async (answer, told) => {
  await me.plane.reset();
  const { groupId, networkId } = await readyNetwork(me.plane);
  const { cluster } = clusterBody(groupId, networkId, { name: 'offered' });
  const file = join(me.home, 'cluster.json');
  writeFileSync(file, JSON.stringify({ cluster }));
  me.plane.setClockRate(60);
  const outcome = await me.run(`cloud cluster create --file ${file} --apply --project-id p1 --format json`, {
    terminal: { stdin: true, stdout: true, stderr: true },
    stdin: answer,
  });
  me.plane.setClockRate(0);
  expect(outcome.stderr).toMatch(told);
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ name: 'offered', state: 'STATE_READY' });
});
