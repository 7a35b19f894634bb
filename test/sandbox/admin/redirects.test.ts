import { expect, test } from 'vitest';
import { fixedView } from './fixed-view.ts';
import { errorOf, startSimulator } from './simulator.ts';

const newUser = { username: 'ada', password: 'secret', algorithm: 'SCRAM-SHA-256' };

test('a node that does not lead redirects to the leader, on the port of the request', async () => {
  const { api, call, ok } = await startSimulator();
  const answer = await call('POST /v1/security/users?x=a%20b', { node: 1, body: newUser });
  expect(answer.status).toBe(307);
  expect(answer.body).toBeUndefined();
  expect(answer.headers.get('location')).toBe(`http://127.0.0.1:${api.port}/v1/security/users?x=a+b&redirect=1`);
  expect(answer.headers.get('retry-after')).toBeNull();
  expect(await ok('GET /v1/security/users')).toEqual([]);
  await ok('POST /v1/security/users', { node: 1, body: newUser });
  expect(await ok('GET /v1/security/users', { node: 2 })).toEqual(['ada']);
});

test('redirects are counted, and every second one asks for a pause', async () => {
  const { call } = await startSimulator();
  for (const [count, pause] of [
    [1, '1'],
    [2, null],
    [3, '1'],
  ] as const) {
    const answer = await call(`POST /v1/security/users?redirect=${count}`, { node: 1, body: newUser });
    expect(answer.headers.get('location')).toContain(`redirect=${count + 1}`);
    expect(answer.headers.get('retry-after')).toBe(pause);
  }
});

test('while the controller has no leader, what needs one is unavailable and what does not is answered', async () => {
  const { call, ok, switches } = await startSimulator();
  switches.moveController({ electionMs: 5_000 });
  for (const node of [0, 1, 2]) {
    expect(await call('POST /v1/security/users', { node, body: newUser })).toMatchObject(
      errorOf(503, /not have a leader/),
    );
    expect((await call('PUT /v1/brokers/2/maintenance', { node })).status).toBe(503);
    expect((await call('GET /v1/brokers', { node })).status).toBe(200);
  }
  expect(await ok('GET /v1/cluster/health_overview')).toMatchObject({
    is_healthy: false,
    controller_id: -1,
    unhealthy_reasons: expect.arrayContaining(['no_elected_controller']),
  });
  expect((await ok('GET /v1/partitions/redpanda/controller/0')).leader_id).toBe(-1);
  await switches.advance(4_999);
  expect((await call('POST /v1/security/users', { body: newUser })).status).toBe(503);
  await switches.advance(1);
  const moved = await call('POST /v1/security/users', { body: newUser });
  expect(moved.headers.get('location')).toContain('http://127.0.0.2:');
  expect((await ok('GET /v1/partitions/redpanda/controller/0')).leader_id).toBe(1);
});

test('a chosen node becomes the leader of the controller', async () => {
  const { ok, switches } = await startSimulator();
  switches.moveController({ to: 2, electionMs: 0 });
  expect((await ok('GET /v1/cluster/health_overview')).controller_id).toBe(2);
});

test('any node forwards to the leader what it can forward', async () => {
  const { call, ok } = await startSimulator();
  expect((await call('PUT /v1/brokers/2/decommission', { node: 1 })).status).toBe(200);
  const statuses = (await ok('GET /v1/brokers')).map((one: { membership_status: string }) => one.membership_status);
  expect(statuses).toEqual(['active', 'active', 'draining']);
});

test('a partition is answered for by its leader', async () => {
  const { call, ok } = await startSimulator();
  const path = '/v1/cloud_storage/status/orders/2';
  const answer = await call(`GET ${path}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([307, expect.stringContaining('127.0.0.3')]);
  expect(await ok(`GET ${path}`)).toMatchObject({ cloud_storage_mode: 'disabled' });
  expect((await call('GET /v1/cloud_storage/status/none/0')).status).toBe(503);
});

test('a client that knows a node by its Kafka address is redirected to that of the leader, others to the internal one', async () => {
  const brokers = [0, 1, 2].map((id) => ({
    id,
    rack: null,
    alive: true,
    rpcHost: `10.0.0.${id}`,
    listener: { host: `127.0.0.${id + 1}`, port: 9092 },
  }));
  const { api, call } = await startSimulator({ view: fixedView({ brokers }) });
  const path = '/v1/cloud_storage/status/orders/2';
  const hostOf = async (line: string) => new URL((await call(line)).headers.get('location') ?? '').hostname;
  expect(await hostOf(`GET ${path}`)).toBe('127.0.0.3');
  expect(await hostOf(`GET http://localhost:${api.port}${path}`)).toBe('10.0.0.2');
});

test('an unknown path and an unknown method are not found; a slash at the end does not matter', async () => {
  const { call, ok } = await startSimulator();
  expect(await call('GET /v1/nothing')).toMatchObject(errorOf(404, 'Not found'));
  expect((await call('DELETE /v1/brokers')).status).toBe(404);
  expect(await ok('GET /v1/partitions/reconfigurations/')).toEqual([]);
});
