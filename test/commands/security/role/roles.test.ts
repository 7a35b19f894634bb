import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { weirInterruptedAt } from '../../cluster/admin-world.ts';
import { accessWorld } from '../access-world.ts';

beforeEach(skipPauses);

const noBrokers = 'the ACLs of the role are not shown: they are read from the brokers, and brokers is not set\n';

describe('security role create', () => {
  test('creates a role, and says what to do next', async () => {
    const { weir, membersOf } = await accessWorld();
    expect(await weir("security role create 'my writers'")).toEqual({
      stdout: 'created role "my writers"\n',
      stderr:
        "grant it permissions with: weir security acl create --allow-role 'my writers'\n" +
        "add members with: weir security role assign 'my writers' --principal NAME\n",
      exitCode: 0,
    });
    expect(await membersOf('my%20writers')).toEqual([]);
  });

  test.each(['readers', 'empty'])('a role that exists, %s, is a conflict, and nothing is sent', async (role) => {
    const { weir, ok, changes, switches } = await accessWorld();
    await ok('POST /v1/security/roles', { body: { role: 'empty' } });
    switches.clearJournal();
    expect(await weir(`security role create ${role}`)).toEqual({
      stdout: '',
      stderr:
        `weir: unable to create role "${role}": the role already exists\n` +
        `hint: see what it has with: weir security role describe ${role}\n`,
      exitCode: 6,
    });
    const { stderr } = await weir(`security role create ${role} --format json`);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'ROLE_ALREADY_EXISTS', target: role });
    expect(changes()).toEqual([]);
  });

  test('--dry-run changes nothing', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security role create writers --dry-run')).toEqual({
      stdout: 'OK (dry run: role "writers" would be created)\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });

  test('a name that the server refuses has its message and its code', async () => {
    const { weir } = await accessWorld();
    const { stderr, exitCode } = await weir('security role create a=b');
    expect(stderr).toMatch(
      /^weir: unable to create role "a=b": invalid role name "a=b" \(POST \S+: 400, code 40002\)\n/,
    );
    expect(exitCode).toBe(1);
  });

  test('without a license the reason of the server is shown', async () => {
    const world = await accessWorld();
    world.switches.changeSettings({ licenseNeeded: true });
    const { stderr, exitCode } = await world.weir('security role create writers');
    expect(stderr).toMatch(/^weir: .*: roles require a valid license \(POST \S+: 403\)\n$/);
    expect(exitCode).toBe(4);
  });
});

describe('security role list', () => {
  test('prints the names, sorted', async () => {
    const { weir, ok } = await accessWorld();
    for (const role of ['zoo', 'app-b', 'app-a']) await ok('POST /v1/security/roles', { body: { role } });
    expect(await weir('security role list')).toEqual({
      stdout: 'NAME\napp-a\napp-b\nreaders\nzoo\n',
      stderr: '',
      exitCode: 0,
    });
    expect((await weir('security role ls --prefix app- --no-headers')).stdout).toBe('app-a\napp-b\n');
    expect(JSON.parse((await weir('security role list --principal User:bea --format json')).stdout)).toEqual([
      { name: 'readers' },
    ]);
    expect((await weir('security role list --principal ana --no-headers')).stdout).toBe('');
    expect((await weir('security role list --principal bea --prefix app- --no-headers')).stdout).toBe('');
    expect((await weir('security role list --principal bea --prefix read --no-headers')).stdout).toBe('readers\n');
  });
});

describe('security role describe', () => {
  test('prints the members, and says that the ACLs are not known without brokers', async () => {
    const { weir } = await accessWorld();
    const members = 'PRINCIPALS (1)\n==============\nNAME  TYPE\nbea   User\n';
    expect(await weir('security role describe readers')).toEqual({ stdout: members, stderr: noBrokers, exitCode: 0 });
    expect(await weir('security role info readers -m')).toEqual({ stdout: members, stderr: '', exitCode: 0 });
    expect(JSON.parse((await weir('security role describe readers --format json')).stdout)).toEqual({
      name: 'readers',
      permissions: null,
      error: null,
      members: [{ name: 'bea', principal_type: 'User' }],
    });
  });

  test('brokers that do not answer leave the members, with the exit code of the failure', async () => {
    const { weir } = await accessWorld();
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await weir('security role describe readers', { env });
    expect(stdout).toContain('bea   User');
    expect(stderr).toMatch(/^warning: the ACLs of the role are not shown: .*127\.0\.0\.1:1/);
    expect(exitCode).toBe(5);
    const json = JSON.parse((await weir('security role describe readers --format json', { env })).stdout);
    expect(json).toMatchObject({ permissions: null, error: { exit_code: 5 }, members: [{ name: 'bea' }] });
    expect((await weir('security role describe readers --print-members', { env })).exitCode).toBe(0);
  });
});

describe('security role assign', () => {
  test('adds users, each once, and says who has the role already', async () => {
    const { weir, membersOf, changes } = await accessWorld();
    expect(await weir('security role assign readers --principal User:cyd,ana --principal bea,ana')).toEqual({
      stdout: [
        'NAME  PRINCIPAL-TYPE  STATUS',
        'ana   User            OK',
        'bea   User            OK (already has the role)',
        'cyd   User            OK',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await membersOf('readers')).toEqual(['ana', 'bea', 'cyd']);
    expect(changes()).toEqual(['POST /v1/security/roles/readers/members']);
  });

  test('a group of the identity provider is a member of its own, beside a user of its name', async () => {
    const { weir, changes } = await accessWorld({ settings: { release: '26.1' } });
    const principal = '--principal Group:bea,bea';
    const { stdout } = await weir(`security role assign readers ${principal} --no-headers`);
    expect(stdout).toBe('bea  Group  OK\nbea  User   OK (already has the role)\n');
    expect((await weir('security role list --principal Group:bea --no-headers')).stdout).toBe('readers\n');
    expect((await weir('security role list --principal Group:bea --prefix w --no-headers')).stdout).toBe('');
    expect((await weir('security role describe readers -m --no-headers')).stdout).toMatch(/^bea +Group\nbea +User$/m);
    expect((await weir(`security role assign readers ${principal} --no-headers`)).stdout).toBe(
      'bea  Group  OK (already has the role)\nbea  User   OK (already has the role)\n',
    );
    expect((await weir('security role unassign readers --principal Group:bea --no-headers')).stdout).toContain('OK');
    expect((await weir('security role list --principal Group:bea --no-headers')).stdout).toBe('');
    expect((await weir('security role list --principal bea --no-headers')).stdout).toBe('readers\n');
    const service = 'POST /redpanda.core.admin.v2.SecurityService';
    expect(changes().filter((one) => one.endsWith('Members'))).toEqual([
      `${service}/AddRoleMembers`,
      `${service}/RemoveRoleMembers`,
    ]);
  });

  test.each([
    ['assign readers', 'change the members of role "readers"'],
    ['list', 'read the roles'],
  ])('a cluster without groups as members: %s has exit 1 and says so', async (what, doing) => {
    const { weir } = await accessWorld();
    const { stderr, exitCode } = await weir(`security role ${what} --principal Group:bea`);
    expect(stderr).toBe(
      `weir: unable to ${doing}: this cluster does not have groups as members of roles\n` +
        'hint: groups as members of roles need Redpanda 26.1 or newer: see the version with weir cluster brokers list\n',
    );
    expect(exitCode).toBe(1);
  });

  test('sends nothing if all have the role', async () => {
    const { weir, changes } = await accessWorld();
    const { stdout } = await weir('security role add readers --principal bea --format json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'bea', principal_type: 'User', status: 'NOT_NEEDED' }]);
    expect(changes()).toEqual([]);
  });

  test('--dry-run shows who would get it', async () => {
    const { weir, changes } = await accessWorld();
    const { stdout, stderr } = await weir('security role assign readers --principal ana,bea --dry-run --no-headers');
    expect(stdout).toBe('ana  User  OK (dry run: would get the role)\nbea  User  OK (already has the role)\n');
    expect(stderr).toBe('dry run: nothing was changed\n');
    expect(changes()).toEqual([]);
  });
});

describe('security role unassign', () => {
  test('removes users, and says who does not have the role', async () => {
    const { weir, membersOf } = await accessWorld();
    const { stdout, exitCode } = await weir('security role unassign readers --principal ana,bea --no-headers');
    expect(stdout).toBe('ana  User  OK (does not have the role)\nbea  User  OK\n');
    expect(exitCode).toBe(0);
    expect(await membersOf('readers')).toEqual([]);
    const again = await weir('security role remove readers --principal ana --dry-run --no-headers');
    expect(again.stdout).toBe('ana  User  OK (does not have the role)\n');
  });
});

describe('security role delete', () => {
  test('deletes a role with its ACLs', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security role delete readers')).toEqual({
      stdout: 'deleted role "readers"\n',
      stderr: noBrokers,
      exitCode: 0,
    });
    expect(changes()).toEqual(['DELETE /v1/security/roles/readers?delete_acls=true']);
    expect((await weir('security role list --no-headers')).stdout).toBe('');
  });

  test('--keep-acls keeps them', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security role delete readers --keep-acls')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(changes()).toEqual(['DELETE /v1/security/roles/readers']);
  });

  test('shows the members above the question; no is no', async () => {
    const { weir, changes } = await accessWorld();
    const world = { terminal: { stdin: true, stderr: true }, stdin: 'n\n', env: { NO_COLOR: '1' } };
    const { stdout, stderr, exitCode } = await weir('security role delete readers', world);
    expect(stderr).toContain('PRINCIPALS (1)\n==============\nNAME  TYPE\nbea   User\n');
    expect(stderr).toMatch(
      /Delete role "readers" with 1 member and all its ACLs on http:\/\/127\.0\.0\.1:\d+,.* \(no profile\)\?/,
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    const kept = await weir('security role delete readers --keep-acls', world);
    expect(kept.stderr).toContain('Delete role "readers" with 1 member on ');
    expect(changes()).toEqual([]);
  });

  test('--yes does not ask the brokers, which may be unreachable', async () => {
    const { weir, changes } = await accessWorld();
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await weir('security role delete readers --yes --format json', { env });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'readers',
      members: [{ name: 'bea', principal_type: 'User' }],
      permissions: null,
    });
    expect(changes()).toHaveLength(1);
  });

  test('--dry-run shows what would go', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security role delete readers --dry-run')).toEqual({
      stdout: 'PRINCIPALS (1)\n==============\nNAME  TYPE\nbea   User\nOK (dry run: role "readers" would be deleted)\n',
      stderr: `${noBrokers}dry run: nothing was changed\n`,
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });
});

test.each([
  'security role describe nope',
  'security role delete nope',
  'security role delete nope --yes',
  'security role assign nope --principal ana',
  'security role unassign nope --principal ana',
])('%s: an unknown role has exit 3, and nothing is sent', async (line) => {
  const { weir, changes } = await accessWorld();
  const { stdout, stderr, exitCode } = await weir(line);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
  expect(stderr).toBe(
    `weir: unable to ${line.split(' ')[2]} role "nope": the role does not exist\n` +
      'hint: see all roles with: weir security role list\n',
  );
  expect(changes()).toEqual([]);
});

test.each([
  ["security role create ''", 'it is empty'],
  ['security role create RedpandaRole:x', 'leave out "RedpandaRole:"'],
  ['security role create', 'ROLE'],
  ['security role delete ..', 'it cannot be part of a URL'],
  ['security role assign readers', 'missing flag --principal'],
  ["security role assign readers --principal ''", 'missing flag --principal'],
  ['security role assign readers --principal User:', 'the name is empty'],
  ['security role assign readers --principal Robot:x', 'write User:NAME or Group:NAME'],
  ['security role assign readers --principal ana,CN=x,OU=y', 'it mixes a distinguished name with others'],
  ['security role unassign readers --principal RedpandaRole:x', 'members of a role are users and groups'],
])('%s is a usage error, and nothing is sent', async (line, words) => {
  const { weir, switches } = await accessWorld();
  const { stdout, stderr, exitCode } = await weir(line);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(words);
  expect(switches.journal()).toEqual([]);
});

test.each([
  ['security role create writers', 'creating role "writers"', 'weir security role describe writers'],
  ['security role assign readers --principal ana', 'assigning role "readers"', 'weir security role describe readers'],
  [
    'security role unassign readers --principal bea',
    'unassigning role "readers"',
    'weir security role describe readers',
  ],
  ['security role delete readers --yes', 'deleting role "readers"', 'weir security role describe readers'],
])('%s: Ctrl-C at every request says whether something may have changed', async (line, doing, check) => {
  const whole = await accessWorld();
  await whole.weir(line);
  const routes = whole.switches.journal().map(({ method }) => method);
  expect(routes.filter((method) => method !== 'GET')).toHaveLength(1);
  for (const [at, method] of routes.entries()) {
    const world = await accessWorld();
    const { stdout, stderr, exitCode } = await weirInterruptedAt(world, line, at);
    expect({ stdout, exitCode }, `at ${at}`).toEqual({ stdout: '', exitCode: 130 });
    expect(stderr.replace(/^stopping.*\n/, ''), `at ${at}`).toBe(
      method === 'GET'
        ? 'weir: stopped before anything was changed\nhint: repeat the command\n'
        : `weir: stopped while ${doing}: the request may or may not have arrived\nhint: check with: ${check}\n`,
    );
  }
});
