import { describe, expect, test } from 'vitest';
import type { createRoleCalls } from '../../src/admin/access/roles.ts';
import type { createUserCalls } from '../../src/admin/access/users.ts';
import { failed } from '../net/http-peers.ts';
import { startSimulator } from '../sandbox/admin/simulator.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

type Admin = ReturnType<typeof createUserCalls> & ReturnType<typeof createRoleCalls>;

const ana = { user: 'ana', password: 'pw', mechanism: 'SCRAM-SHA-256' } as const;
const bea = { name: 'bea', principal_type: 'User' } as const;
const doubt = 'the cluster may have made the change: check before you repeat the command';

/** Each change with its route, and how to see that it is made. */
const everyChange: readonly (readonly [
  route: string,
  make: (admin: Admin) => Promise<void>,
  read: (admin: Admin) => Promise<unknown>,
  expected: unknown,
])[] = [
  ['users.create', (admin) => admin.createUser(ana), (admin) => admin.users(), ['ana', 'old']],
  [
    'users.update',
    (admin) => admin.updateUser({ ...ana, user: 'old', mechanism: 'SCRAM-SHA-512' }),
    (admin) => admin.users(),
    ['old'],
  ],
  ['users.delete', (admin) => admin.deleteUser('old'), (admin) => admin.users(), []],
  ['roles.create', (admin) => admin.createRole('writers'), (admin) => admin.roles(), ['readers', 'writers']],
  ['roles.delete', (admin) => admin.deleteRole('readers', true), (admin) => admin.roles(), []],
  [
    'roles.members.change',
    (admin) => admin.changeMembers('readers', { add: [bea] }),
    (admin) => admin.roleMembers('readers'),
    [bea, { name: 'old', principal_type: 'User' }],
  ],
];

async function populated() {
  const simulator = await startSimulator({ seeds: { users: [{ name: 'old', password: 'o' }] } });
  await simulator.ok('POST /v1/security/roles', { body: { role: 'readers' } });
  await simulator.ok('POST /v1/security/roles/readers/members', {
    body: { add: [{ name: 'old', principal_type: 'User' }] },
  });
  simulator.switches.clearJournal();
  return simulator;
}

describe.each(everyChange)('%s', (route, make, read, expected) => {
  test.each(['before', 'after'] as const)('is repeated if the connection is cut %s it is made', async (when) => {
    const { api, switches } = await populated();
    switches.addFault({ route, effect: { kind: 'drop', when } });
    const { admin, sleeps } = adminOf(api.addresses);
    await make(admin);
    expect(await read(admin)).toEqual(expected);
    expect(switches.journal().filter((one) => one.route === route && one.status !== 307)).toHaveLength(2);
    expect(sleeps).toEqual([250]);
  });

  test('goes to the leader at once', async () => {
    const { api, switches } = await populated();
    switches.moveController({ to: 2, electionMs: 0 });
    await make(adminOf(api.addresses).admin);
    expect(switches.journal().filter((one) => one.route === route)).toMatchObject([{ node: 2 }]);
  });

  test('is not repeated if the server refuses it', async () => {
    const { api, switches } = await populated();
    switches.addFault({ route, effect: { kind: 'status', status: 500, message: 'no' }, times: null });
    const { error } = await failed(make(adminOf(api.addresses).admin));
    expect(error).toMatchObject({ exitCode: 1, hints: [] });
    expect(error.message).toMatch(/^unable to .*: no \(/);
    expect(switches.journal().filter((one) => one.route === route)).toHaveLength(1);
  });
});

test('a role that others have filled since is a conflict, also for a repeated creation', async () => {
  const node = await startNode(({ before, socket }) => {
    if (before === 0) return void socket.destroy();
    const message = JSON.stringify({ message: 'role exists', code: 40_901 });
    return [409, { message, code: 409 }];
  });
  const { error } = await failed(adminOf([node.url]).admin.createRole('readers'));
  expect(error).toMatchObject({ exitCode: 6, hints: [doubt] });
  expect(error.message).toContain('role exists (POST ');
  expect(error.message).toContain(': 409, code 40901)');
});

describe('an unknown role', () => {
  test('has no members, whether the answer has a code of its own or not', async () => {
    const { api } = await startSimulator();
    expect(await adminOf(api.addresses).admin.roleMembers('nope')).toBeUndefined();
    const node = await startNode(({ line }) =>
      line === 'GET /v1/security/roles?filter=nope' ? [200, { roles: [] }] : refusal(404, 'there is no such role'),
    );
    expect(await adminOf([node.url]).admin.roleMembers('nope')).toBeUndefined();
  });

  test('is not what a server without roles has', async () => {
    const node = await startNode(() => refusal(404, 'Not found'));
    const { admin } = adminOf([node.url]);
    for (const read of [admin.roles(), admin.roleMembers('readers')])
      expect((await failed(read)).error).toMatchObject({
        exitCode: 1,
        code: 'UNSUPPORTED_VERSION',
        message: 'the Admin API of this cluster has no roles',
      });
  });
});

test('names are one part of a path, whatever they consist of', async () => {
  const node = await startNode(() => [200, {}]);
  const { admin } = adminOf([node.url]);
  await admin.deleteRole('a/b ?%', false);
  await admin.deleteUser('é:c');
  expect(node.lines()).toEqual(['DELETE /v1/security/roles/a%2Fb%20%3F%25', 'DELETE /v1/security/users/%C3%A9%3Ac']);
  expect((await failed((async () => admin.deleteRole('..', true))())).error.exitCode).toBe(2);
});

test('the filters of roles are sent only if they are given', async () => {
  const node = await startNode(() => [200, { roles: [{ name: 'b' }, { name: 'a' }] }]);
  const { admin } = adminOf([node.url]);
  expect(await admin.roles()).toEqual(['a', 'b']);
  await admin.roles({ prefix: 'x', member: { name: 'User', principal_type: 'User' } });
  expect(node.lines()).toEqual([
    'GET /v1/security/roles',
    'GET /v1/security/roles?filter=x&principal=User&principal_type=User',
  ]);
});

test.each([
  ['users', { users: [] }, 'list of users'],
  ['users', ['ana', 7], 'list of users'],
  ['roles', [], 'roles'],
  ['roles', { roles: [{}] }, 'name'],
  ['members', { members: [{ name: 'a' }] }, 'principal_type'],
])('an answer about %s of another form, %j, has exit 5 and says what is missing', async (what, body, missing) => {
  const node = await startNode(() => [200, body]);
  const { admin } = adminOf([node.url]);
  const read = { users: admin.users, roles: admin.roles, members: () => admin.roleMembers('r') }[what];
  const { error } = await failed(read?.() ?? Promise.resolve());
  expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER' });
  expect(error.message).toContain(`has no valid ${missing}`);
});

describe('the password of a user', () => {
  const plain = (admin: Admin) => failed(admin.createUser(ana));
  const warning =
    'the password of the user is sent unencrypted to admin.invalid:9644 (option admin.hosts): use https:// if the server offers it';

  test('is warned of when it goes unencrypted to another machine, without credentials as well', async () => {
    const limits = { retry: 0 };
    const remote = adminOf(['admin.invalid'], { limits });
    expect(remote.warnings).toEqual([]);
    await plain(remote.admin);
    expect(remote.warnings).toEqual([warning]);
    const secure = adminOf(['https://admin.invalid'], { limits });
    await plain(secure.admin);
    expect(secure.warnings).toEqual([]);
    const named = adminOf(['admin.invalid'], { limits });
    await failed(named.admin.users());
    expect(named.warnings).toEqual([]);
  });

  test('is not warned of on this machine, unless the request is redirected to another one', async () => {
    const node = await startNode(() => [200, {}]);
    const local = adminOf([node.url]);
    await local.admin.createUser(ana);
    expect(local.warnings).toEqual([]);
    const location = 'http://admin.invalid:9644/v1/security/users';
    const redirecting = await startNode(({ line }) =>
      line.startsWith('GET') ? [200, { leader_id: 1, node_id: 1 }] : [307, undefined, { location }],
    );
    const { admin, warnings } = adminOf([redirecting.url, 'admin.invalid'], { limits: { retry: 0 } });
    await plain(admin);
    expect(warnings).toContain(warning);
  });

  test('is in no error, even if the server repeats it, and in no trace', async () => {
    const node = await startNode(() => refusal(400, 'invalid password "hush-hush"'));
    const { admin, requests } = adminOf([node.url]);
    const { error } = await failed(admin.createUser({ ...ana, password: 'hush-hush' }));
    expect(JSON.stringify([error.message, error.hints, requests])).not.toContain('hush');
    expect(node.calls[0]?.body).toBe('{"username":"ana","password":"hush-hush","algorithm":"SCRAM-SHA-256"}');
  });
});
