import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { permissions } from '../../../src/commands/security/permissions-help.ts';
import { run } from '../../world.ts';

test('help permissions names every command that calls Kafka, once', async () => {
  // The commands of config only show the options of the API.
  const kafka = leavesOf(await walkTree(commands)).filter(
    ({ path, command }) => command.apis.includes('kafka') && !command.hidden && path[0] !== 'config',
  );
  const named = permissions.flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`.trim()));
  expect(named.sort()).toEqual(kafka.map(({ path }) => path.join(' ')).sort());
});

test('help permissions says what a command needs', async () => {
  const { stdout } = await run('help permissions');
  expect(stdout).toMatch(/^ {2}security user list {2,}describe on the cluster$/m);
});
