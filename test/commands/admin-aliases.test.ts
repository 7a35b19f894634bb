import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands as tree } from '../../src/commands/index.ts';
import { run } from '../world.ts';
import { transformWorld } from './transform/transform-world.ts';

/** Commands by another name of theirs. */
const commands = [
  ['cluster config list', 'ls'],
  ['cluster connections list', 'ls'],
  ['cluster brokers list', 'ls'],
  ['cluster partitions list', 'ls'],
  ['cluster partitions list', 'describe'],
  ['cluster partitions move-cancel', 'alter-cancel'],
  ['cluster partitions move-cancel', 'movement-cancel'],
  ['cluster license info', 'status'],
  ['cluster storage list-mount', 'list-unmount'],
  ['cluster loggers list', 'ls'],
  ['cluster storage status-mount', 'status-unmount'],
  ['cluster storage cancel-mount', 'cancel-unmount'],
  ['security user list', 'ls'],
  ['security role list', 'ls'],
  ['security role describe', 'info'],
  ['security role assign', 'add'],
  ['security role unassign', 'remove'],
  ['transform list', 'ls'],
  ['shadow list', 'ls'],
  ['acl user list', 'ls'],
  ['redpanda admin brokers list', 'ls'],
  ['redpanda admin partitions list', 'ls'],
  ['redpanda admin config print', 'dump'],
  ['redpanda admin config print', 'list'],
  ['redpanda admin config print', 'ls'],
  ['redpanda admin config print', 'display'],
  ['redpanda admin config log-level list', 'ls'],
] as const;

/** Flags of commands by another name of theirs, and what follows them on a line. */
const flags = [
  ['cluster health', '--until-healthy', '--exit-when-healthy', '--api admin'],
  ['cluster loggers list', '--broker', '--node-id', '0 --api admin'],
  ['cluster loggers get', '--broker', '--node-id', '0 raft --api admin'],
  ['cluster loggers set', '--broker', '--node-id', '0 raft --api admin --dry-run'],
  ['cluster config export', '--file', '--filename', '-'],
  ['cluster brokers decommission', '--force', '--skip-liveness-check', '2 --dry-run'],
  ['cluster storage restore start', '--cluster-uuid', '--cluster-uuid-override', 'a-1 --dry-run'],
  ['cluster config import', '--file', '--filename', 'cluster.yaml --dry-run'],
  ['cluster partitions list', '--partitions', '--partition', '0 orders'],
  ['cluster partitions move', '--partition', '--partitions', '0:1 orders --dry-run'],
  ['cluster partitions move-status', '--partitions', '--partition', '0 orders'],
  ['cluster partitions enable', '--partitions', '--partition', '0 orders --dry-run'],
  ['cluster partitions disable', '--partitions', '--partition', '0 orders --dry-run'],
  ['cluster partitions transfer-leadership', '--partition', '--partitions', '0:0 orders --dry-run'],
  ['cluster license set', '--file', '--path', 'redpanda.license --dry-run'],
  ['security user create', '--password', '--new-password', 'opensesame cyd --api admin --dry-run'],
  [
    ...(['security user update', '--password', '--new-password'] as const),
    'opensesame ana --mechanism scram-sha-256 --api admin --dry-run',
  ],
] as const;

test.each(commands)('%s is also called %s', async (line, name) => {
  const other = [...line.split(' ').slice(0, -1), name].join(' ');
  const help = await run(`${line} --help`);
  expect(help.exitCode).toBe(0);
  expect(await run(`${other} --help`)).toEqual(help);
});

test.each(flags)('%s %s is also %s', async (path, flag, other, rest) => {
  const { cwd, weir, ok } = await transformWorld({ settings: { release: '25.3' } });
  await ok('POST /v1/security/users', {
    body: { username: 'ana', password: 'opensesame', algorithm: 'SCRAM-SHA-256' },
  });
  writeFileSync(join(cwd, 'cluster.yaml'), 'enable_sasl: true\n');
  writeFileSync(join(cwd, 'redpanda.license'), 'x');
  const outcome = await weir(`${path} ${flag} ${rest}`, { cwd });
  expect(outcome.exitCode).toBe(0);
  expect(await weir(`${path} ${other} ${rest}`, { cwd })).toEqual(outcome);
});

test('every other name of a command of the Admin API, and of its flags, is tried here', async () => {
  const leaves = leavesOf(await walkTree(tree)).filter(
    ({ path, command }) => command.apis.includes('admin') && path[0] !== 'doctor',
  );
  const names = leaves.flatMap(({ path, command }) => (command.aliases ?? []).map((name) => [path.join(' '), name]));
  expect(names.sort()).toEqual([...commands].sort());
  // The hidden ones are declared with the flags of the others.
  const shown = leaves.filter(({ command }) => !command.hidden);
  const flagNames = shown.flatMap(({ path, command }) =>
    Object.values(command.flags).flatMap(({ aliases = [] }) => aliases.map((name) => [path.join(' '), `--${name}`])),
  );
  expect(flagNames.sort()).toEqual(flags.map(([path, , other]) => [path, other]).sort());
});
