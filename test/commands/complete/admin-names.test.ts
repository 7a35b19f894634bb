import { expect, test } from 'vitest';
import { completionTree } from '../../../src/cli/completion/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { sandboxTrial, startSimulator } from '../../sandbox/admin/simulator.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { adminWorld } from '../cluster/admin-world.ts';
import { bundleWorld, job } from '../debug/bundle-world.ts';

test('completion offers the brokers and topics of the Admin API, and keeps them for the next Tab', async () => {
  const { api, switches } = await startSimulator();
  // Real time does not run out there.
  const world = {
    ...{ home: temporaryDirectory(), uptimeMs: -600_000 },
    env: { WEIR_ADMIN_HOSTS: api.addresses.join(',') },
  };
  const complete = (subject: string, typed: string) => run(['__complete', subject, '--', typed, 'cluster'], world);
  expect(await complete('admin-brokers', '')).toEqual({ stdout: '0\n1\n2\n', stderr: '', exitCode: 0 });
  expect((await complete('admin-topics', '')).stdout).toBe('kafka_internal/tx\norders\npayments\nsingle\n');
  expect((await complete('admin-topics', '__c')).stdout).toBe('__consumer_offsets\n');
  const before = switches.journal().length;
  expect((await complete('admin-brokers', '1')).stdout).toBe('1\n');
  expect(switches.journal()).toHaveLength(before);
});

test('completion offers migrations by id, and topics that can be mounted by name or, of several with one name, by location', async () => {
  const location = (topic: string, revision: number) => `${topic}/67f5505a-32f1-4677-bcad-3c75a1a702a6/${revision}`;
  const stored = (ns: string, topic: string, revision: number) => ({
    ...{ ns, topic, location: location(topic, revision), partitions: 1 },
  });
  const { weir, json } = await adminWorld({
    seeds: {
      license: sandboxTrial,
      config: { cloud_storage_enabled: true },
      mountable: [
        ...[stored('kafka', 'archive', 7), stored('other', 'archive', 8), stored('kafka', '__hidden', 9)],
        ...[stored('other', 'twice', 1), stored('other', 'twice', 2)],
      ],
    },
  });
  const complete = completion(weir);
  const twins = [1, 2].map((revision) => `other/${location('twice', revision)}`);
  expect(await complete('mountable-topics')).toBe(['archive', 'other/archive', ...twins, ''].join('\n'));
  expect((await weir(['cluster', 'storage', 'mount', twins[1] ?? '', '--dry-run'])).exitCode).toBe(0);
  const { id } = await json('storage mount archive');
  const { id: second } = await json('storage unmount orders');
  expect(await complete('migrations')).toBe(`${id}\n${second}\n`);
});

test('completion offers the jobs of debug bundles, also while a broker does not answer', async () => {
  const { weir, bundle, switches } = await bundleWorld();
  const other = job.replace('3', '4');
  await bundle(`start --job-id ${other} --broker 1`);
  await bundle(`start --job-id ${job} --broker 2,3`);
  switches.addFault({
    route: 'bundle.status',
    node: 3,
    times: null,
    effect: { kind: 'status', status: 500, text: '{}' },
  });
  expect(await completion(weir)('bundle-jobs')).toBe(`${job}\n${other}\n`);
});

/** Real time does not run out there. */
function completion(weir: Awaited<ReturnType<typeof adminWorld>>['weir']) {
  const world = { home: temporaryDirectory(), uptimeMs: -600_000 };
  return async (subject: string) => (await weir(['__complete', subject, '--', '', 'cluster'], world)).stdout;
}

test('only commands that use no other API complete from the Admin API', async () => {
  const { nodes } = await completionTree(commands);
  const operand = (path: string) => nodes.find((node) => node.path === path)?.operands[0]?.candidates.from;
  const flag = (path: string, name: string) =>
    nodes.find((node) => node.path === path)?.flags.find(({ spellings }) => spellings.includes(name))?.value?.from;
  expect(operand('cluster brokers decommission')).toBe('admin-brokers');
  expect(operand('cluster partitions move')).toBe('admin-topics');
  expect(flag('cluster partitions move-cancel', '--node')).toBe('admin-brokers');
  expect(flag('cluster partitions list', '--node-ids')).toBe('admin-brokers');
  expect(operand('topic describe-storage')).toBe('admin-topics');
  expect(operand('topic describe')).toBe('topics');
  expect(flag('cluster logdirs describe', '--broker')).toBe('brokers');
});

test('ids and names that only the Admin API knows are offered where one that exists is needed', async () => {
  const { nodes } = await completionTree(commands);
  const operand = (path: string) => nodes.find((node) => node.path === path)?.operands[0]?.candidates.from;
  const flag = (path: string, name: string) =>
    nodes.find((node) => node.path === path)?.flags.find(({ spellings }) => spellings.includes(name))?.value?.from;
  for (const verb of ['status-mount', 'cancel-mount']) expect(operand(`cluster storage ${verb}`)).toBe('migrations');
  expect(operand('cluster storage mount')).toBe('mountable-topics');
  for (const verb of ['status', 'download', 'cancel'])
    expect(flag(`debug remote-bundle ${verb}`, '--job-id')).toBe('bundle-jobs');
  expect(flag('debug remote-bundle start', '--job-id')).toBe('nothing');
  for (const verb of ['create', 'list', 'delete'])
    for (const name of ['--allow-role', '--deny-role']) expect(flag(`security acl ${verb}`, name)).toBe('roles');
});

test('--api in the line decides whose configs and users are offered', async () => {
  const { api } = await startSimulator();
  const world = {
    ...{ home: temporaryDirectory(), uptimeMs: -600_000 },
    // Nobody asks the brokers where the address of the Admin API is set.
    env: { WEIR_ADMIN_HOSTS: api.addresses.join(','), WEIR_BROKERS: '127.0.0.1:1' },
  };
  const keys = (...line: readonly string[]) =>
    run(['__complete', 'configs', '--', 'superu', 'cluster', 'config', 'get', ...line], world);
  for (const line of [[], ['--api', 'admin'], ['--api=admin'], ['--api', 'kafka', '--api', 'admin'], ['--api']])
    expect(await keys(...line)).toEqual({ stdout: 'superusers\n', stderr: '', exitCode: 0 });
  expect((await keys('--api', 'kafka')).stdout).toBe('');
});
