import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  admin,
  clusterBody,
  networkBody,
  type Plane,
  readyCluster,
  readyNetwork,
  report,
  startPlane,
} from './plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const operation = async (id: string) => (await plane.api('GET', `/v1/operations/${id}`)).body.operation;
const clusterState = async (id: string) => (await plane.api('GET', `/v1/clusters/${id}`)).body.cluster?.state;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the 14 endpoints', () => {
  test('1: POST /v1/resource-groups answers 201 with the id', async () => {
    const answer = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    expect(answer.status).toBe(201);
    expect(answer.body.resource_group).toMatchObject({ name: 'dev', updated_at: null });
    expect(answer.body.resource_group.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body.resource_group.created_at).toMatch(timestamp);
  });

  test('2: DELETE /v1/resource-groups/{id} answers 204 without a body and deletes the group', async () => {
    const { body } = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    const path = `/v1/resource-groups/${body.resource_group.id}`;
    expect(await plane.api('DELETE', path)).toMatchObject({ status: 204, body: undefined });
    expect((await plane.api('GET', path)).status).toBe(404);
  });

  test('3: POST /v1/networks answers 202 with an operation that completes as time passes', async () => {
    const { body } = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    const answer = await plane.api('POST', '/v1/networks', networkBody(body.resource_group.id));
    expect(answer.status).toBe(202);
    const { id, resource_id, metadata } = answer.body.operation;
    expect(answer.body.operation).toMatchObject({ type: 'TYPE_CREATE_NETWORK', state: 'STATE_IN_PROGRESS' });
    expect(metadata).toEqual({
      '@type': 'type.googleapis.com/redpanda.api.controlplane.v1.CreateNetworkMetadata',
      network_id: resource_id,
    });
    expect((await plane.api('GET', `/v1/networks/${resource_id}`)).body.network.state).toBe('STATE_CREATING');
    await plane.advance(4_999);
    expect((await operation(id)).state).toBe('STATE_IN_PROGRESS');
    await plane.advance(1);
    const done = await operation(id);
    expect(done).toMatchObject({ state: 'STATE_COMPLETED', response: { network: { state: 'STATE_READY' } } });
    expect(done.finished_at).toMatch(timestamp);
    expect(Date.parse(done.finished_at) - Date.parse(done.started_at)).toBe(5_000);
  });

  test('4: DELETE /v1/networks/{id} answers 202 with an operation that deletes the network', async () => {
    const { networkId } = await readyNetwork(plane);
    const answer = await plane.api('DELETE', `/v1/networks/${networkId}`);
    expect(answer).toMatchObject({ status: 202, body: { operation: { type: 'TYPE_DELETE_NETWORK' } } });
    expect((await plane.api('GET', `/v1/networks/${networkId}`)).body.network.state).toBe('STATE_DELETING');
    await plane.advance(5_000);
    expect((await plane.api('GET', `/v1/networks/${networkId}`)).status).toBe(404);
    expect((await operation(answer.body.operation.id)).state).toBe('STATE_COMPLETED');
  });

  test('5: POST /v1/clusters answers 202 with an operation that names the cluster', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    const answer = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
    expect(answer.status).toBe(202);
    const { metadata, resource_id, started_at } = answer.body.operation;
    expect(answer.body).toMatchObject({ operation: { state: 'STATE_IN_PROGRESS', type: 'TYPE_CREATE_CLUSTER' } });
    expect(metadata['@type'].split('.').at(-1)).toBe('CreateClusterMetadata');
    expect(metadata.cluster_id).toBe(resource_id);
    expect(resource_id).toMatch(/^[0-9a-v]{20}$/);
    expect(started_at).toMatch(timestamp);
  });

  test('6: GET /v1/clusters/{id} answers 200 with the state and all fields of the request', async () => {
    const { clusterId, groupId, networkId } = await readyCluster(plane);
    const answer = await plane.api('GET', `/v1/clusters/${clusterId}`);
    expect(answer.status).toBe(200);
    expect(answer.body.cluster).toMatchObject({
      ...clusterBody(groupId, networkId).cluster,
      id: clusterId,
      state: 'STATE_READY',
    });
    expect(answer.body.cluster.kafka_api.seed_brokers).toHaveLength(1);
    expect(answer.body.cluster.dataplane_api.url).toMatch(/^http:/);
  });

  test('7: PATCH /v1/clusters/{id} merges custom properties and keeps booleans and texts distinct', async () => {
    const { clusterId } = await readyCluster(plane);
    const answer = await plane.api('PATCH', `/v1/clusters/${clusterId}`, {
      cluster_configuration: { custom_properties: { iceberg_enabled: true, iceberg_catalog_type: 'true' } },
    });
    expect(answer.status).toBe(202);
    expect(answer.body.operation.metadata).toEqual({
      '@type': 'type.googleapis.com/redpanda.api.controlplane.v1.UpdateClusterMetadata',
      update_type: ['UPDATE_CLUSTER_TYPE_CUSTOMER_CONFIG'],
    });
    await plane.advance(5_000);
    expect((await operation(answer.body.operation.id)).state).toBe('STATE_COMPLETED');
    const { cluster } = (await plane.api('GET', `/v1/clusters/${clusterId}`)).body;
    expect(cluster.cluster_configuration.custom_properties).toEqual({
      audit_enabled: true,
      iceberg_enabled: true,
      iceberg_catalog_type: 'true',
    });
  });

  test('8: DELETE /v1/clusters/{id} answers 202 with an operation', async () => {
    const { clusterId } = await readyCluster(plane);
    const answer = await plane.api('DELETE', `/v1/clusters/${clusterId}`);
    expect(answer).toMatchObject({
      status: 202,
      body: { operation: { type: 'TYPE_DELETE_CLUSTER', resource_id: clusterId, state: 'STATE_IN_PROGRESS' } },
    });
  });

  test('9: GET /v1/operations/{id} answers 200 under the key operation, even for a deleted resource', async () => {
    const { networkId } = await readyNetwork(plane);
    const { body } = await plane.api('DELETE', `/v1/networks/${networkId}`);
    await plane.advance(5_000);
    const answer = await plane.api('GET', `/v1/operations/${body.operation.id}`);
    expect(Object.keys(answer.body)).toEqual(['operation']);
    expect(answer).toMatchObject({ status: 200, body: { operation: { state: 'STATE_COMPLETED' } } });
    expect((await plane.api('GET', '/v1/operations/nothing')).status).toBe(404);
  });

  test('10: GET /v1/role-bindings filters by role and scope type', async () => {
    const all = (await plane.api('GET', '/v1/role-bindings')).body;
    expect(all.role_bindings.length).toBe(5);
    const readers = (await plane.api('GET', '/v1/role-bindings?filter.role_name=Reader')).body.role_bindings;
    expect(readers.map((one: { role_name: string }) => one.role_name)).toEqual(['Reader', 'Reader']);
    const path = '/v1/role-bindings?filter.scope.resource_type=SCOPE_RESOURCE_TYPE_CLUSTER';
    expect((await plane.api('GET', path)).body).toEqual({ role_bindings: [], next_page_token: '' });
  });

  test('11: GET /v1/role-bindings/{id} answers 200 with the binding', async () => {
    const [first] = (await plane.api('GET', '/v1/role-bindings')).body.role_bindings;
    const answer = await plane.api('GET', `/v1/role-bindings/${first.id}`);
    expect(answer).toMatchObject({ status: 200, body: { role_binding: first } });
  });

  test('12: POST /v1/role-bindings takes its fields at the top level, with or without the scope type', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    const [user] = (await plane.api('GET', '/v1/users')).body.users;
    const answer = await plane.api('POST', '/v1/role-bindings', {
      role_name: 'Writer',
      account_id: user.id,
      scope: { resource_id: networkId },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.role_binding).toMatchObject({
      account_id: user.id,
      scope: { resource_type: 'SCOPE_RESOURCE_TYPE_NETWORK', resource_id: networkId },
    });
    const typed = await plane.api('POST', '/v1/role-bindings', {
      role_name: 'Reader',
      account_id: user.id,
      scope: { resource_id: groupId, resource_type: 'SCOPE_RESOURCE_TYPE_RESOURCE_GROUP' },
    });
    expect(typed.status).toBe(201);
  });

  test('13: GET /v1/users/{id} answers 200 with the user, or 404 for an unknown id', async () => {
    const [ada] = (await plane.api('GET', '/v1/users')).body.users;
    const answer = await plane.api('GET', `/v1/users/${ada.id}`);
    expect(answer).toMatchObject({ status: 200, body: { user: { email: 'ada@cloud.example', name: 'Ada' } } });
    expect((await plane.api('GET', '/v1/users/nobody')).status).toBe(404);
  });

  test('14: POST /v1/service-accounts answers 201 with working credentials, which are only shown once', async () => {
    const answer = await plane.api('POST', '/v1/service-accounts', { service_account: { name: 'robot' } });
    expect(answer.status).toBe(201);
    const { id, auth0_client_credentials: given } = answer.body.service_account;
    const again = await plane.api('GET', `/v1/service-accounts/${id}`);
    expect(again.body.service_account).toMatchObject({ id, name: 'robot', description: '' });
    expect(JSON.stringify(again.body)).not.toContain(given.client_secret);
    const token = await plane.tokenOf({ clientId: given.client_id, clientSecret: given.client_secret });
    expect((await plane.call('GET', '/v1/clusters', { token })).status).toBe(200);
    const bindings = await plane.api('GET', `/v1/role-bindings?filter.account=${id}`);
    expect(bindings.body.role_bindings).toMatchObject([
      { role_name: 'Admin', scope: { resource_type: 'SCOPE_RESOURCE_TYPE_ORGANIZATION' } },
    ]);
  });
});

describe('the rules', () => {
  test('1: a cluster requires an existing resource group and network', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    const stranger = '00000000-0000-4000-8000-000000000000';
    const noGroup = await plane.api('POST', '/v1/clusters', clusterBody(stranger, networkId));
    expect(noGroup).toMatchObject({
      status: 400,
      body: { details: [{ reason: 'REASON_RESOURCE_GROUP_NOT_FOUND' }, {}] },
    });
    const noNetwork = await plane.api('POST', '/v1/clusters', clusterBody(groupId, 'nothing'));
    expect(noNetwork.body.details[1].field_violations[0].field).toBe('cluster.network_id');
  });

  test('2 and 3: endpoints 3, 4, 5, 7 and 8 answer with operations whose result appears at endpoint 9', async () => {
    const { clusterId, createOperation } = await readyCluster(plane);
    expect((await operation(createOperation)).state).toBe('STATE_COMPLETED');
    const patch = await plane.api('PATCH', `/v1/clusters/${clusterId}`, {
      cluster_configuration: { custom_properties: { audit_enabled: false } },
    });
    const properties = async () =>
      (await plane.api('GET', `/v1/clusters/${clusterId}`)).body.cluster.cluster_configuration.custom_properties;
    // Nothing changes before the operation completes, so a client has to poll.
    expect((await properties()).audit_enabled).toBe(true);
    await plane.advance(5_000);
    expect((await operation(patch.body.operation.id)).state).toBe('STATE_COMPLETED');
    expect((await properties()).audit_enabled).toBe(false);
  });

  test('4: a BYOC cluster waits for its agent without a time limit', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    const { body } = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
    const { cluster_id: id } = body.operation.metadata;
    await plane.advance(365 * 86_400_000);
    const token = await plane.tokenOf(admin);
    const state = async () => (await plane.call('GET', `/v1/clusters/${id}`, { token })).body.cluster.state;
    expect(await state()).toBe('STATE_CREATING_AGENT');
    const told = await plane.call('POST', `/sim/agent/${id}/installed`, { token, body: { provider: 'gcp' } });
    expect(told).toMatchObject({ status: 200, body: { changed: true, state: 'STATE_CREATING' } });
    await plane.advance(15_000);
    expect(await state()).toBe('STATE_READY');
  });

  test('5: a BYOC deletion waits for its agent, then completes, then network and group can be deleted', async () => {
    const { clusterId, groupId, networkId } = await readyCluster(plane);
    const { body } = await plane.api('DELETE', `/v1/clusters/${clusterId}`);
    expect(await clusterState(clusterId)).toBe('STATE_DELETING');
    await plane.advance(10_000);
    expect(await clusterState(clusterId)).toBe('STATE_DELETING_AGENT');
    await plane.advance(1_000_000);
    expect(await clusterState(clusterId)).toBe('STATE_DELETING_AGENT');
    expect(await plane.api('DELETE', `/v1/networks/${networkId}`)).toMatchObject({ status: 400 });
    expect((await report(plane, clusterId, 'removed')).status).toBe(200);
    await plane.advance(5_000);
    expect((await plane.api('GET', `/v1/clusters/${clusterId}`)).status).toBe(404);
    expect((await operation(body.operation.id)).state).toBe('STATE_COMPLETED');
    expect((await plane.api('DELETE', `/v1/resource-groups/${groupId}`)).body.details[0].reason).toBe(
      'REASON_RESOURCE_GROUP_NOT_EMPTY',
    );
    expect((await plane.api('DELETE', `/v1/networks/${networkId}`)).status).toBe(202);
    await plane.advance(5_000);
    expect((await plane.api('DELETE', `/v1/resource-groups/${groupId}`)).status).toBe(204);
  });

  test('6: a Dedicated cluster needs no client step for creation or deletion', async () => {
    const { groupId, networkId } = await readyNetwork(plane, { cluster_type: 'TYPE_DEDICATED' });
    const { body } = await plane.api(
      'POST',
      '/v1/clusters',
      clusterBody(groupId, networkId, { type: 'TYPE_DEDICATED' }),
    );
    const { cluster_id: id } = body.operation.metadata;
    expect(await clusterState(id)).toBe('STATE_CREATING');
    await plane.advance(15_000);
    expect(await clusterState(id)).toBe('STATE_READY');
    const removal = await plane.api('DELETE', `/v1/clusters/${id}`);
    await plane.advance(10_000);
    expect((await operation(removal.body.operation.id)).state).toBe('STATE_COMPLETED');
    expect((await plane.api('GET', `/v1/clusters/${id}`)).status).toBe(404);
    expect((await report(plane, id, 'removed')).status).toBe(404);
  });

  test('7: the only roles are Reader, Writer and Admin', async () => {
    const [user] = (await plane.api('GET', '/v1/users')).body.users;
    const { groupId } = await readyNetwork(plane);
    for (const [role, status] of [
      ['Reader', 201],
      ['Writer', 201],
      ['Admin', 201],
      ['Owner', 400],
    ] as const) {
      const body = { role_name: role, account_id: user.id, scope: { resource_id: groupId } };
      expect((await plane.api('POST', '/v1/role-bindings', body)).status).toBe(status);
    }
  });
});

test('a BYOC cluster is created, then waits for its agent', async () => {
  const plane = await startPlane({ settings: { durations: { clusterPrepareMs: 3_000 } } });
  const { groupId, networkId } = await readyNetwork(plane);
  const created = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  const { cluster_id: id } = created.body.operation.metadata;
  const state = async () => (await plane.api('GET', `/v1/clusters/${id}`)).body.cluster.state;
  expect(await state()).toBe('STATE_CREATING');
  await plane.advance(2_999);
  expect(await state()).toBe('STATE_CREATING');
  await plane.advance(1);
  expect(await state()).toBe('STATE_CREATING_AGENT');
  await plane.advance(600_000);
  expect(await state()).toBe('STATE_CREATING_AGENT');
  await plane.stop();
});
