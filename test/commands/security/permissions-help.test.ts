import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { permissions } from '../../../src/commands/security/permissions-help.ts';
import { run } from '../../world.ts';

test('help permissions names commands that exist and call Kafka', async () => {
  const kafka = leavesOf(await walkTree(commands)).filter(({ command }) => command.apis.includes('kafka'));
  const known = kafka.map(({ path }) => path.join(' '));
  for (const [noun, verbs] of permissions) for (const verb of verbs) expect(known).toContain(`${noun} ${verb}`);
});

test('help permissions says what a command needs', async () => {
  const { stdout } = await run('help permissions');
  expect(stdout).toMatch(/^ {2}security user update {2,}describe and alter on the cluster$/m);
});
