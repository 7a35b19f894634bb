import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { admin, networkBody, type Plane, readyCluster, startPlane } from '../cloud/plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const list = () => plane.api('GET', '/v1/resource-groups');
const create = () => plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
const names = async () => (await list()).body.resource_groups.map((group: { name: string }) => group.name);

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
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
    body: JSON.stringify({ resource_group: { name: 'dev' } }),
  });
  const left = expect(asked).rejects.toThrow('left');
  await expect.poll(async () => plane.faults()).toEqual([]);
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

test('a fault on every route lasts until it is cleared and does not affect what the sandbox asks', async () => {
  await plane.fault('*', { kind: 'status', status: 500 }, { times: null });
  expect([(await create()).status, (await list()).status]).toEqual([500, 500]);
  expect((await plane.call('GET', '/sim/health')).status).toBe(200);
  plane.clearFaults();
  expect(plane.faults()).toEqual([]);
  await plane.reset(); // the fault has refused the token as well
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

test('a fault that could never occur is refused', async () => {
  await expect(plane.fault('nowhere', { kind: 'garbage' })).rejects.toThrow('nowhere');
  await expect(plane.fault('*', { kind: 'garbage' }, { times: 0 })).rejects.toThrow('no request');
});

test.each([
  [404, 'NOT_FOUND'],
  [418, 'UNKNOWN'],
])('the status %d has its code', async (status, code) => {
  await plane.fault('clusters.list', { kind: 'status', status });
  expect(await plane.api('GET', '/v1/clusters')).toMatchObject({ status, body: { code } });
});
