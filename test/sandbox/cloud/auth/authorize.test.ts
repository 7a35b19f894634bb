import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, clusterBody, networkBody, type Plane, reader, readyCluster, startPlane, writer } from '../plane.ts';

/** A Reader of the whole organization. */
const viewer: typeof reader = { clientId: 'viewer', clientSecret: 'viewer-secret', role: 'Reader' };

let plane: Plane;
/** A resource group in which the account has no role, and what is in it. */
let foreign: Awaited<ReturnType<typeof readyCluster>>;
let inner: string;
let outer: string;
let account: string;
let token: string;
beforeAll(async () => {
  plane = await startPlane({ clients: [admin, writer, reader, viewer] });
  foreign = await readyCluster(plane);
  // An account that is Admin of one resource group, Reader of another and nothing in the organization.
  const group = async (name: string): Promise<string> =>
    (await plane.api('POST', '/v1/resource-groups', { resource_group: { name } })).body.resource_group.id;
  [inner, outer] = [await group('inner'), await group('outer')];
  account = (await plane.api('GET', '/v1/service-accounts?filter.name=ci-reader')).body.service_accounts[0].id;
  const [binding] = (await plane.api('GET', `/v1/role-bindings?filter.account=${account}`)).body.role_bindings;
  await plane.api('DELETE', `/v1/role-bindings/${binding.id}`);
  for (const [role_name, resource_id] of [
    ['Admin', inner],
    ['Reader', outer],
  ]) {
    await plane.api('POST', '/v1/role-bindings', { role_name, account_id: account, scope: { resource_id } });
  }
  token = await plane.tokenOf(reader);
});
afterAll(() => plane.stop());

const denied = { status: 403, body: { code: 'PERMISSION_DENIED' } };

async function expectDenied(calls: readonly (readonly [method: string, path: string, body?: object])[]) {
  for (const [method, path, body] of calls) {
    const { status } = await plane.call(method, path, { token, body });
    expect([method, path, status]).toEqual([method, path, 403]);
  }
}

test('an Admin of one resource group may do nothing in another', async () => {
  const { groupId, networkId, clusterId, createOperation } = foreign;
  const binding = { role_name: 'Reader', account_id: account, scope: { resource_id: groupId } };
  await expectDenied([
    ['GET', `/v1/resource-groups/${groupId}`],
    ['DELETE', `/v1/resource-groups/${groupId}`],
    ['POST', '/v1/networks', networkBody(groupId, { name: 'second' })],
    ['GET', `/v1/networks/${networkId}`],
    ['DELETE', `/v1/networks/${networkId}`],
    ['POST', '/v1/clusters', clusterBody(groupId, networkId, { name: 'second' })],
    ['GET', `/v1/clusters/${clusterId}`],
    ['PATCH', `/v1/clusters/${clusterId}`, {}],
    ['DELETE', `/v1/clusters/${clusterId}`],
    ['GET', `/v1/operations/${createOperation}`],
    ['POST', '/v1/role-bindings', binding],
    ['GET', `/api/v1/clusters/${clusterId}`],
    ['POST', `/sim/agent/${clusterId}/removed`, { provider: 'gcp' }],
  ]);
});

test('an Admin of a resource group may do nothing in the organization', async () => {
  const [user] = (await plane.api('GET', '/v1/users')).body.users;
  await expectDenied([
    ['POST', '/v1/resource-groups', { resource_group: { name: 'new' } }],
    ['GET', '/v1/users'],
    ['GET', `/v1/users/${user.id}`],
    ['GET', '/v1/service-accounts'],
    ['POST', '/v1/service-accounts', { service_account: { name: 'new' } }],
    ['GET', `/v1/service-accounts/${account}`],
    ['DELETE', `/v1/service-accounts/${account}`],
  ]);
});

test('a list has only what the account may read', async () => {
  const ids = async (path: string, key: string): Promise<readonly string[]> =>
    (await plane.call('GET', path, { token })).body[key].map(({ id }: { id: string }) => id);
  expect(await ids('/v1/resource-groups', 'resource_groups')).toEqual([inner, outer]);
  expect(await ids('/v1/networks', 'networks')).toEqual([]);
  expect(await ids('/v1/clusters', 'clusters')).toEqual([]);
  expect(await ids('/v1/operations', 'operations')).toEqual([]);
});

test('a role binding can be read by a Reader of its scope and deleted by an Admin of it', async () => {
  const accounts = (await plane.api('GET', '/v1/service-accounts?filter.name=viewer')).body.service_accounts;
  const path = async (resource_id: string): Promise<string> => {
    const binding = { role_name: 'Reader', account_id: accounts[0].id, scope: { resource_id } };
    return `/v1/role-bindings/${(await plane.api('POST', '/v1/role-bindings', binding)).body.role_binding.id}`;
  };
  const [inInner, inOuter] = [await path(inner), await path(outer)];
  expect(await plane.call('GET', inOuter, { token })).toMatchObject({ status: 200 });
  expect(await plane.call('DELETE', inOuter, { token })).toMatchObject(denied);
  expect(await plane.call('DELETE', inInner, { token })).toMatchObject({ status: 204 });
});

describe('each call needs its role', () => {
  const group = { resource_group: { name: 'dev' } };
  const x = 'nothing';
  test.each<[string, string, object | undefined, 'Reader' | 'Writer' | 'Admin']>([
    ['GET', '/v1/resource-groups', undefined, 'Reader'],
    ['GET', `/v1/resource-groups/${x}`, undefined, 'Reader'],
    ['POST', '/v1/resource-groups', group, 'Writer'],
    ['DELETE', `/v1/resource-groups/${x}`, undefined, 'Admin'],
    ['GET', '/v1/networks', undefined, 'Reader'],
    ['GET', `/v1/networks/${x}`, undefined, 'Reader'],
    ['POST', '/v1/networks', networkBody(x), 'Writer'],
    ['DELETE', `/v1/networks/${x}`, undefined, 'Admin'],
    ['GET', '/v1/clusters', undefined, 'Reader'],
    ['GET', `/v1/clusters/${x}`, undefined, 'Reader'],
    ['POST', '/v1/clusters', clusterBody(x, x), 'Writer'],
    ['PATCH', `/v1/clusters/${x}`, {}, 'Writer'],
    ['DELETE', `/v1/clusters/${x}`, undefined, 'Admin'],
    ['GET', '/v1/operations', undefined, 'Reader'],
    ['GET', `/v1/operations/${x}`, undefined, 'Reader'],
    ['GET', '/v1/role-bindings', undefined, 'Reader'],
    ['GET', `/v1/role-bindings/${x}`, undefined, 'Reader'],
    ['POST', '/v1/role-bindings', { role_name: 'Reader', account_id: x, scope: { resource_id: x } }, 'Admin'],
    ['DELETE', `/v1/role-bindings/${x}`, undefined, 'Admin'],
    ['GET', '/v1/users', undefined, 'Reader'],
    ['GET', `/v1/users/${x}`, undefined, 'Reader'],
    ['GET', '/v1/service-accounts', undefined, 'Reader'],
    ['GET', `/v1/service-accounts/${x}`, undefined, 'Reader'],
    ['POST', '/v1/service-accounts', {}, 'Admin'],
    ['DELETE', `/v1/service-accounts/${x}`, undefined, 'Admin'],
    ['GET', `/api/v1/clusters/${x}`, undefined, 'Reader'],
    ['POST', `/sim/agent/${x}/installed`, { provider: 'gcp' }, 'Writer'],
    ['POST', `/sim/agent/${x}/removed`, { provider: 'gcp' }, 'Writer'],
  ])('%s %s', async (method, path, body, role) => {
    const roles = ['Reader', 'Writer', 'Admin'];
    for (const [at, client] of [viewer, writer, admin].entries()) {
      const { status } = await plane.call(method, path, { token: await plane.tokenOf(client), body });
      expect([roles[at], status === 403]).toEqual([roles[at], at < roles.indexOf(role)]);
    }
    expect((await plane.call(method, path, { body })).status).toBe(401);
  });
});
