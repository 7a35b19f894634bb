import { afterAll, beforeEach, expect, test } from 'vitest';
import '../../../services/services.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { accessWorld } from '../access-world.ts';
import { admin, must } from '../people.ts';

const role = `role-acls-${process.pid}`;

beforeEach(skipPauses);

afterAll(() => run(`security acl delete --allow-role ${role} --yes`, admin()));

test('describe and delete show the ACLs of a role, as the brokers have them', async () => {
  await must(`security acl create --allow-role ${role} --operation read --topic ${role}-t`);
  const { weir, ok, switches } = await accessWorld();
  await ok('POST /v1/security/roles', { body: { role } });
  switches.clearJournal();
  const world = admin();
  const table = new RegExp(
    '^PERMISSIONS\n===========\nPRINCIPAL .*PERMISSION  ERROR\n' +
      `RedpandaRole:${role} +\\* +TOPIC +${role}-t +LITERAL +READ +ALLOW\n\n` +
      'PRINCIPALS \\(0\\)\n==============\nNAME +TYPE\n',
  );
  const { stdout, stderr, exitCode } = await weir(`security role describe ${role}`, world);
  expect(stdout).toMatch(table);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const only = await weir(`security role describe ${role} --print-permissions --format json`, world);
  const permission = {
    ...{ principal: `RedpandaRole:${role}`, host: '*', resource_type: 'TOPIC', resource_name: `${role}-t` },
    ...{ resource_pattern_type: 'LITERAL', operation: 'READ', permission: 'ALLOW' },
  };
  expect(JSON.parse(only.stdout)).toEqual({ name: role, permissions: [permission], error: null, members: null });
  const planned = await weir(`security role delete ${role} --dry-run`, world);
  expect(planned.stdout).toMatch(table);
  const asked = await weir(`security role delete ${role}`, {
    ...{ terminal: { stdin: true, stderr: true }, stdin: 'y\n' },
    env: { ...world.env, NO_COLOR: '1' },
  });
  expect(asked.stderr).toContain(`Delete role "${role}" with 0 members and 1 ACL on `);
  expect(asked).toMatchObject({ stdout: `deleted role "${role}"\n`, exitCode: 0 });
  expect(switches.journal().filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
