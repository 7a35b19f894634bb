import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { admin, networkBody, type Plane, readyCluster, readyNetwork, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const list = () => plane.api('GET', '/v1/resource-groups');
const create = () => plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
const names = async () => (await list()).body.resource_groups.map((group: { name: string }) => group.name);

describe('faults', () => {
  test('a status fault applies the given number of times, with its headers, and changes nothing', async () => {
    await plane.fault(
      'resource-groups.create',
      { kind: 'status', status: 503, headers: { 'retry-after': '2' } },
      { times: 2 },
    );
    const first = await create();
    expect(first).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(first.headers.get('retry-after')).toBe('2');
    expect((await create()).status).toBe(503);
    expect(await names()).toEqual([]);
    expect((await create()).status).toBe(201);
  });

  test('a fault can start after some calls, for example a 404 while a client is polling', async () => {
    const { clusterId } = await readyCluster(plane);
    await plane.fault('GET /v1/clusters/{id}', { kind: 'status', status: 404 }, { skip: 2 });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await plane.api('GET', `/v1/clusters/${clusterId}`)).status);
    expect(statuses).toEqual([200, 200, 404, 200]);
  });

  test('a connection can be dropped before the change is made or after it', async () => {
    await plane.api('GET', '/v1/clusters');
    await plane.fault('resource-groups.create', { kind: 'drop', when: 'before' });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await names()).toEqual([]);
    await plane.fault('resource-groups.create', { kind: 'drop', when: 'after' });
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await names()).toEqual(['dev']);
  });

  test('an operation whose response was lost is in the list of operations', async () => {
    const group = (await create()).body.resource_group.id;
    await plane.fault('networks.create', { kind: 'drop', when: 'after' });
    await expect(plane.api('POST', '/v1/networks', networkBody(group))).rejects.toThrow();
    const { operations } = (await plane.api('GET', '/v1/operations?filter.type_in=TYPE_CREATE_NETWORK')).body;
    expect(operations).toHaveLength(1);
    expect((await plane.api('POST', '/v1/networks', networkBody(group))).status).toBe(409);
  });

  test('a truncated body ends early', async () => {
    await list();
    await plane.fault('resource-groups.list', { kind: 'truncate', bytes: 5 });
    await expect(list()).rejects.toThrow('terminated');
  });

  test('a slow body and a delayed response arrive completely', async () => {
    await plane.fault('resource-groups.list', { kind: 'slow', bytes: 10, everyMs: 1 });
    await plane.fault('resource-groups.list', { kind: 'delay', ms: 20 });
    expect((await list()).body).toEqual({ resource_groups: [], next_page_token: '' });
    expect((await plane.journal('?route=resource-groups.list'))[0]?.faults).toEqual(['slow', 'delay']);
  });

  test('a delayed request is handled as soon as its client has gone', async () => {
    const token = await plane.tokenOf(admin);
    await plane.fault('resource-groups.create', { kind: 'delay', ms: 3_600_000 });
    const leave = new AbortController();
    const asked = fetch(`${plane.url}/v1/resource-groups`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, signal: leave.signal },
      body: JSON.stringify({ resource_group: { name: 'dev' } }),
    });
    const left = expect(asked).rejects.toThrow('left');
    await expect.poll(async () => (await plane.sim('GET', '/sim/faults')).faults).toEqual([]);
    expect(await names()).toEqual([]);
    leave.abort(new Error('left'));
    await left;
    await expect.poll(names).toEqual(['dev']);
  });

  test('a simulator that stops during a slow body cuts the connection', async () => {
    const other = await startPlane();
    await other.api('GET', '/v1/clusters');
    await other.fault('resource-groups.list', { kind: 'slow', bytes: 1, everyMs: 3_600_000 });
    const token = await other.tokenOf(admin);
    const response = await fetch(`${other.url}/v1/resource-groups`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    const body = expect(response.text()).rejects.toThrow('terminated');
    await other.stop();
    await body;
  });

  test('a fault on every route lasts until it is cleared and does not affect control calls', async () => {
    await plane.fault('*', { kind: 'status', status: 500 }, { times: null });
    expect([(await create()).status, (await list()).status]).toEqual([500, 500]);
    await plane.sim('DELETE', '/sim/faults');
    expect((await plane.sim('GET', '/sim/faults')).faults).toEqual([]);
    await plane.reset();
    expect((await list()).status).toBe(200);
  });

  test('a token request can fail with a given body', async () => {
    await plane.fault('oauth.token', { kind: 'status', status: 403, body: { error: 'slow_down' } });
    expect(await plane.call('POST', '/oauth/token', { body: {} })).toMatchObject({
      status: 403,
      body: { error: 'slow_down' },
    });
    await plane.fault('oauth.token', { kind: 'status', status: 500 });
    expect((await plane.call('POST', '/oauth/token', { body: {} })).body.error).toBe('server_error');
  });

  test.each([
    [{ route: 'nowhere', effect: { kind: 'garbage' } }, 'route'],
    [{ route: '*', effect: { kind: 'explode' } }, 'effect.kind'],
    [{ route: '*', effect: { kind: 'status' } }, 'effect.status'],
    [{ route: '*', effect: { kind: 'delay', ms: 'long' } }, 'effect.ms'],
    [{ route: '*', effect: { kind: 'drop', when: 'before', why: 1 } }, 'effect.why'],
    [{ route: '*', times: 0, effect: { kind: 'garbage' } }, 'times'],
  ])('a fault that could never occur is refused: %j', async (fault, field) => {
    const answer = await plane.call('POST', '/sim/faults', { body: fault });
    expect(answer.status).toBe(400);
    expect(answer.body.details[1].field_violations.map((one: { field: string }) => one.field)).toContain(field);
  });
});

describe('switches', () => {
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

  test('unknown fields are refused, or silently ignored when not strict', async () => {
    const body = { resource_group: { name: 'dev', colour: 'red' } };
    expect((await plane.api('POST', '/v1/resource-groups', body)).status).toBe(400);
    await plane.settings({ strict: false });
    expect((await plane.api('POST', '/v1/resource-groups', body)).status).toBe(201);
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

  test('an unknown setting is refused', async () => {
    for (const body of [{ colour: 'red' }, { pageSize: '2' }, { durations: { lunchMs: 1 } }])
      expect((await plane.call('PATCH', '/sim/settings', { body })).status).toBe(400);
  });
});

describe('the journal', () => {
  test('records the caller, route and result of each request, but no secrets and no control calls', async () => {
    await list();
    await plane.call('GET', '/v1/networks?page_size=3&client_secret=sesame');
    await plane.sim('GET', '/sim/state');
    const entries = await plane.journal();
    expect(entries.map(({ route, status, authorization }) => [route, status, authorization])).toEqual([
      ['oauth.token', 200, false],
      ['resource-groups.list', 200, true],
      ['networks.list', 401, false],
    ]);
    expect(entries[1]).toMatchObject({ client_id: 'ci-admin', token_id: expect.stringMatching(/^[0-9a-v]{20}$/) });
    expect(entries[2]?.query).toEqual({ page_size: ['3'], client_secret: ['(hidden)'] });
    const everything = JSON.stringify([entries, await plane.sim('GET', '/sim/state')]);
    for (const secret of ['sesame', 'admin-secret', 'eyJ']) expect(everything).not.toContain(secret);
  });

  test('shows the bodies of API calls and can be filtered and cleared', async () => {
    await create();
    expect((await plane.journal('?method=POST&path=/v1/resource-groups'))[0]).toMatchObject({
      number: 2,
      content_type: 'application/json',
      body: { resource_group: { name: 'dev' } },
    });
    await plane.sim('DELETE', '/sim/journal');
    expect(await plane.journal()).toEqual([]);
  });
});

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
