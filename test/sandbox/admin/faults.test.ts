import { expect, test } from 'vitest';
import type { Effect } from '../../../src/sandbox/admin/http/faults.ts';
import { issue, makeAuthority } from '../../../src/sandbox/certificates.ts';
import { errorOf, startSimulator } from './simulator.ts';

test.each([500, 503, 504, 429, 401, 404])('the status %d is answered once instead of the real one', async (status) => {
  const { call, switches } = await startSimulator();
  switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status, message: 'broken' } });
  expect(await call('GET /v1/brokers')).toMatchObject(errorOf(status, 'broken'));
  expect((await call('GET /v1/brokers')).status).toBe(200);
});

test('a fault waits for its node, its route and its turn', async () => {
  const { call, switches } = await startSimulator();
  switches.addFault({
    ...{ route: 'GET /v1/brokers/{id}', node: 1, skip: 1, times: 2 },
    effect: { kind: 'status', status: 503 },
  });
  const statuses = [];
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await call('GET /v1/brokers/0')).status).toBe(200);
    expect((await call('GET /v1/brokers', { node: 1 })).status).toBe(200);
    statuses.push((await call('GET /v1/brokers/0', { node: 1 })).status);
  }
  expect(statuses).toEqual([200, 503, 503, 200, 200]);
  switches.addFault({ route: '*', times: null, effect: { kind: 'status', status: 500 } });
  expect((await call('GET /v1/nothing')).status).toBe(500);
  switches.clearFaults();
  expect((await call('GET /v1/brokers')).status).toBe(200);
});

test('a page of HTML, a redirect elsewhere, a cut and garbage come as they were ordered', async () => {
  const { call, switches } = await startSimulator();
  const order = (effect: Effect) => switches.addFault({ route: 'brokers.list', effect });
  order({ kind: 'status', status: 502, text: '<html>', headers: { 'content-type': 'text/html' } });
  expect(await call('GET /v1/brokers')).toMatchObject({ status: 502, body: '<html>' });
  order({ kind: 'redirect', to: 'http://foreign.example:9644' });
  const redirect = await call('GET /v1/brokers?a=1');
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    307,
    'http://foreign.example:9644/v1/brokers?a=1',
  ]);
  for (const effect of [
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'after' },
    { kind: 'truncate', bytes: 10 },
  ] as const) {
    order(effect);
    await expect(call('GET /v1/brokers')).rejects.toThrow();
  }
  order({ kind: 'garbage' });
  await expect(call('GET /v1/brokers')).rejects.toThrow('JSON');
});

test('a connection that is cut before does nothing, and one that is cut after does it', async () => {
  const { call, ok, switches } = await startSimulator();
  for (const [when, member] of [
    ['before', 'active'],
    ['after', 'draining'],
  ] as const) {
    switches.addFault({ route: 'brokers.decommission', effect: { kind: 'drop', when } });
    await expect(call('PUT /v1/brokers/2/decommission')).rejects.toThrow();
    expect((await ok('GET /v1/brokers/2')).membership_status).toBe(member);
  }
});

test('the leader can be lost in the middle of a command', async () => {
  const { call, switches } = await startSimulator();
  switches.addFault({ route: 'users.create', effect: { kind: 'move-controller', electionMs: 1_000 } });
  const body = { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' };
  expect((await call('POST /v1/security/users', { body })).status).toBe(503);
  await switches.advance(1_000);
  expect((await call('POST /v1/security/users', { body })).status).toBe(307);
});

test.each([
  [{ route: 'nothing', effect: { kind: 'garbage' } }, /route/],
  [{ route: '*', effect: { kind: 'other' } }, /kind/],
  [{ route: '*', effect: { kind: 'status' } }, /status/],
  [{ route: '*', effect: { kind: 'garbage', more: 1 } }, /more/],
  [{ route: '*', times: 0, effect: { kind: 'garbage' } }, /times/],
  [{ route: '*', node: 'x', effect: { kind: 'garbage' } }, /node/],
  [{ route: '*', skip: -1, effect: { kind: 'garbage' } }, /skip/],
  [{ route: '*', other: 1, effect: { kind: 'garbage' } }, /other/],
])('the fault %j can never occur and is refused', async (fault, problem) => {
  const { switches } = await startSimulator();
  expect(() => switches.addFault(fault as never)).toThrow(problem);
});

test('a stopped node refuses connections, is reported by the others, and comes back', async () => {
  const { call, ok, switches } = await startSimulator();
  await switches.stopNode(2);
  await expect(call('GET /v1/brokers', { node: 2 })).rejects.toThrow('fetch failed');
  const brokers = await ok('GET /v1/brokers');
  expect(brokers.map((one: { is_alive: boolean }) => one.is_alive)).toEqual([true, true, false]);
  expect(brokers[2].version).toBeUndefined();
  await switches.startNode(2);
  expect((await call('GET /v1/brokers', { node: 2 })).status).toBe(200);
});

test('the journal tells what every node was asked and which credentials came, but no secret', async () => {
  const { call, switches } = await startSimulator({ seeds: { users: [{ name: 'root', password: 'root-secret' }] } });
  await call('GET /v1/brokers', { auth: 'root:root-secret' });
  await call('GET /v1/brokers?x=1', { node: 1, auth: 'root:wrong-secret' });
  await call('POST /v1/security/users', {
    ...{ node: 2, body: { username: 'ada', password: 'new-secret', algorithm: 'SCRAM-SHA-256' } },
  });
  expect(switches.journal()).toMatchObject([
    { number: 1, node: 0, method: 'GET', path: '/v1/brokers', credentials: 'basic', user: 'root', status: 200 },
    { number: 2, node: 1, path: '/v1/brokers?x=1', route: 'brokers.list', credentials: 'basic', user: null },
    { node: 2, credentials: 'none', status: 307, location: expect.stringContaining('127.0.0.1'), bodyBytes: 70 },
  ]);
  expect(JSON.stringify(switches.journal())).not.toContain('secret');
  expect(switches.journal(1)).toHaveLength(1);
  switches.clearJournal();
  expect(switches.journal()).toEqual([]);
});

test('with a certificate it serves HTTPS only, and redirects to HTTPS', async () => {
  const now = Date.now();
  const authority = await makeAuthority('elsewhere', now);
  const tls = await issue(authority, { name: 'other.example', use: 'server', hosts: ['other.example'] }, now);
  const { api, call } = await startSimulator({ tls });
  expect(api.addresses[0]).toBe(`https://127.0.0.1:${api.port}`);
  await expect(call('GET /v1/brokers')).rejects.toThrow('fetch failed'); // nobody signed the certificate
  await expect(call(`GET http://127.0.0.1:${api.port}/v1/brokers`)).rejects.toThrow('fetch failed');
});
