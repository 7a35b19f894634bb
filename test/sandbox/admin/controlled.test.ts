import { expect, test } from 'vitest';
import { issue, makeAuthority } from '../../../src/sandbox/certificates.ts';
import type { Effect } from './controlled.ts';
import { errorOf, startAt, startSimulator } from './simulator.ts';

test.each([503, 404])('the status %d is answered once instead of the real one', async (status) => {
  const { call, switches } = await startSimulator();
  switches.addFault({ route: 'brokers.list', effect: { kind: 'status', status, message: 'broken' } });
  expect(await call('GET /v1/brokers')).toMatchObject(errorOf(status, 'broken'));
  expect((await call('GET /v1/brokers')).status).toBe(200);
});

test('a fault waits for its node, its route and its turn', async () => {
  const { call, switches } = await startSimulator();
  switches.addFault({
    route: 'GET /v1/brokers/{id}',
    node: 1,
    skip: 1,
    times: 2,
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

test('a page of HTML, a redirect elsewhere and garbage come as they were ordered', async () => {
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
  order({ kind: 'garbage' });
  await expect(call('GET /v1/brokers')).rejects.toThrow('JSON');
});

test('the leader can be lost in the middle of a command', async () => {
  const { call, switches } = await startSimulator();
  switches.addFault({ route: 'users.create', effect: { kind: 'move-controller', electionMs: 1_000 } });
  const body = { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' };
  expect((await call('POST /v1/security/users', { body })).status).toBe(503);
  await switches.advance(1_000);
  expect((await call('POST /v1/security/users', { body })).status).toBe(307);
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

test('the journal tells what every node was asked and which credentials came', async () => {
  const { call, switches } = await startSimulator({ seeds: { users: [{ name: 'root', password: 'root-secret' }] } });
  await call('GET /v1/brokers', { auth: 'root:root-secret' });
  await call('GET /v1/brokers?x=1', { node: 1, auth: 'root:wrong-secret' });
  await call('POST /v1/security/users', {
    node: 2,
    body: { username: 'ada', password: 'new-secret', algorithm: 'SCRAM-SHA-256' },
  });
  expect(switches.journal()).toMatchObject([
    { number: 1, node: 0, method: 'GET', path: '/v1/brokers', credentials: 'basic', user: 'root', status: 200 },
    { number: 2, node: 1, path: '/v1/brokers?x=1', route: 'brokers.list', credentials: 'basic', user: null },
    { node: 2, credentials: 'none', status: 307, location: expect.stringContaining('127.0.0.1'), bodyBytes: 70 },
  ]);
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

test('every node tells that it listens', async () => {
  const { call } = await startSimulator();
  expect(await call('GET /sim/health', { node: 2 })).toMatchObject({ status: 200, body: { ready: true } });
});

test('each request can take virtual time', async () => {
  const { ok, switches } = await startSimulator({ settings: { perRequestMs: 250 } });
  await ok('GET /v1/brokers');
  await ok('GET /v1/brokers');
  expect(switches.now()).toBe(startAt + 500);
});

test('a port that is taken is an error, and nothing keeps listening', async () => {
  const { api } = await startSimulator();
  await expect(startSimulator({ port: api.port })).rejects.toThrow('EADDRINUSE');
});

test('two simulators run side by side with their own states', async () => {
  const [one, two] = [await startSimulator(), await startSimulator()];
  await one.ok('PUT /v1/brokers/2/decommission');
  expect((await two.ok('GET /v1/brokers/2')).membership_status).toBe('active');
});
