import { expect, test } from 'vitest';
import { writeLicense } from '../../../src/sandbox/admin/config/license.ts';
import { errorOf, type Json, sandboxTrial, startAt, startSimulator } from './simulator.ts';

const ada = { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' };
const users = '/v1/security/users';
const roles = '/v1/security/roles';

test('a user is created once; the same request again is accepted, another one is not', async () => {
  const { call, ok } = await startSimulator();
  await ok(`POST ${users}`, { body: ada });
  await ok(`POST ${users}`, { body: ada });
  for (const other of [{ password: 'other' }, { algorithm: 'SCRAM-SHA-512' }])
    expect(await call(`POST ${users}`, { body: { ...ada, ...other } })).toMatchObject(
      errorOf(500, /^Unexpected.*"ada"/),
    );
  expect(await ok(`GET ${users}`)).toEqual(['ada']);
});

test.each([
  [{ username: 'ada' }, /password/],
  [{ ...ada, more: 1 }, /more/],
  [{ ...ada, algorithm: 'PLAIN' }, /SCRAM-SHA-256, SCRAM-SHA-512/],
  [{ ...ada, username: '' }, /user name/],
  [{ ...ada, username: 'a\nb' }, /user name/],
  [{ ...ada, password: 'a\u0000b' }, /password/],
  [{ ...ada, password: '' }, /password/],
  ['[]', /object/],
  ['nonsense', /JSON/],
])('a user cannot be created from %j', async (body, message) => {
  const { call, ok } = await startSimulator();
  expect(await call(`POST ${users}`, { body })).toMatchObject(errorOf(400, message));
  expect(await ok(`GET ${users}`)).toEqual([]);
});

test('a user that does not exist is not updated, and deleted without complaint', async () => {
  const { call, ok } = await startSimulator();
  const body = { password: 'x', algorithm: 'SCRAM-SHA-256' };
  expect(await call(`PUT ${users}/nobody`, { body })).toMatchObject(errorOf(500, /nobody/));
  await ok(`DELETE ${users}/nobody`);
});

test('the name of a user may need encoding', async () => {
  const { ok } = await startSimulator();
  const name = 'a/b %ü';
  await ok(`POST ${users}`, { body: { ...ada, username: name } });
  await ok(`PUT ${users}/${encodeURIComponent(name)}`, { body: { password: 'x', algorithm: 'SCRAM-SHA-512' } });
  expect(await ok(`GET ${users}`)).toEqual([name]);
  await ok(`DELETE ${users}/${encodeURIComponent(name)}`);
  expect(await ok(`GET ${users}`)).toEqual([]);
});

/** The error that is inside the message of an error about roles. */
const inner = ({ status, body }: { status: number; body: Json }) => [status, body.code, JSON.parse(body.message).code];

test('a role is created, listed by prefix and member, and deleted', async () => {
  const { call, ok } = await startSimulator({ seeds: { users: [{ name: 'ada', password: 'secret' }] } });
  expect((await call(`POST ${roles}`, { body: { role: 'auditor' } })).status).toBe(201);
  expect((await call(`POST ${roles}`, { body: { role: 'auditor' } })).status).toBe(201); // still empty
  await ok(`POST ${roles}`, { body: { role: 'writer' } });
  const add = [{ name: 'ada', principal_type: 'User' }];
  expect(await ok(`POST ${roles}/auditor/members`, { body: { add } })).toEqual({
    role: 'auditor',
    added: add,
    created: false,
  });
  expect(inner(await call(`POST ${roles}`, { body: { role: 'auditor' } }))).toEqual([409, 409, 40_901]);
  const listed = async (query = '') => (await ok(`GET ${roles}${query}`)).roles.map((one: Json) => one.name);
  expect(await listed()).toEqual(['auditor', 'writer']);
  expect(await listed('?filter=w')).toEqual(['writer']);
  expect(await listed('?principal=ada&principal_type=User')).toEqual(['auditor']);
  expect((await call(`DELETE ${roles}/auditor?delete_acls=true`)).status).toBe(204);
  expect((await call(`DELETE ${roles}/auditor?delete_acls=true`)).status).toBe(204);
  expect(await listed()).toEqual(['writer']);
});

test('members are added and removed as far as they were not before', async () => {
  const { call, ok } = await startSimulator();
  const person = (name: string) => ({ name, principal_type: 'User' });
  const path = `POST ${roles}/auditor/members`;
  expect(inner(await call(path, { body: { add: [person('ada')] } }))).toEqual([404, 404, 40_401]);
  expect(await ok(`${path}?create=true`, { body: { add: [person('ada'), person('ben')] } })).toMatchObject({
    created: true,
  });
  expect(
    await ok(path, { body: { add: [person('ada'), person('cyd')], remove: [person('ben'), person('dan')] } }),
  ).toEqual({
    role: 'auditor',
    added: [person('cyd')],
    removed: [person('ben')],
    created: false,
  });
  expect(await ok(`GET ${roles}/auditor/members`)).toEqual({ members: [person('ada'), person('cyd')] });
  expect(inner(await call(path, { body: { add: [person('x')], remove: [person('x')] } }))).toEqual([400, 400, 40_004]);
});

test.each([
  [{ role: 'a,b' }, 40_002],
  [{ role: '' }, 40_002],
  [{ role: 'a', more: 1 }, 40_003],
  [{}, 40_001],
  ['{', 40_001],
])('a role cannot be created from %j', async (body, code) => {
  const { call } = await startSimulator();
  expect(inner(await call(`POST ${roles}`, { body }))).toEqual([400, 400, code]);
});

test('a role that does not exist is not found', async () => {
  const { call } = await startSimulator();
  expect(inner(await call(`GET ${roles}/none/members`))).toEqual([404, 404, 40_401]);
});

test('roles need a license when the settings say so', async () => {
  const { call, ok } = await startSimulator({ settings: { licenseNeeded: true } });
  expect((await call(`POST ${roles}`, { body: { role: 'auditor' } })).status).toBe(403);
  expect((await call(`POST ${roles}/auditor/members?create=true`, { body: {} })).status).toBe(403);
  await ok('PUT /v1/features/license', { body: sandboxTrial });
  expect((await call(`POST ${roles}`, { body: { role: 'auditor' } })).status).toBe(201);
});

test('a license is loaded, again without complaint, and expires', async () => {
  const { ok, switches } = await startSimulator();
  expect(await ok('GET /v1/features/license')).toEqual({ loaded: false });
  for (let turn = 0; turn < 2; turn += 1)
    await ok('PUT /v1/features/license', { node: turn, body: `${sandboxTrial}\n` });
  expect(await ok('GET /v1/features/license')).toMatchObject({
    loaded: true,
    license: { org: 'sandbox', type: 'free_trial', expires: startAt / 1000 + 30 * 86_400 },
  });
  const status = async () => ok('GET /v1/features/enterprise');
  expect(await status()).toMatchObject({ license_status: 'valid', violation: false });
  await ok(`POST ${roles}`, { body: { role: 'auditor' } });
  await switches.advance(31 * 86_400_000);
  expect(await status()).toMatchObject({ license_status: 'expired', violation: true });
  expect((await status()).features).toContainEqual({ name: 'rbac', enabled: true });
});

test.each([
  ['', /empty/],
  ['   ', /empty/],
  ['nonsense', /malformed/],
  [`${sandboxTrial}x`, /signature/],
  [sandboxTrial.replace('.', ''), /malformed|signature/],
  [writeLicense({ organization: 'old', type: 'enterprise', expires: startAt / 1000 }), /expired/],
])('the license %j is refused', async (body, message) => {
  const { call, ok } = await startSimulator();
  expect(await call('PUT /v1/features/license', { body })).toMatchObject(errorOf(400, message));
  expect(await ok('GET /v1/features/license')).toEqual({ loaded: false });
});

test('a feature is switched, an unknown one is not', async () => {
  const { call, ok } = await startSimulator();
  const set = (name: string, state: string) => call(`PUT /v1/features/${name}`, { body: { state } });
  expect((await set('audit_logging', 'disabled')).status).toBe(200);
  expect((await ok('GET /v1/features')).features).toContainEqual({
    name: 'audit_logging',
    state: 'disabled',
    was_active: true,
  });
  expect((await set('nothing', 'active')).status).toBe(400);
  expect((await set('audit_logging', 'available')).status).toBe(400);
});

test('a logger keeps its level until it expires', async () => {
  const { call, ok, switches } = await startSimulator();
  const level = '/v1/config/log_level/kafka%2Fclient';
  expect(await ok(`PUT ${level}?level=debug&expires=60`, { node: 1 })).toEqual({
    name: 'kafka/client',
    previous_level: 'info',
    new_level: 'debug',
    expiration: 60,
  });
  await switches.advance(20_000);
  expect(await ok(`GET ${level}`, { node: 1 })).toEqual({ name: 'kafka/client', level: 'debug', expiration: 40 });
  expect((await ok(`GET ${level}`)).level).toBe('info');
  await switches.advance(40_000);
  expect(await ok(`GET ${level}`, { node: 1 })).toEqual({ name: 'kafka/client', level: 'info', expiration: 0 });
  expect((await ok(`PUT ${level}?level=warn`)).expiration).toBe(600);
  await ok(`PUT ${level}?level=error&expires=0`);
  await switches.advance(86_400_000);
  expect((await ok(`GET ${level}`)).level).toBe('error');
  expect((await ok(`PUT ${level}?level=trace&expires=0`)).expiration).toBe(3_600);
  expect((await ok(`PUT ${level}?level=trace&expires=0&force=true`)).expiration).toBe(0);
  for (const bad of [
    `${level}?level=loud`,
    level,
    '/v1/config/log_level/none?level=debug',
    `${level}?level=debug&expires=x`,
  ])
    expect((await call(`PUT ${bad}`)).status).toBe(400);
  expect((await call('GET /v1/config/log_level/none')).status).toBe(400);
  expect(await ok('GET /v1/loggers')).toContainEqual({ name: 'kafka/client' });
  expect(await ok('GET /v1/loggers?include-levels=true')).toContainEqual({ name: 'kafka/client', level: 'trace' });
});
