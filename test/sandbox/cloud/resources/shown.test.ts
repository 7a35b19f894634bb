import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clusterBody, networkBody, type Plane, readyCluster, readyNetwork, report, startPlane } from '../plane.ts';

let plane: Plane;
const startAt = Date.parse('2026-01-02T03:04:05.000Z');
beforeAll(async () => {
  plane = await startPlane({ startAt });
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const read = async (path: string) => (await plane.api('GET', path)).body;
const id = expect.stringMatching(/^[0-9a-v]{20}$/);
const time = expect.stringMatching(/^2026-01-02T03:0\d:\d\d\.000Z$/);

test('a resource group and a network are shown with all their fields', async () => {
  const { groupId, networkId } = await readyNetwork(plane);
  expect(await read(`/v1/resource-groups/${groupId}`)).toEqual({
    resource_group: { id: groupId, name: 'dev', created_at: time, updated_at: null },
  });
  const { network } = networkBody(groupId);
  const shown = {
    ...network,
    id,
    state: 'STATE_READY',
    zones: [],
    customer_managed_resources: null,
    egress_spec: null,
    cloud_provider_access_id: '',
    created_at: time,
    updated_at: time,
  };
  expect(await read(`/v1/networks/${networkId}`)).toEqual({ network: shown });
  expect((await read('/v1/networks')).networks).toEqual([shown]);
  const { network: ready } = await read(`/v1/networks/${networkId}`);
  expect(Date.parse(ready.updated_at) - Date.parse(ready.created_at)).toBe(5_000);
});

test('a cluster is shown with all its fields, its addresses only while it serves', async () => {
  const { groupId, networkId } = await readyNetwork(plane);
  const sent = { kafka_api: { mtls: { enabled: true } }, cloud_provider_tags: { a: 'b' }, redpanda_version: '25.1' };
  const made = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, sent));
  const { cluster_id: clusterId } = made.body.operation.metadata;
  const { cluster_configuration, ...body } = clusterBody(groupId, networkId).cluster;
  const common = {
    ...body,
    id: clusterId,
    state_description: null,
    nat_gateways: [],
    redpanda_node_count: 3,
    customer_managed_resources: null,
    cloud_provider_tags: { a: 'b' },
    created_at: time,
    updated_at: time,
    cluster_configuration: { ...cluster_configuration, computed_properties: {} },
    desired_redpanda_version: '25.1',
  };
  expect((await read(`/v1/clusters/${clusterId}`)).cluster).toEqual({
    ...common,
    state: 'STATE_CREATING_AGENT',
    current_redpanda_version: '',
    kafka_api: sent.kafka_api,
    http_proxy: null,
    schema_registry: null,
    redpanda_console: null,
    prometheus: null,
    dataplane_api: null,
  });
  await report(plane, clusterId, 'installed');
  await plane.advance(15_000);
  const domain = `${clusterId}.byoc.example`;
  const ready = {
    ...common,
    state: 'STATE_READY',
    current_redpanda_version: '25.1',
    kafka_api: {
      mtls: { enabled: true },
      sasl: { enabled: true },
      seed_brokers: [`seed-${clusterId.slice(-8)}.${domain}:9092`],
    },
    http_proxy: { mtls: null, url: '' },
    schema_registry: { mtls: null, url: `https://schema-registry.${domain}:30081` },
    redpanda_console: { url: `https://console.${domain}` },
    prometheus: { url: `https://console.${domain}/api/cloud/prometheus` },
    dataplane_api: { url: plane.url },
  };
  expect((await read(`/v1/clusters/${clusterId}`)).cluster).toEqual(ready);
  expect((await read('/v1/clusters')).clusters).toEqual([{ ...ready, dataplane_api: null }]);
  const legacy = {
    id: clusterId,
    name: 'first',
    namespaceUuid: groupId,
    createdAt: time,
    state: 'ready',
    spec: {
      clusterType: 'byoc',
      installPackVersion: '25.2.20250822',
      provider: 'GCP',
      region: 'us-central1',
      zones: body.zones,
      nodesCount: 3,
    },
    status: {
      health: 'healthy',
      listeners: {
        kafka: { default: { urls: ready.kafka_api.seed_brokers } },
        redpandaConsole: { default: { urls: [`https://console.${domain}`] } },
      },
    },
  };
  expect(await read(`/api/v1/clusters/${clusterId}`)).toEqual(legacy);
});

test('an operation is shown with all its fields, its result or its error when it has ended', async () => {
  const { clusterId, createOperation } = await readyCluster(plane);
  const type = 'type.googleapis.com/redpanda.api.controlplane.v1.';
  const { operation } = await read(`/v1/operations/${createOperation}`);
  expect(operation).toEqual({
    id,
    type: 'TYPE_CREATE_CLUSTER',
    state: 'STATE_COMPLETED',
    started_at: time,
    finished_at: time,
    resource_id: clusterId,
    metadata: { '@type': `${type}CreateClusterMetadata`, cluster_id: clusterId },
    response: { '@type': `${type}CreateClusterResponse`, cluster: (await read(`/v1/clusters/${clusterId}`)).cluster },
  });
  plane.fail({
    type: 'TYPE_DELETE_CLUSTER',
    code: 'ABORTED',
    reason: 'R',
    message: 'no',
  });
  const { body } = await plane.api('DELETE', `/v1/clusters/${clusterId}`);
  expect(body.operation).toEqual({
    id,
    type: 'TYPE_DELETE_CLUSTER',
    state: 'STATE_IN_PROGRESS',
    started_at: time,
    finished_at: null,
    resource_id: clusterId,
    metadata: { '@type': `${type}DeleteClusterMetadata`, required_action: '' },
  });
  await plane.advance(10_000);
  const failed = (await read(`/v1/operations/${body.operation.id}`)).operation;
  expect(failed).toMatchObject({ state: 'STATE_FAILED', error: { code: 'ABORTED', message: 'no' } });
  expect(failed).not.toHaveProperty('response');
  expect((await read(`/v1/clusters/${clusterId}`)).cluster).toMatchObject({
    state: 'STATE_FAILED',
    state_description: { code: 'ABORTED', message: 'no' },
  });
});

test('a failed creation or deletion of a network leaves it in the right state', async () => {
  const group = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
  plane.fail();
  const made = await plane.api('POST', '/v1/networks', networkBody(group.body.resource_group.id));
  const path = `/v1/networks/${made.body.operation.resource_id}`;
  await plane.advance(5_000);
  expect((await read(path)).network.state).toBe('STATE_FAILED');
  expect((await read(`/v1/operations/${made.body.operation.id}`)).operation.error).toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    message: 'the quota is used up',
    details: [{ reason: 'REASON_INSUFFICIENT_QUOTA' }],
  });
  plane.fail({ type: 'TYPE_DELETE_NETWORK' });
  await plane.api('DELETE', path);
  await plane.advance(5_000);
  expect((await read(path)).network.state).toBe('STATE_READY');
  expect((await plane.api('DELETE', path)).status).toBe(202);
});

test('accounts and role bindings are shown with all their fields', async () => {
  const { users } = await read('/v1/users');
  const ada = users.find(({ email }: { email: string }) => email === 'ada@cloud.example');
  expect(ada).toEqual({
    id,
    email: 'ada@cloud.example',
    name: 'Ada',
    picture_url: '',
    created_at: time,
    identities: [{ provider: 'auth0', user_id: ada.id, connection: 'sim', is_primary: true }],
  });
  const body = { service_account: { name: 'bot', description: 'd' } };
  const { service_account: made } = (await plane.api('POST', '/v1/service-accounts', body)).body;
  const { auth0_client_credentials: _, ...account } = made;
  expect(account).toEqual({ id, name: 'bot', description: 'd', created_at: time, updated_at: null });
  expect(await read(`/v1/service-accounts/${account.id}`)).toEqual({ service_account: account });
  const { role_bindings: bindings } = await read(`/v1/role-bindings?filter.account_ids=${account.id}`);
  const { id: organization } = await read('/api/v1/organization');
  expect(bindings).toEqual([
    {
      id,
      role_name: 'Admin',
      account_id: account.id,
      created_at: time,
      updated_at: null,
      scope: { resource_type: 'SCOPE_RESOURCE_TYPE_ORGANIZATION', resource_id: organization },
    },
  ]);
});

test('a new service account has the roles that it was created with besides', async () => {
  const { networkId } = await readyNetwork(plane);
  const account = { name: 'bot', role_bindings: [{ role_name: 'Reader', scope: { resource_id: networkId } }] };
  const made = await plane.api('POST', '/v1/service-accounts', { service_account: account });
  const { role_bindings: bindings } = await read(`/v1/role-bindings?filter.account=${made.body.service_account.id}`);
  expect(bindings).toMatchObject([
    { role_name: 'Admin' },
    { role_name: 'Reader', scope: { resource_id: networkId, resource_type: 'SCOPE_RESOURCE_TYPE_NETWORK' } },
  ]);
  const wrong = { ...account, name: 'other', role_bindings: [{ role_name: 'Reader', scope: { resource_id: 'x' } }] };
  const refused = await plane.api('POST', '/v1/service-accounts', { service_account: wrong });
  expect(refused.body.details[1].field_violations[0].field).toBe('service_account.role_bindings[0].scope.resource_id');
  expect((await read('/v1/service-accounts?filter.name=other')).service_accounts).toEqual([]);
});

test('the name of a resource group is unique and has at most 253 characters', async () => {
  const make = async (name: string): Promise<number> =>
    (await plane.api('POST', '/v1/resource-groups', { resource_group: { name } })).status;
  expect([await make('two'), await make('two')]).toEqual([201, 409]);
  expect([await make('x'.repeat(254)), await make('x'.repeat(253))]).toEqual([400, 201]);
});

test('regions are shown with all their fields', async () => {
  const region = {
    name: 'us-east-2',
    cloud_provider: 'CLOUD_PROVIDER_AWS',
    zones: ['use2-az1', 'use2-az2', 'use2-az3'],
    default_timezone: { id: 'UTC', version: '' },
  };
  expect((await read('/v1/regions/CLOUD_PROVIDER_AWS')).regions).toContainEqual(region);
});

test('every field that a cluster keeps is shown as it was sent, also after a change', async () => {
  const { groupId, networkId } = await readyNetwork(plane);
  const kept = {
    redpanda_node_count: 5,
    kafka_api: { a: 1 },
    http_proxy: { a: 2 },
    schema_registry: { a: 3 },
    gcp_private_service_connect: { a: 4 },
    cloud_provider_tags: { a: 'b' },
    read_replica_cluster_ids: ['x'],
    maintenance_window_config: { a: 5 },
    kafka_connect: { a: 6 },
    redpanda_connect: { a: 7 },
    cloud_storage: { a: 8 },
    customer_managed_resources: { a: 9 },
    api_gateway_access: 'X',
    gcp_enable_global_access: true,
  };
  const made = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, kept));
  expect(made.status, JSON.stringify(made.body)).toBe(202);
  const { cluster_id: clusterId } = made.body.operation.metadata;
  expect((await read(`/v1/clusters/${clusterId}`)).cluster).toMatchObject(kept);
  await report(plane, clusterId, 'installed');
  await plane.advance(15_000);
  const change = { name: 'renamed', cloud_provider_tags: { c: 'd' } };
  expect((await plane.api('PATCH', `/v1/clusters/${clusterId}`, change)).status).toBe(202);
  await plane.advance(5_000);
  expect((await read(`/v1/clusters/${clusterId}`)).cluster).toMatchObject({
    ...change,
    cloud_storage: { a: 8 },
    kafka_api: { a: 1, sasl: { enabled: true } },
  });
});
