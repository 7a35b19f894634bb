import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopeTypes } from '../../../src/sandbox/cloud/resources/enums.ts';
import { type Answer, admin, clusterBody, type Plane, readyCluster, readyNetwork, startPlane } from './plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

/** The invalid fields of a refused request, each with its description. */
const violations = ({ body }: Answer): readonly string[] =>
  body.details
    .flatMap(({ field_violations: list = [] }) => list)
    .map(({ field, description }: { field: string; description: string }) => `${field}: ${description}`);

describe('the authorization server', () => {
  const pair = { grant_type: 'client_credentials', client_id: admin.clientId, client_secret: admin.clientSecret };

  test.each<[string, object]>([
    ['client_id', { ...pair, client_id: undefined }],
    ['client_id', { ...pair, client_id: '' }],
    ['client_id', { ...pair, client_id: 5 }],
    ['client_secret', { ...pair, client_secret: '' }],
    ['client_secret', { ...pair, client_secret: 5 }],
  ])('requires %s: %j', async (name, body) => {
    expect(await plane.call('POST', '/oauth/token', { body })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `${name} is required` },
    });
  });

  test('tells how many seconds are left until midnight once the tokens of the day are used up', async () => {
    await plane.settings({ tokensPerDay: 1 });
    const ask = () => plane.call('POST', '/oauth/token', { body: pair });
    await ask();
    const header = (await ask()).headers.get('auth0-organization-quota-limit') ?? '';
    const left = Number(/t=(\d+)$/.exec(header)?.[1]);
    await plane.advance((left - 2) * 1000);
    expect((await ask()).status).toBe(429);
    await plane.advance(2_000);
    expect((await ask()).status).toBe(200);
    expect(left).toBeLessThanOrEqual(86_400);
  });

  test('starts a device login for its own audience only, and lets no other client use it', async () => {
    const client_id = 'sandbox-device';
    const begin = (body: object) => plane.call('POST', '/oauth/device/code', { body });
    expect(await begin({ client_id, audience: 'other' })).toMatchObject({
      status: 403,
      body: { error: 'access_denied' },
    });
    const { device_code } = (await begin({ client_id, audience: 'cloudv2-sandbox.example' })).body;
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const poll = (id: string) =>
      plane.call('POST', '/oauth/token', { body: { grant_type, device_code, client_id: id } });
    expect((await poll('another')).body.error).toBe('invalid_grant');
    expect((await poll(client_id)).body.error).toBe('authorization_pending');
  });

  test('decides a device login once, for a user that exists, whatever the case of its code', async () => {
    const { user_code: code } = (
      await plane.call('POST', '/oauth/device/code', { body: { client_id: 'sandbox-device' } })
    ).body;
    const decide = (what: string, body: object = {}) => plane.call('POST', `/sim/device/${what}`, { body });
    expect((await decide('AAAA-AAAA/approve')).status).toBe(404);
    expect((await decide(`${code}/approve`, { email: 'nobody@cloud.example' })).status).toBe(404);
    expect((await decide(`${code.toLowerCase()}/approve`)).status).toBe(200);
    for (const verb of ['approve', 'deny'])
      expect(await decide(`${code}/${verb}`)).toMatchObject({ status: 400, body: { code: 'FAILED_PRECONDITION' } });
  });
});

describe('a cluster', () => {
  const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`tag-${at}`, 'x']));

  test.each<[string, object, readonly string[]]>([
    [
      'an unknown part of its configuration',
      { cluster_configuration: { custom_properties: {}, colour: 'red' } },
      ['cluster.cluster_configuration.colour: unknown field'],
    ],
    ['17 tags', { cloud_provider_tags: tags(17) }, ['cluster.cloud_provider_tags: must have at most 16 entries']],
    [
      'a link of Azure',
      { azure_private_link: {} },
      ['cluster.azure_private_link: is only allowed with CLOUD_PROVIDER_AZURE'],
    ],
    ['a wrong version', { redpanda_version: '25' }, ['cluster.redpanda_version: must be major.minor']],
  ])('with %s is refused', async (_, part, expected) => {
    const { groupId, networkId } = await readyNetwork(plane);
    const answer = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, part));
    expect([answer.status, violations(answer)]).toEqual([400, expected]);
  });

  test('may have 16 tags and the link of its own provider', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    const part = { cloud_provider_tags: tags(16), gcp_private_service_connect: { enabled: true } };
    const answer = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId, part));
    expect(answer.status).toBe(202);
  });

  test('belongs to the resource group of its network', async () => {
    const { networkId } = await readyNetwork(plane);
    const other = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'other' } });
    const body = clusterBody(other.body.resource_group.id, networkId);
    const answer = await plane.api('POST', '/v1/clusters', body);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ reason: 'REASON_INVALID_INPUT' }, {}] } });
    expect(violations(answer).join()).toMatch(/^cluster\.resource_group_id: must be that of the network: /);
  });

  test('cannot take the name of another one, but keeps its own', async () => {
    const { groupId, clusterId } = await readyCluster(plane);
    const network = { name: 'two', cidr_block: '10.1.0.0/20', cluster_type: 'TYPE_DEDICATED' };
    const body = {
      cloud_provider: 'CLOUD_PROVIDER_GCP',
      region: 'us-central1',
      resource_group_id: groupId,
      ...network,
    };
    const { resource_id: networkId } = (await plane.api('POST', '/v1/networks', { network: body })).body.operation;
    await plane.advance(5_000);
    const second = clusterBody(groupId, networkId, { name: 'second', type: 'TYPE_DEDICATED' });
    expect((await plane.api('POST', '/v1/clusters', second)).status).toBe(202);
    const rename = (name: string) => plane.api('PATCH', `/v1/clusters/${clusterId}`, { name });
    expect(await rename('second')).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
    expect((await rename('first')).status).toBe(202);
  });
});

describe('a role binding', () => {
  const binding = { role_name: 'Reader', account_id: 'a', scope: { resource_id: 'r' } };

  test.each<[object, readonly string[]]>([
    [{ ...binding, scope: {} }, ['scope.resource_id: is required']],
    [{ ...binding, scope: undefined }, ['scope.resource_id: is required']],
    [{ ...binding, scope: { resource_id: 'r', colour: 'red' } }, ['scope.colour: unknown field']],
    [
      { ...binding, scope: { resource_id: 'r', resource_type: 'X' } },
      [`scope.resource_type: unknown value "X", not one of ${scopeTypes.join(', ')}`],
    ],
    [{ ...binding, colour: 'red' }, ['colour: unknown field']],
    [{ ...binding, account_id: '' }, ['account_id: is required']],
  ])('%j is refused', async (body, expected) => {
    const answer = await plane.api('POST', '/v1/role-bindings', body);
    expect([answer.status, violations(answer)]).toEqual([400, expected]);
  });
});

test.each(['/artifacts/1.0/byoc-linux-amd64.x.tar.gz', '/artifacts/25.2.20250822/other.x.tar.gz'])(
  'there is no file %s',
  async (path) => {
    expect((await plane.call('GET', path)).status).toBe(404);
  },
);

test('a list of regions takes the filter for cluster types, and no other', async () => {
  const list = (query: string) => plane.api('GET', `/v1/regions/CLOUD_PROVIDER_AZURE?${query}`);
  expect((await list('filter.cluster_type=TYPE_BYOC')).body.regions).toHaveLength(2);
  expect((await list('filter.cluster_type=TYPE_OTHER')).status).toBe(400);
  expect((await list('filter.colour=red')).status).toBe(400);
});
