import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/cloud/api/api.ts';
import {
  createAccessCalls,
  createClusterCalls,
  createNetworkCalls,
  createOperationCalls,
  createResourceGroupCalls,
} from '../../src/cloud/calls.ts';
import { ApiError } from '../../src/net/json-api/error.ts';
import type { PollParts } from '../../src/net/poll.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { failure } from './client.ts';

type Sent = Readonly<Record<string, unknown>>;

/** The calls of the client on an API that keeps what it is asked, and answers every read of one resource with `body`. */
function callsOf(body: unknown = {}, now = () => 0) {
  const sent: Sent[] = [];
  const api: Api = {
    async call({ read, look, ...request }) {
      const { answer: _, ...shown }: Sent = { ...request };
      sent.push(shown);
      if (request.query !== undefined) return read({}, '');
      if (body instanceof Error) throw body;
      if (body === 'lost' && look !== undefined) return (await look()) as ReturnType<typeof read>;
      return read(typeof body === 'function' ? body() : body, '');
    },
  };
  const deadline = deadlineOf();
  const parts: PollParts = { deadline, world: { now, sleep: async () => undefined, random: () => 0.5 } };
  const calls = {
    ...{ ...createAccessCalls(api), ...createNetworkCalls(api), ...createResourceGroupCalls(api) },
    ...{ ...createClusterCalls(api, parts), ...createOperationCalls(api, parts) },
  };
  return { calls, sent, deadline };
}

test.each(['..', '.', ''])('an id %j is no part of a path: nothing is sent', async (odd) => {
  const { calls, sent } = callsOf();
  for (const call of [calls.getNetwork, calls.getOperation, calls.getResourceGroup, calls.getServiceAccount]) {
    expect(await failure((async () => await call(odd))())).toMatchObject({ exitCode: 2 });
  }
  expect(sent).toEqual([]);
});

type Calls = ReturnType<typeof callsOf>['calls'];
const at = (path: string) => `/v1/${path}/a%2Fb`;
const id = 'a/b';
const fields = { name: 'n', account_id: 'c' };

test.each<[string, (calls: Calls) => Promise<unknown>, Sent]>([
  [
    'a group',
    (calls) => calls.getResourceGroup(id),
    { doing: 'read the resource group a/b', method: 'GET', path: at('resource-groups') },
  ],
  [
    'a network',
    (calls) => calls.getNetwork(id),
    { doing: 'read the network a/b', method: 'GET', path: at('networks') },
  ],
  [
    'a cluster',
    (calls) => calls.getCluster(id),
    { doing: 'read the cluster a/b', method: 'GET', path: at('clusters') },
  ],
  [
    'an operation',
    (calls) => calls.getOperation(id),
    { doing: 'read the operation a/b', method: 'GET', path: at('operations') },
  ],
  [
    'a binding',
    (calls) => calls.getRoleBinding(id),
    { doing: 'read the role binding a/b', method: 'GET', path: at('role-bindings') },
  ],
  ['a user', (calls) => calls.getUser(id), { doing: 'read the user a/b', method: 'GET', path: at('users') }],
  [
    'an account',
    (calls) => calls.getServiceAccount(id),
    { doing: 'read the service account a/b', method: 'GET', path: at('service-accounts') },
  ],
  [
    'a new group',
    (calls) => calls.createResourceGroup(fields),
    {
      ...{ doing: 'create the resource group "n"', method: 'POST', path: '/v1/resource-groups' },
      body: { resource_group: fields },
    },
  ],
  [
    'a group to delete',
    (calls) => calls.deleteResourceGroup(id),
    {
      ...{ doing: 'delete the resource group a/b', method: 'DELETE', path: at('resource-groups') },
      ...{ repeats: true, isDone: expect.any(Function) },
    },
  ],
  [
    'a new network',
    (calls) => calls.createNetwork(fields),
    { doing: 'create the network "n"', method: 'POST', path: '/v1/networks', body: { network: fields } },
  ],
  [
    'a network to delete',
    (calls) => calls.deleteNetwork(id),
    { doing: 'delete the network a/b', method: 'DELETE', path: at('networks') },
  ],
  [
    'a new cluster',
    (calls) => calls.createCluster(fields),
    { doing: 'create the cluster "n"', method: 'POST', path: '/v1/clusters', body: { cluster: fields } },
  ],
  [
    'a cluster to update',
    (calls) => calls.updateCluster(id, fields),
    { doing: 'update the cluster a/b', method: 'PATCH', path: at('clusters'), body: fields },
  ],
  [
    'a cluster to delete',
    (calls) => calls.deleteCluster(id),
    { doing: 'delete the cluster a/b', method: 'DELETE', path: at('clusters') },
  ],
  [
    'a new binding',
    (calls) => calls.createRoleBinding(fields),
    { doing: 'create the role binding for c', method: 'POST', path: '/v1/role-bindings', body: fields },
  ],
  [
    'a new account',
    (calls) => calls.createServiceAccount(fields),
    {
      ...{ doing: 'create the service account "n"', method: 'POST', path: '/v1/service-accounts' },
      body: { service_account: fields },
    },
  ],
])('the request for %s is exact', async (_, call, expected) => {
  const { calls, sent } = callsOf();
  await call(calls);
  expect(sent).toEqual([expected]);
});

test.each<[string, string, (calls: Calls, filters?: Sent) => Promise<unknown>]>([
  ['resource groups', 'resource_groups', (calls, filters) => calls.listResourceGroups(filters as never)],
  ['networks', 'networks', (calls, filters) => calls.listNetworks(filters as never)],
  ['clusters', 'clusters', (calls, filters) => calls.listClusters(filters as never)],
  ['operations', 'operations', (calls, filters) => calls.listOperations(filters as never)],
  ['role bindings', 'role_bindings', (calls, filters) => calls.listRoleBindings(filters as never)],
  ['service accounts', 'service_accounts', (calls) => calls.listServiceAccounts()],
])('the request for the list of %s is exact', async (noun, key, call) => {
  const { calls, sent } = callsOf();
  await call(calls);
  await call(calls, { a: 'b' });
  const request = { doing: `list the ${noun}`, method: 'GET', path: `/v1/${key.replace('_', '-')}` };
  // The document has this list, and no size of its pages.
  const pages = { page_size: noun === 'role bindings' ? undefined : 100, page_token: undefined };
  const filters = noun === 'service accounts' ? {} : { 'filter.a': 'b' };
  expect(sent).toEqual([
    { ...request, query: pages },
    { ...request, query: { ...pages, ...filters } },
  ]);
});

test.each<[string, (calls: Calls) => Promise<unknown>, Sent]>([
  [
    'a group',
    (calls) => calls.createResourceGroup(fields).catch(() => undefined),
    { query: { 'filter.name_contains': 'n' } },
  ],
  [
    'a network',
    (calls) => calls.createNetwork(fields),
    { path: '/v1/networks', query: { 'filter.name_contains': 'n' } },
  ],
  [
    'a cluster',
    (calls) => calls.createCluster(fields),
    { path: '/v1/clusters', query: { 'filter.name_contains': 'n' } },
  ],
  [
    'an update',
    (calls) => calls.updateCluster('c', {}),
    { path: '/v1/operations', query: { 'filter.resource_id': 'c', 'filter.type_in': ['TYPE_UPDATE_CLUSTER'] } },
  ],
  [
    'a deletion of a cluster',
    (calls) => calls.deleteCluster('c'),
    { path: '/v1/operations', query: { 'filter.resource_id': 'c', 'filter.type_in': ['TYPE_DELETE_CLUSTER'] } },
  ],
  [
    'a deletion of a network',
    (calls) => calls.deleteNetwork('c'),
    { path: '/v1/operations', query: { 'filter.resource_id': 'c', 'filter.type_in': ['TYPE_DELETE_NETWORK'] } },
  ],
  ['a binding', (calls) => calls.createRoleBinding({ role_name: 'R' }), { query: { 'filter.role_name': 'R' } }],
  ['an account', (calls) => calls.createServiceAccount(fields), { path: '/v1/service-accounts' }],
])('after a lost answer, %s is looked for', async (_, call, expected) => {
  const { calls, sent } = callsOf('lost');
  await call(calls);
  expect(sent[1]).toMatchObject(expected);
});

test('a new resource group has the requested name if the answer has only its id', async () => {
  expect(await callsOf({ id: 'g' }).calls.createResourceGroup(fields)).toMatchObject({ id: 'g', name: 'n' });
  const own = { resource_group: { id: 'g', name: 'own' } };
  expect(await callsOf(own).calls.createResourceGroup(fields)).toMatchObject({ name: 'own' });
});

describe('a wait', () => {
  const missing = new ApiError(3, 'gone', { status: 404 });

  test.each<[string, (calls: Calls, how: { waitTimeoutMs: number }) => Promise<unknown>]>([
    ['cluster c', (calls, how) => calls.waitForCluster('c', () => false, how)],
    ['operation c', (calls, how) => calls.waitForOperation('c', how)],
  ])('for the %s that takes too long names it', async (what, wait) => {
    let now = 0;
    const { calls } = callsOf({ id: 'c' }, () => {
      now += 1_000;
      return now;
    });
    expect(await failure(wait(calls, { waitTimeoutMs: 9_000 }))).toMatchObject({
      message: `${what} was not done within 9s (--wait-timeout); it is still running`,
    });
  });

  test('for a cluster ends when it is as wanted, or gone; each state is told', async () => {
    const states = ['A', 'B'];
    const { calls } = callsOf(() => ({ id: 'c', state: states.shift() }));
    const told: string[] = [];
    const options = { waitTimeoutMs: 9, onProgress: ({ state }: { state: string }) => void told.push(state) };
    expect(await calls.waitForCluster('c', ({ state }) => state === 'B', options)).toMatchObject({ state: 'B' });
    expect(told).toEqual(['A', 'B']);
    expect(await callsOf(missing).calls.waitForCluster('c', () => false, options)).toBeUndefined();
    const refused = new ApiError(1, 'no', { status: 400 });
    expect(await failure(callsOf(refused).calls.waitForCluster('c', () => false, options))).toBe(refused);
  });

  test.each<[string, (calls: Calls, how: { waitTimeoutMs: number; resumeWith?: string }) => Promise<unknown>, string]>([
    ['a cluster', (calls, how) => calls.waitForCluster('c', () => false, how), 'weir cloud cluster get c'],
    ['an operation', (calls, how) => calls.waitForOperation('c', how), 'weir cloud operation wait c'],
  ])('for %s that is refused says how to continue', async (_, wait, command) => {
    const refused = new ApiError(4, 'no', { status: 403 });
    const hint = async (how: object) =>
      (await failure(wait(callsOf(refused).calls, { waitTimeoutMs: 9, ...how }))).hints;
    expect(await hint({})).toEqual([`resume waiting with: ${command}`]);
    expect(await hint({ resumeWith: 'weir x' })).toEqual(['resume waiting with: weir x']);
  });

  test.each([
    ['TYPE_CREATE_CLUSTER', 'operation o (TYPE_CREATE_CLUSTER of c) failed: no quota (RESOURCE_EXHAUSTED)'],
    ['', 'operation o failed: no quota (RESOURCE_EXHAUSTED)'],
  ])('for an operation that failed has its error: %s', async (type, message) => {
    const operation = { id: 'o', type, state: 'FAILED', resource_id: 'c', error: { code: 8, message: 'no quota' } };
    const { calls } = callsOf({ operation });
    expect(await failure(calls.waitForOperation('o', { waitTimeoutMs: 9 }))).toMatchObject({ exitCode: 1, message });
    const done = callsOf({ operation: { ...operation, state: 'COMPLETED' } }).calls;
    expect(await done.waitForOperation('o', { waitTimeoutMs: 9 })).toMatchObject({ state: 'STATE_COMPLETED' });
  });
});
