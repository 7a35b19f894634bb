import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { overlap } from '../../../../src/sandbox/cloud/resources/networks.ts';
import { type Answer, clusterBody, networkBody, type Plane, readyCluster, readyNetwork, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const group = async (name = 'dev') =>
  (await plane.api('POST', '/v1/resource-groups', { resource_group: { name } })).body.resource_group.id as string;
const refusal = ({ status, body }: Answer) => [status, body.code, body.details[0]?.reason];
const fieldsOf = ({ body }: Answer): string[] =>
  body.details[1].field_violations.map((violation: { field: string }) => violation.field);

describe('resource groups', () => {
  test('a name must be unique', async () => {
    await group();
    const again = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    expect(refusal(again)).toEqual([409, 'ALREADY_EXISTS', 'REASON_RESOURCE_GROUP_ALREADY_EXISTS']);
  });

  test.each([['ab'], ['with space'], ['']])('the name "%s" is refused', async (name) => {
    const answer = await plane.api('POST', '/v1/resource-groups', { resource_group: { name } });
    expect(refusal(answer)).toEqual([400, 'INVALID_ARGUMENT', 'REASON_INVALID_INPUT']);
    expect(fieldsOf(answer)).toEqual(['resource_group.name']);
  });

  test('a body without its wrapper is refused', async () => {
    const answer = await plane.api('POST', '/v1/resource-groups', { name: 'dev' });
    expect(fieldsOf(answer)).toContain('resource_group');
  });
});

describe('networks', () => {
  test.each([
    ['an unknown region', { region: 'mars' }, 'REASON_REGION_NOT_FOUND'],
    ['a region of another provider', { region: 'us-east-2' }, 'REASON_REGION_NOT_FOUND'],
    ['an unknown provider', { cloud_provider: 'CLOUD_PROVIDER_MOON' }, 'REASON_INVALID_INPUT'],
    ['serverless', { cluster_type: 'TYPE_SERVERLESS' }, 'REASON_INVALID_INPUT'],
    ['a block that is too small', { cidr_block: '10.0.0.0/22' }, 'REASON_INVALID_INPUT'],
    ['no block', { cidr_block: '10.0.0.0' }, 'REASON_INVALID_INPUT'],
    ["the service's own block", { cidr_block: '10.255.16.0/20' }, 'REASON_INVALID_INPUT'],
    ['the whole address space without customer-managed resources', { cidr_block: '0.0.0.0/0' }, 'REASON_INVALID_INPUT'],
    ['an unknown field', { vpc: 'x' }, 'REASON_INVALID_INPUT'],
  ])('%s is refused', async (_, part, reason) => {
    const answer = await plane.api('POST', '/v1/networks', networkBody(await group(), part));
    expect(refusal(answer)).toEqual([400, 'INVALID_ARGUMENT', reason]);
  });

  test('each wrong field is named with its path', async () => {
    const part = { name: 'with space', cidr_block: '10.0.0.0', vpc: 'x' };
    const answer = await plane.api('POST', '/v1/networks', networkBody(await group(), part));
    expect(fieldsOf(answer).toSorted()).toEqual(['network.cidr_block', 'network.name', 'network.vpc']);
  });

  test('an unknown resource group is refused', async () => {
    const answer = await plane.api('POST', '/v1/networks', networkBody('nothing'));
    expect(refusal(answer)).toEqual([400, 'INVALID_ARGUMENT', 'REASON_RESOURCE_GROUP_NOT_FOUND']);
  });

  test('a name must be unique, and blocks must not overlap', async () => {
    const id = await group();
    await plane.api('POST', '/v1/networks', networkBody(id));
    const sameName = await plane.api('POST', '/v1/networks', networkBody(id, { cidr_block: '10.1.0.0/20' }));
    expect(refusal(sameName)).toEqual([409, 'ALREADY_EXISTS', 'REASON_NETWORK_ALREADY_EXISTS']);
    const inside = await plane.api('POST', '/v1/networks', networkBody(id, { name: 'two', cidr_block: '10.0.8.0/21' }));
    expect(inside.body.message).toContain('overlaps 10.0.0.0/20');
    const beside = await plane.api(
      'POST',
      '/v1/networks',
      networkBody(id, { name: 'two', cidr_block: '10.0.16.0/20' }),
    );
    expect(beside.status).toBe(202);
  });

  test('a network cannot be deleted while it is being created', async () => {
    const { body } = await plane.api('POST', '/v1/networks', networkBody(await group()));
    expect(refusal(await plane.api('DELETE', `/v1/networks/${body.operation.resource_id}`))).toEqual([
      400,
      'FAILED_PRECONDITION',
      'REASON_NETWORK_NOT_READY',
    ]);
  });

  test.each([
    ['10.0.0.0/20', '10.0.15.0/24', true],
    ['10.0.0.0/20', '10.0.16.0/24', false],
    ['10.0.0.7/8', '10.255.255.255/32', true],
    ['0.0.0.0/0', '192.168.0.0/16', true],
    ['10.0.0.0/20', 'nonsense', false],
  ])('%s and %s overlap: %s', (one, other, expected) => {
    expect(overlap(one, other)).toBe(expected);
    expect(overlap(other, one)).toBe(expected);
  });
});

describe('clusters', () => {
  test.each([
    ['another provider', { cloud_provider: 'CLOUD_PROVIDER_AWS' }, 'REASON_CLUSTER_NETWORK_CLOUD_PROVIDER_MISMATCH'],
    ['another region', { region: 'us-west1' }, 'REASON_CLUSTER_NETWORK_REGION_MISMATCH'],
    ['another type', { type: 'TYPE_DEDICATED' }, 'REASON_CLUSTER_TYPE_MISMATCH'],
    ['an unknown zone', { zones: ['us-west1-a'] }, 'REASON_ZONE_NOT_SUPPORTED_BY_NETWORK'],
    ['a zone twice', { zones: ['us-central1-a', 'us-central1-a'] }, 'REASON_INVALID_INPUT'],
    ['no zones', { zones: [] }, 'REASON_INVALID_INPUT'],
    ['an unknown tier', { throughput_tier: 'tier-12-gcp-v2-x86' }, 'REASON_THROUGHPUT_TIER_NOT_FOUND'],
    ['the tier of another provider', { throughput_tier: 'tier-1-aws-v2-x86' }, 'REASON_THROUGHPUT_TIER_NOT_FOUND'],
    ['an object as a property', { cluster_configuration: { custom_properties: { a: {} } } }, 'REASON_INVALID_INPUT'],
    ['an unknown field', { colour: 'red' }, 'REASON_INVALID_INPUT'],
    ['another connection', { connection_type: 'CONNECTION_TYPE_PIGEON' }, 'REASON_INVALID_INPUT'],
    ["another provider's link", { aws_private_link: { enabled: true } }, 'REASON_INVALID_INPUT'],
  ])('%s is refused', async (_, part, reason) => {
    const { groupId, networkId } = await readyNetwork(plane);
    const answer = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, part));
    expect(refusal(answer)).toEqual([400, 'INVALID_ARGUMENT', reason]);
    if (reason.endsWith('TIER_NOT_FOUND')) expect(fieldsOf(answer)).toEqual(['cluster.throughput_tier']);
  });

  test('all missing fields are reported together', async () => {
    const answer = await plane.api('POST', '/v1/clusters', { cluster: {} });
    expect(fieldsOf(answer).sort()).toEqual(
      ['cloud_provider', 'name', 'network_id', 'region', 'resource_group_id', 'throughput_tier', 'type', 'zones'].map(
        (field) => `cluster.${field}`,
      ),
    );
  });

  test('the offered tiers depend on region and cluster type', async () => {
    const tier = { throughput_tier: 'tier-5-gcp-v2-x86' };
    const small = { region: 'europe-west1', cluster_type: 'TYPE_DEDICATED' };
    const { groupId, networkId } = await readyNetwork(plane, small);
    const wanted = { ...tier, region: 'europe-west1', zones: ['europe-west1-b'], type: 'TYPE_DEDICATED' };
    expect(refusal(await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, wanted)))).toEqual([
      400,
      'INVALID_ARGUMENT',
      'REASON_THROUGHPUT_TIER_NOT_AVAILABLE_IN_REGION',
    ]);
  });

  test('a network that is not ready accepts no cluster', async () => {
    const groupId = await group();
    const { body } = await plane.api('POST', '/v1/networks', networkBody(groupId));
    const answer = await plane.api('POST', '/v1/clusters', clusterBody(groupId, body.operation.resource_id));
    expect(refusal(answer)).toEqual([400, 'FAILED_PRECONDITION', 'REASON_NETWORK_NOT_READY']);
  });

  test('a network holds one cluster, a name must be unique, and a network in use cannot be deleted', async () => {
    const { groupId, networkId } = await readyCluster(plane);
    const second = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, { name: 'second' }));
    expect(refusal(second)).toEqual([400, 'FAILED_PRECONDITION', 'REASON_ONLY_ONE_CLUSTER_PER_NETWORK_ALLOWED']);
    const same = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
    expect(same.status).toBe(409);
    const removal = await plane.api('DELETE', `/v1/networks/${networkId}`);
    expect(refusal(removal)).toEqual([400, 'FAILED_PRECONDITION', 'REASON_NETWORK_CONTAINS_CLUSTERS']);
  });

  test('null removes a property, an empty change is refused, and so is a change during deletion', async () => {
    const { clusterId } = await readyCluster(plane);
    const path = `/v1/clusters/${clusterId}`;
    const removal = { cluster_configuration: { custom_properties: { audit_enabled: null } } };
    expect((await plane.api('PATCH', path, removal)).status).toBe(202);
    await plane.advance(5_000);
    const { cluster } = (await plane.api('GET', path)).body;
    expect(cluster.cluster_configuration.custom_properties).toEqual({ iceberg_catalog_type: 'rest' });
    expect((await plane.api('PATCH', path, {})).status).toBe(400);
    expect((await plane.api('PATCH', path, { cluster: removal })).status).toBe(400);
    await plane.api('DELETE', path);
    expect(refusal(await plane.api('PATCH', path, removal))[1]).toBe('FAILED_PRECONDITION');
    expect(refusal(await plane.api('DELETE', path))[1]).toBe('FAILED_PRECONDITION');
  });

  test('a change of tier takes the cluster through STATE_UPGRADING', async () => {
    const { clusterId } = await readyCluster(plane);
    const path = `/v1/clusters/${clusterId}`;
    const { body } = await plane.api('PATCH', path, { throughput_tier: 'tier-2-gcp-v2-x86' });
    expect(body.operation.metadata.update_type).toEqual(['UPDATE_CLUSTER_TYPE_SCALING']);
    expect((await plane.api('GET', path)).body.cluster.state).toBe('STATE_UPGRADING');
    await plane.advance(5_000);
    expect((await plane.api('GET', path)).body.cluster).toMatchObject({
      state: 'STATE_READY',
      throughput_tier: 'tier-2-gcp-v2-x86',
    });
  });
});

describe('failing operations', () => {
  test('a planned failure ends the operation with its error, and the cluster becomes STATE_FAILED', async () => {
    const { groupId, networkId } = await readyNetwork(plane, { cluster_type: 'TYPE_DEDICATED' });
    plane.fail({ type: 'TYPE_CREATE_CLUSTER', reason: 'REASON_CLOUD_PROVIDER_STOCKOUT' });
    const body = clusterBody(groupId, networkId, { type: 'TYPE_DEDICATED' });
    const created = (await plane.api('POST', '/v1/clusters', body)).body.operation;
    await plane.advance(15_000);
    const { operation } = (await plane.api('GET', `/v1/operations/${created.id}`)).body;
    expect(operation).toMatchObject({
      state: 'STATE_FAILED',
      error: { code: 'RESOURCE_EXHAUSTED', details: [{ reason: 'REASON_CLOUD_PROVIDER_STOCKOUT' }] },
    });
    const { cluster } = (await plane.api('GET', `/v1/clusters/${created.resource_id}`)).body;
    expect(cluster).toMatchObject({ state: 'STATE_FAILED', state_description: { code: 'RESOURCE_EXHAUSTED' } });
    expect((await plane.api('DELETE', `/v1/clusters/${created.resource_id}`)).status).toBe(202);
  });

  test('a failed update leaves the cluster unchanged', async () => {
    const { clusterId } = await readyCluster(plane);
    plane.fail({ type: 'TYPE_UPDATE_CLUSTER' });
    const change = { cluster_configuration: { custom_properties: { audit_enabled: false } } };
    const { id } = (await plane.api('PATCH', `/v1/clusters/${clusterId}`, change)).body.operation;
    await plane.advance(5_000);
    expect((await plane.api('GET', `/v1/operations/${id}`)).body.operation.state).toBe('STATE_FAILED');
    const { cluster } = (await plane.api('GET', `/v1/clusters/${clusterId}`)).body;
    expect(cluster.state).toBe('STATE_READY');
    expect(cluster.cluster_configuration.custom_properties.audit_enabled).toBe(true);
  });
});
