import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { adminPermissions, permissions } from '../../../src/commands/security/permissions-help.ts';
import { run } from '../../world.ts';

test.each([
  ['kafka', permissions],
  ['admin', adminPermissions],
] as const)(
  'help permissions names every command that calls the %s API, once (commands/security/permissions-help.ts)',
  async (api, rows) => {
    // The commands of config only show the options of the API.
    const calling = leavesOf(await walkTree(commands)).filter(
      ({ path, command }) =>
        command.apis.includes(api) && !command.hidden && path[0] !== 'config' && path[0] !== 'doctor',
    );
    const named = rows.flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`.trim()));
    const others = api === 'kafka' ? ['doctor'] : [];
    expect(named.sort()).toEqual([...calling.map(({ path }) => path.join(' ')), ...others].sort());
  },
);

test('help permissions says what a command needs', async () => {
  const { stdout } = await run('help permissions');
  expect(stdout).toMatch(/^ {2}security user list {2,}describe on the cluster$/m);
});
