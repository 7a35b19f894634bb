import { expect, test } from 'vitest';
import { completionTree } from '../../../src/cli/completion/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { startSimulator } from '../../sandbox/admin/simulator.ts';
import { run, temporaryDirectory } from '../../world.ts';

test('completion offers the brokers and topics of the Admin API, and keeps them for the next Tab', async () => {
  const { api, switches } = await startSimulator();
  // Real time does not run out there.
  const world = {
    ...{ home: temporaryDirectory(), uptimeMs: -600_000 },
    env: { WEIR_ADMIN_HOSTS: api.addresses.join(',') },
  };
  const complete = (subject: string, typed: string) => run(['__complete', subject, '--', typed, 'cluster'], world);
  expect(await complete('admin-brokers', '')).toEqual({ stdout: '0\n1\n2\n', stderr: '', exitCode: 0 });
  expect((await complete('admin-topics', '')).stdout).toBe(
    'kafka_internal/tx\norders\npayments\nredpanda/controller\nsingle\n',
  );
  expect((await complete('admin-topics', '__c')).stdout).toBe('__consumer_offsets\n');
  const before = switches.journal().length;
  expect((await complete('admin-brokers', '1')).stdout).toBe('1\n');
  expect(switches.journal()).toHaveLength(before);
});

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

test('--api in the line decides whose configs and users are offered', async () => {
  const { api } = await startSimulator();
  const world = {
    ...{ home: temporaryDirectory(), uptimeMs: -600_000 },
    // The brokers cannot be asked which API to use.
    env: { WEIR_ADMIN_HOSTS: api.addresses.join(','), WEIR_BROKERS: '127.0.0.1:1' },
  };
  const keys = (...line: readonly string[]) =>
    run(['__complete', 'configs', '--', 'superu', 'cluster', 'config', 'get', ...line], world);
  for (const line of [['--api', 'admin'], ['--api=admin'], ['--api', 'kafka', '--api', 'admin']])
    expect(await keys(...line)).toEqual({ stdout: 'superusers\n', stderr: '', exitCode: 0 });
  for (const line of [[], ['--api', 'kafka'], ['--api']]) expect((await keys(...line)).stdout).toBe('');
});
