import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, reader, readyNetwork, startPlane } from '../plane.ts';

let plane: Plane;
let inner: string;
let outer: string;
let token: string;
beforeAll(async () => {
  plane = await startPlane();
  // An account that is Admin of one resource group, Reader of another and nothing in the organization.
  const group = async (name: string): Promise<string> =>
    (await plane.api('POST', '/v1/resource-groups', { resource_group: { name } })).body.resource_group.id;
  [inner, outer] = [await group('inner'), await group('outer')];
  const [{ id }] = (await plane.api('GET', '/v1/service-accounts?filter.name=ci-reader')).body.service_accounts;
  const [binding] = (await plane.api('GET', `/v1/role-bindings?filter.account=${id}`)).body.role_bindings;
  await plane.api('DELETE', `/v1/role-bindings/${binding.id}`);
  for (const [role_name, resource_id] of [
    ['Admin', inner],
    ['Reader', outer],
  ]) {
    await plane.api('POST', '/v1/role-bindings', { role_name, account_id: id, scope: { resource_id } });
  }
  token = await plane.tokenOf(reader);
});
afterAll(() => plane.stop());

const denied = { status: 403, body: { code: 'PERMISSION_DENIED' } };

test('a role in a resource group gives nothing in the organization', async () => {
  expect(await plane.call('GET', '/v1/service-accounts', { token })).toMatchObject(denied);
});

test('an operation is shown only to who may read where it runs', async () => {
  const { networkId } = await readyNetwork(plane);
  const list = `/v1/operations?filter.resource_id=${networkId}`;
  const [operation] = (await plane.api('GET', list)).body.operations;
  expect((await plane.call('GET', list, { token })).body.operations).toEqual([]);
  expect(await plane.call('GET', `/v1/operations/${operation.id}`, { token })).toMatchObject(denied);
});

test('a role binding can be read by a Reader of its scope and deleted by an Admin of it', async () => {
  const bindings = (await plane.call('GET', '/v1/role-bindings', { token })).body.role_bindings;
  const path = (scope: string) =>
    `/v1/role-bindings/${bindings.find((one: { scope: { resource_id: string } }) => one.scope.resource_id === scope).id}`;
  expect(await plane.call('GET', path(outer), { token })).toMatchObject({ status: 200 });
  expect(await plane.call('DELETE', path(outer), { token })).toMatchObject(denied);
  expect(await plane.call('DELETE', path(inner), { token })).toMatchObject({ status: 204 });
});
