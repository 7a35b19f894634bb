import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminLeaves } from './admin-areas.ts';
import { weirInterruptedAt } from './cluster/admin-world.ts';
import { transformWorld } from './transform/transform-world.ts';

/** Every changing command of the Admin API, with a line that has to ask the cluster something first. */
const lines = [
  'cluster config set enable_sasl true --api admin',
  'cluster config import --file cluster.yaml --yes',
  'cluster config edit --yes',
  'cluster brokers decommission 2 --yes',
  'cluster brokers recommission 2',
  'cluster maintenance enable 2',
  'cluster maintenance disable 2',
  'cluster partitions move orders -p 0:1 --yes',
  'cluster partitions move-cancel --yes',
  'cluster partitions enable orders --all',
  'cluster partitions disable orders --all --yes',
  // Without --dry-run its first request is the change.
  'cluster partitions balance --dry-run',
  'cluster partitions transfer-leadership orders -p 0:1',
  'cluster partitions unsafe-recover --from-nodes 2 --yes',
  'cluster license set --file redpanda.license',
  'cluster self-test start --yes',
  'cluster self-test stop',
  'cluster storage mount archive',
  'cluster storage unmount orders --yes',
  'cluster storage cancel-mount 1',
  'cluster storage restore start --yes',
  'security user create cyd --api admin --generate-password',
  'security user update ana --api admin --mechanism scram-sha-256 --generate-password',
  'security user delete ana --api admin --yes',
  'security role create writers',
  'security role assign readers --principal ana',
  'security role unassign readers --principal ana',
  'security role delete readers --yes',
  'transform deploy',
  'transform pause redact',
  'transform resume redact',
  'transform delete redact --yes',
  'debug remote-bundle start --yes',
  'debug remote-bundle cancel --yes',
  'redpanda admin config log-level set raft --host 0',
] as const;

const stopping = 'stopping (press Ctrl-C again to end at once)\n';

test.each(lines)('%s: interrupted at its first request, it says that nothing was changed', async (line) => {
  const world = await transformWorld();
  writeFileSync(join(world.cwd, 'cluster.yaml'), 'enable_sasl: true\n');
  writeFileSync(join(world.cwd, 'redpanda.license'), 'x');
  expect(await weirInterruptedAt(world, line, 0, { cwd: world.cwd })).toEqual({
    stdout: '',
    stderr: `${stopping}weir: stopped before anything was changed\nhint: repeat the command\n`,
    exitCode: 130,
  });
  expect(world.changes()).toEqual([]);
});

test('every changing command is tried here', () => {
  const changing = adminLeaves
    .filter(({ command }) => command.changes !== 'reads' && !command.hidden)
    .map(({ path }) => path.join(' '));
  const untried = changing.filter((path) => !lines.some((line) => line.startsWith(`${path} `) || line === path));
  // It changes a file.
  expect(untried).toEqual(['cluster config lint']);
});
