import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { expect, test } from 'vitest';
import { makeCredential } from '../../../src/sandbox/admin/credentials.ts';
import { adminRoutes } from '../../../src/sandbox/admin/routes.ts';
import { startSimulator } from './simulator.ts';

const users = [
  { name: 'root', password: 'root-secret' },
  { name: 'ada', password: 'ada:secret', algorithm: 'SCRAM-SHA-512' },
] as const;
const required = { admin_api_require_auth: true, superusers: ['root'] };
const [open, user, superuser] = ['GET /v1/status/ready', 'GET /v1/brokers', 'GET /v1/security/users'];

test('without required authentication anybody is a superuser, even with a wrong password', async () => {
  const { call } = await startSimulator({ seeds: { users } });
  for (const auth of [undefined, 'root:root-secret', 'root:wrong', 'nobody:x'])
    expect((await call(superuser, { auth })).status).toBe(200);
});

test('malformed credentials and schemes that are not enabled are refused, required or not', async () => {
  for (const config of [{}, required]) {
    const { call } = await startSimulator({ seeds: { users, config } });
    const noColon = `Basic ${Buffer.from('root').toString('base64')}`;
    for (const auth of ['Basic !!!', 'Basic', noColon, 'root:', 'Bearer token', 'Digest x'])
      expect([auth, (await call(open, { auth })).status]).toEqual([auth, 400]);
  }
});

test.each([
  ['no credentials', undefined, [200, 401, 403]],
  ['a wrong password', 'root:wrong', [401, 401, 401]],
  ['an unknown user', 'nobody:x', [401, 401, 401]],
  ['a user', 'ada:ada:secret', [200, 200, 403]],
  ['a superuser', 'root:root-secret', [200, 200, 200]],
])('with required authentication, %s can call what its level allows', async (_, auth, statuses) => {
  const { call } = await startSimulator({ seeds: { users, config: required } });
  const found = [];
  for (const line of [open, user, superuser]) found.push((await call(line, { auth })).status);
  expect(found).toEqual(statuses);
});

test('every endpoint is refused to those below its level', async () => {
  const { call } = await startSimulator({ settings: { release: '26.2' }, seeds: { users, config: required } });
  for (const { method, path, level } of adminRoutes) {
    const line = `${method} ${path.replaceAll(/\{\w+\}/g, '0')}`;
    if (level === 'superuser') {
      expect([line, (await call(line)).status]).toEqual([line, 403]);
      expect([line, (await call(line, { auth: 'ada:ada:secret' })).status]).toEqual([line, 403]);
    } else if (level === 'user') expect([line, (await call(line)).status]).toEqual([line, 401]);
  }
});

test('a user created by a request logs in from then on, with the new password after a change', async () => {
  const { call, ok } = await startSimulator({ seeds: { users, config: required } });
  const auth = 'root:root-secret';
  const body = { username: 'new', password: 'first', algorithm: 'SCRAM-SHA-512' };
  expect((await call(user, { auth: 'new:first' })).status).toBe(401);
  await ok('POST /v1/security/users', { auth, body });
  expect((await call(user, { auth: 'new:first' })).status).toBe(200);
  await ok('PUT /v1/security/users/new', { auth, body: { password: 'second', algorithm: 'SCRAM-SHA-256' } });
  expect((await call(user, { auth: 'new:first' })).status).toBe(401);
  expect((await call(user, { auth: 'new:second', node: 2 })).status).toBe(200);
  await ok('DELETE /v1/security/users/new', { auth });
  expect((await call(user, { auth: 'new:second' })).status).toBe(401);
});

test('authentication is only turned on by a superuser, who can use it afterwards', async () => {
  const { call } = await startSimulator({ seeds: { users } });
  const on = { upsert: { admin_api_require_auth: true }, remove: [] };
  const both = { upsert: { admin_api_require_auth: true, superusers: ['root'] }, remove: [] };
  const refused = { status: 400, body: { message: expect.stringContaining('lock you out') } };
  for (const [auth, body] of [
    [undefined, on],
    ['root:root-secret', on],
    [undefined, both],
    ['ada:ada:secret', both],
    ['root:wrong', both],
  ] as const)
    expect(await call('PUT /v1/cluster_config', { auth, body })).toMatchObject(refused);
  expect((await call('PUT /v1/cluster_config', { auth: 'root:root-secret', body: both })).status).toBe(200);
  expect((await call(superuser)).status).toBe(403);
  expect((await call(superuser, { auth: 'root:root-secret' })).status).toBe(200);
});

test('a stored credential is the stored key of RFC 5802', () => {
  const { salt, iterations, storedKey } = makeCredential('SCRAM-SHA-256', 'pencil', 0);
  const salted = pbkdf2Sync('pencil', salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  expect(storedKey).toEqual(createHash('sha256').update(clientKey).digest());
  expect(iterations).toBeGreaterThanOrEqual(4096);
});

test.each([
  { origin: 'https://evil.example', 'content-type': 'text/plain' },
  { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
  { host: 'evil.example', 'content-type': 'application/json' },
])('a web page that sends %j changes nothing', async (headers) => {
  const { api, ok } = await startSimulator();
  const body = JSON.stringify({ username: 'evil', password: 'secret', algorithm: 'SCRAM-SHA-256' });
  expect(await statusOfPost(`${api.addresses[0]}/v1/security/users`, headers, body)).toBe(403);
  expect(await ok('GET /v1/security/users')).toEqual([]);
});

test('JSON of any content type is read, as the real server reads it', async () => {
  const { ok } = await startSimulator();
  const body = JSON.stringify({ username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' });
  await ok('POST /v1/security/users', { body });
  expect(await ok('GET /v1/security/users')).toEqual(['ada']);
});

/** Unlike `fetch`, this can send the headers that only a browser sends. */
function statusOfPost(url: string, headers: OutgoingHttpHeaders, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject).end(body);
  });
}
