import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Plane, readyNetwork, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

describe('role bindings', () => {
  test.each([
    ['an unknown role', { role_name: 'Owner' }, 'REASON_ROLE_NOT_FOUND'],
    ['an unknown account', { account_id: 'nobody' }, 'REASON_ACCOUNT_NOT_FOUND'],
    ['an unknown resource', { scope: { resource_id: 'nothing' } }, 'REASON_ROLE_BINDING_SCOPE_NOT_FOUND'],
  ])('%s is refused', async (_, part, reason) => {
    const { groupId } = await readyNetwork(plane);
    const [user] = (await plane.api('GET', '/v1/users')).body.users;
    const body = { role_name: 'Reader', account_id: user.id, scope: { resource_id: groupId }, ...part };
    const answer = await plane.api('POST', '/v1/role-bindings', body);
    expect([answer.status, answer.body.details[0].reason]).toEqual([400, reason]);
  });

  test('a scope whose type differs from that of the resource is refused', async () => {
    const { groupId } = await readyNetwork(plane);
    const [user] = (await plane.api('GET', '/v1/users')).body.users;
    const scope = { resource_id: groupId, resource_type: 'SCOPE_RESOURCE_TYPE_CLUSTER' };
    const answer = await plane.api('POST', '/v1/role-bindings', { role_name: 'Reader', account_id: user.id, scope });
    expect(answer.body.details[0].reason).toBe('REASON_ROLE_BINDING_INVALID_SCOPE_TYPE');
  });

  test('a duplicate binding is 409, and a wrapped body is accepted', async () => {
    const { groupId } = await readyNetwork(plane);
    const [user] = (await plane.api('GET', '/v1/users')).body.users;
    const role_binding = { role_name: 'Reader', account_id: user.id, scope: { resource_id: groupId } };
    expect((await plane.api('POST', '/v1/role-bindings', { role_binding })).status).toBe(201);
    expect((await plane.api('POST', '/v1/role-bindings', role_binding)).status).toBe(409);
  });

  test('a filter with an unknown scope type is 400', async () => {
    const answer = await plane.api('GET', '/v1/role-bindings?filter.scope.resource_type=SCOPE_X');
    expect(answer.status).toBe(400);
  });
});

describe('service accounts', () => {
  const create = (service_account: object) => plane.api('POST', '/v1/service-accounts', { service_account });

  test('a name must be unique and within the limits', async () => {
    expect((await create({ name: 'robot', description: 'for the pipeline' })).status).toBe(201);
    expect((await create({ name: 'robot' })).status).toBe(409);
    expect((await create({ name: '<b>robot</b>' })).status).toBe(400);
    expect((await create({ name: 'other', description: 'x'.repeat(141) })).status).toBe(400);
  });

  test('an account is listed by name, and can log in until it is deleted', async () => {
    const { id, auth0_client_credentials: pair } = (await create({ name: 'worker' })).body.service_account;
    const list = await plane.api('GET', '/v1/service-accounts?filter.name=worker');
    expect(list.body.service_accounts).toMatchObject([{ id, name: 'worker' }]);
    const login = { clientId: pair.client_id, clientSecret: pair.client_secret };
    expect(await plane.tokenOf(login)).toMatch(/^eyJ/);
    // 32 and 24 random bytes in base64url
    expect([pair.client_secret, pair.client_id].map(({ length }) => length)).toEqual([43, 32]);
    expect((await plane.api('DELETE', `/v1/service-accounts/${id}`)).status).toBe(204);
    expect(await plane.tokenOf(login)).toBeUndefined();
  });
});

test('the legacy API returns the organization', async () => {
  expect((await plane.api('GET', '/api/v1/organization')).body.name).toBe('Sandbox');
});
