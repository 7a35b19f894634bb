import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Plane, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const client_id = 'sandbox-device';
const begin = async () => (await plane.call('POST', '/oauth/device/code', { body: { client_id } })).body;
const poll = (device_code: string) =>
  plane.call('POST', '/oauth/token', {
    body: { client_id, device_code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
  });

test('a device login waits for approval and then issues one token for the user', async () => {
  const login = await begin();
  expect(login).toMatchObject({ expires_in: 900, interval: 1, verification_uri: `${plane.url}/activate` });
  expect(login.verification_uri_complete).toBe(`${plane.url}/activate?user_code=${login.user_code}`);
  expect(await poll(login.device_code)).toMatchObject({ status: 403, body: { error: 'authorization_pending' } });
  await plane.approve(login.user_code, 'ben@cloud.example');
  const { status, body } = await poll(login.device_code);
  expect(status).toBe(200);
  const token = body.access_token;
  expect((await plane.call('GET', '/v1/clusters', { token })).status).toBe(200);
  // Ben is a Reader.
  expect((await plane.call('DELETE', '/v1/clusters/x', { token })).status).toBe(403);
  expect(await poll(login.device_code)).toMatchObject({ status: 403, body: { error: 'invalid_grant' } });
});

test('a denied device login ends with access_denied', async () => {
  const login = await begin();
  await plane.call('POST', `/sim/device/${login.user_code}/deny`);
  expect(await poll(login.device_code)).toMatchObject({ status: 403, body: { error: 'access_denied' } });
});

test('a device login that is never decided ends with expired_token', async () => {
  const login = await begin();
  await plane.advance(login.expires_in * 1000);
  expect(await poll(login.device_code)).toMatchObject({ status: 403, body: { error: 'expired_token' } });
});

test('an unknown client gets no device code', async () => {
  const answer = await plane.call('POST', '/oauth/device/code', { body: { client_id: 'x' } });
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

test('the browser page approves the login with a button', async () => {
  const login = await begin();
  const page = await (await fetch(login.verification_uri_complete)).text();
  const [, action] = /<form method="post" action="([^"]+approve)">/.exec(page) ?? [];
  await fetch(`${plane.url}${action}`, { method: 'POST' });
  expect((await poll(login.device_code)).status).toBe(200);
});
