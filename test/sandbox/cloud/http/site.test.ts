import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkBody, type Plane, readyCluster, readyNetwork, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const list = () => plane.api('GET', '/v1/resource-groups');
const create = () => plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });

describe('requests without a matching route', () => {
  test.each([
    ['GET', '/v1/nothing', 404, 'NOT_FOUND'],
    ['GET', '/v1/clusters/a/b', 404, 'NOT_FOUND'],
    ['GET', '/v1/clusters/%E0%A4%A', 404, 'NOT_FOUND'],
    ['DELETE', '/v1/clusters', 501, 'UNIMPLEMENTED'],
  ])('%s %s is %d', async (method, path, status, code) => {
    expect(await plane.api(method, path)).toMatchObject({ status, body: { code } });
  });

  test('a body that is not JSON or too long is 400', async () => {
    const token = await plane.tokenOf({ clientId: 'ci-admin', clientSecret: 'admin-secret' });
    const headers = { authorization: `Bearer ${token}` };
    for (const body of ['{"a":', 'x'.repeat(1_100_000)]) {
      const response = await fetch(`${plane.url}/v1/clusters`, { method: 'POST', headers, body });
      expect(response.status).toBe(400);
    }
  });
});

describe('requests', () => {
  test('unknown fields are refused', async () => {
    const body = { resource_group: { name: 'dev', colour: 'red' } };
    expect((await plane.api('POST', '/v1/resource-groups', body)).status).toBe(400);
  });

  test('each request can advance the clock', async () => {
    const group = (await create()).body.resource_group.id;
    const { operation } = (await plane.api('POST', '/v1/networks', networkBody(group))).body;
    await plane.settings({ perRequestMs: 2_000 });
    const states: string[] = [];
    for (let at = 0; at < 3; at++)
      states.push((await plane.api('GET', `/v1/operations/${operation.id}`)).body.operation.state);
    expect(states).toEqual(['STATE_IN_PROGRESS', 'STATE_IN_PROGRESS', 'STATE_COMPLETED']);
  });
});

describe('the spelling', () => {
  test('operation states are available in both spellings', async () => {
    await readyNetwork(plane);
    await plane.settings({ operationStates: 'bare' });
    expect((await plane.api('GET', '/v1/operations')).body.operations[0].state).toBe('COMPLETED');
  });

  test('error codes are available as names or numbers', async () => {
    await plane.settings({ errorCodes: 'number' });
    expect((await plane.api('GET', '/v1/clusters/x')).body).toMatchObject({ code: 5, details: [] });
  });

  test('enum values can be replaced by values that no client knows', async () => {
    const { clusterId } = await readyCluster(plane);
    await plane.settings({ enums: { STATE_READY: 'STATE_BASKING', TYPE_BYOC: 'TYPE_ORBITAL' } });
    expect((await plane.api('GET', `/v1/clusters/${clusterId}`)).body.cluster).toMatchObject({
      state: 'STATE_BASKING',
      type: 'TYPE_ORBITAL',
    });
  });

  test.each([
    ['seconds', '2026-01-02T03:04:05Z'],
    ['nanoseconds', '2026-01-02T03:04:05.678000000Z'],
    ['object', { seconds: 1_767_323_045, nanos: 678_000_000 }],
    ['null', null],
  ] as const)('times are available as %s', async (timestamps, expected) => {
    const other = await startPlane({ startAt: Date.parse('2026-01-02T03:04:05.678Z'), settings: { timestamps } });
    const answer = await other.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
    expect(answer.body.resource_group.created_at).toEqual(expected);
    await other.stop();
  });

  test('type URLs are available with and without a prefix', async () => {
    await plane.settings({ typeUrls: 'bare' });
    expect((await plane.call('GET', '/v1/clusters')).body.details[0]['@type']).toBe('google.rpc.ErrorInfo');
  });
});

describe('the journal', () => {
  test('records the caller, route and result of each request', async () => {
    await list();
    await plane.call('GET', '/v1/networks?page_size=3&client_secret=sesame');
    await plane.call('GET', '/sim/health');
    const entries = await plane.journal();
    expect(entries.map(({ route, status, authorization }) => [route, status, authorization])).toEqual([
      ['oauth.token', 200, false],
      ['resource-groups.list', 200, true],
      ['networks.list', 401, false],
    ]);
    expect(entries[1]).toMatchObject({ client_id: 'ci-admin', token_id: expect.stringMatching(/^[0-9a-v]{20}$/) });
    expect(entries[2]?.query).toEqual({ page_size: ['3'], client_secret: ['sesame'] });
  });

  test('shows the bodies of API calls and can be filtered and cleared', async () => {
    await create();
    expect((await plane.journal('?method=POST&path=/v1/resource-groups'))[0]).toMatchObject({
      number: 2,
      content_type: 'application/json',
      body: { resource_group: { name: 'dev' } },
    });
    plane.clearJournal();
    expect(await plane.journal()).toEqual([]);
  });
});
