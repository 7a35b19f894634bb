import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signingKey, signToken } from '../../../../src/sandbox/cloud/jwt.ts';
import { admin, type Json, networkBody, type Plane, reader, startPlane, writer } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const pair = { grant_type: 'client_credentials', client_id: admin.clientId, client_secret: admin.clientSecret };
const ask = (body: object) => plane.call('POST', '/oauth/token', { body });
const reasonOf = (body: Json) => body.details[0].reason;

describe('client credentials', () => {
  test('the token is signed with the key in the JWKS and has the right audience and lifetime', async () => {
    const { status, body } = await ask({ ...pair, audience: 'cloudv2-sandbox.example' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const [header = '', payload = '', signature = ''] = body.access_token.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    expect(alg).toBe('RS256');
    const { keys } = (await plane.call('GET', '/.well-known/jwks.json')).body;
    const key = createPublicKey({ key: keys.find((one: { kid: string }) => one.kid === kid), format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toMatchObject({ aud: 'cloudv2-sandbox.example', azp: 'ci-admin', iss: `${plane.url}/` });
    expect(claims).toMatchObject({ sub: 'ci-admin@clients', gty: 'client-credentials', jti: expect.any(String) });
    expect(claims.exp - claims.iat).toBe(3600);
    expect(keys[0]).not.toHaveProperty('d');
  });

  test('a form is accepted like JSON', async () => {
    const response = await fetch(`${plane.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(pair) });
    expect(response.status).toBe(200);
  });

  test.each([
    ['a wrong secret', { ...pair, client_secret: 'no' }, 401, 'access_denied'],
    ['a wrong client', { ...pair, client_id: 'no' }, 401, 'access_denied'],
    ['another audience', { ...pair, audience: 'other' }, 403, 'access_denied'],
    ['no grant type', { client_id: 'a' }, 400, 'invalid_request'],
    ['no secret', { grant_type: 'client_credentials', client_id: 'a' }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('%s is refused', async (_, body, status, error) => {
    expect(await ask(body)).toMatchObject({ status, body: { error } });
  });

  test('an exhausted daily quota is 429 with its header, and is reset at midnight', async () => {
    await plane.settings({ tokensPerDay: 2 });
    await ask(pair);
    await ask(pair);
    const refused = await ask(pair);
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
    const header = refused.headers.get('auth0-organization-quota-limit') ?? '';
    const [, left] = /^b=per_day;q=2;r=0;t=(\d+)$/.exec(header) ?? [];
    await plane.advance(Number(left) * 1000);
    expect((await ask(pair)).status).toBe(200);
  });
});

describe('tokens on the API', () => {
  test('no token is 401 REASON_NO_TOKEN with a link', async () => {
    const { status, body } = await plane.call('GET', '/v1/clusters');
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'UNAUTHENTICATED', details: [{ reason: 'REASON_NO_TOKEN' }, { links: [{}] }] });
  });

  test('an expired token is 401 REASON_TOKEN_EXPIRED, and a new one works', async () => {
    await plane.settings({ tokenLifetimeS: 60 });
    const token = await plane.tokenOf(admin);
    await plane.advance(61_000);
    const { status, body } = await plane.call('GET', '/v1/clusters', { token });
    expect([status, reasonOf(body)]).toEqual([401, 'REASON_TOKEN_EXPIRED']);
    const next = await plane.tokenOf(admin);
    expect((await plane.call('GET', '/v1/clusters', { token: next })).status).toBe(200);
  });

  test('all tokens can be expired at the same time', async () => {
    const token = await plane.tokenOf(admin);
    plane.expireTokens();
    expect(reasonOf((await plane.call('GET', '/v1/clusters', { token })).body)).toBe('REASON_TOKEN_EXPIRED');
    expect((await plane.api('GET', '/v1/clusters')).status).toBe(200);
  });

  test('a token that is changed, unsigned or signed by another key is 401 REASON_TOKEN_INVALID', async () => {
    const token = await plane.tokenOf(reader);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const asAdmin = Buffer.from(JSON.stringify({ ...claims, azp: 'ci-admin', sub: 'ci-admin@clients' })).toString(
      'base64url',
    );
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const foreign = signToken(signingKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()), claims);
    const changed = [`${header}.${asAdmin}.${signature}`, `${unsigned}.${payload}.`, `${token}.x`];
    for (const wrong of [...changed, foreign, 'x', 'a.b.c']) {
      const { status, body } = await plane.call('GET', '/v1/clusters', { token: wrong });
      expect([status, reasonOf(body)]).toEqual([401, 'REASON_TOKEN_INVALID']);
    }
  });
});

describe('roles', () => {
  const group = { resource_group: { name: 'dev' } };

  test('a Reader can read, and every write is 403 PERMISSION_DENIED', async () => {
    const token = await plane.tokenOf(reader);
    expect((await plane.call('GET', '/v1/clusters', { token })).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/v1/resource-groups'],
      ['POST', '/v1/networks'],
      ['POST', '/v1/clusters'],
      ['PATCH', '/v1/clusters/x'],
      ['DELETE', '/v1/clusters/x'],
      ['POST', '/v1/role-bindings'],
      ['POST', '/v1/service-accounts'],
      ['POST', '/sim/agent/x/installed'],
    ] as const) {
      const answer = await plane.call(method, path, { token, ...(method === 'DELETE' ? {} : { body: group }) });
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'PERMISSION_DENIED']);
    }
  });

  test('a Writer can create resources but neither delete them nor assign roles', async () => {
    const token = await plane.tokenOf(writer);
    const created = await plane.call('POST', '/v1/resource-groups', { token, body: group });
    expect(created.status).toBe(201);
    const path = `/v1/resource-groups/${created.body.resource_group.id}`;
    expect((await plane.call('DELETE', path, { token })).status).toBe(403);
    expect((await plane.call('POST', '/v1/service-accounts', { token, body: {} })).status).toBe(403);
  });

  test('a role on a resource group covers its content and nothing else', async () => {
    const one = (await plane.api('POST', '/v1/resource-groups', group)).body.resource_group.id;
    await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'other' } });
    const accounts = (await plane.api('GET', '/v1/service-accounts?filter.name=ci-reader')).body.service_accounts;
    const account_id = accounts[0].id;
    const bindings = await plane.api('GET', `/v1/role-bindings?filter.account=${account_id}`);
    await plane.api('DELETE', `/v1/role-bindings/${bindings.body.role_bindings[0].id}`);
    await plane.api('POST', '/v1/role-bindings', { role_name: 'Writer', account_id, scope: { resource_id: one } });
    const token = await plane.tokenOf(reader);
    const seen = (await plane.call('GET', '/v1/resource-groups', { token })).body.resource_groups;
    expect(seen.map((item: { id: string }) => item.id)).toEqual([one]);
    expect((await plane.call('POST', '/v1/networks', { token, body: networkBody(one) })).status).toBe(202);
    expect((await plane.call('POST', '/v1/resource-groups', { token, body: group })).status).toBe(403);
  });

  test('an account without roles is refused everywhere, and the token of a deleted account is invalid', async () => {
    const accounts = (await plane.api('GET', '/v1/service-accounts?filter.name=ci-reader')).body.service_accounts;
    const token = await plane.tokenOf(reader);
    const bindings = await plane.api('GET', `/v1/role-bindings?filter.account=${accounts[0].id}`);
    await plane.api('DELETE', `/v1/role-bindings/${bindings.body.role_bindings[0].id}`);
    expect((await plane.call('GET', '/v1/clusters', { token })).status).toBe(403);
    expect((await plane.api('DELETE', `/v1/service-accounts/${accounts[0].id}`)).status).toBe(204);
    expect((await plane.call('GET', '/v1/clusters', { token })).status).toBe(401);
    expect((await ask({ ...pair, client_id: reader.clientId, client_secret: reader.clientSecret })).status).toBe(401);
  });
});
