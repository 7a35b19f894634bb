import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/sandbox/admin/settings.ts';
import { startAt, startSimulator } from './simulator.ts';

const controls = [
  ...['GET /sim/journal', 'DELETE /sim/journal', 'POST /sim/faults', 'DELETE /sim/faults', 'POST /sim/clock'],
  ...['POST /sim/settings', 'POST /sim/controller', 'POST /sim/nodes/1/stop', 'POST /sim/nodes/1/start'],
  'POST /sim/nodes/1/restart',
];

test('a simulator that is not started for tests has no controls, but tells that it listens', async () => {
  const { call } = await startSimulator();
  for (const line of controls) {
    const { status } = await call(line, line.startsWith('POST') ? { body: {} } : {});
    expect([line, status]).toEqual([line, 404]);
  }
  expect(await call('GET /sim/health', { node: 2 })).toMatchObject({ status: 200, body: { ready: true } });
});

test('the controls do over HTTP what the switches do, and are not in the journal', async () => {
  const { call, ok } = await startSimulator({ testControls: true, clockRate: 1 });
  await ok('POST /sim/faults', { body: { route: 'brokers.list', effect: { kind: 'status', status: 503 } } });
  expect((await call('GET /v1/brokers')).status).toBe(503);
  expect((await call('POST /sim/faults', { body: { route: 'brokers.list' } })).status).toBe(400);
  await ok('POST /sim/faults', { body: { route: '*', times: null, effect: { kind: 'status', status: 500 } } });
  await ok('DELETE /sim/faults');
  await ok('POST /sim/clock', { body: { rate: 0 } });
  const { now } = await ok('POST /sim/clock', { body: {} });
  expect(now).toBeGreaterThanOrEqual(startAt);
  expect(await ok('POST /sim/clock', { body: { advance_ms: 5_000 } })).toEqual({ now: now + 5_000 });
  await ok('POST /sim/controller', { body: { to: 2, election_ms: 0 } });
  await ok('POST /sim/nodes/1/stop');
  await expect(call('GET /v1/brokers', { node: 1 })).rejects.toThrow();
  expect(await ok('GET /v1/cluster/health_overview')).toMatchObject({ controller_id: 2, nodes_down: [1] });
  await ok('POST /sim/nodes/1/start');
  await ok('POST /sim/nodes/1/restart');
  await ok('POST /sim/settings', { body: { unknownKeyStatus: 404 } });
  expect((await call('GET /v1/cluster_config?key=x', { node: 1 })).status).toBe(404);
  const { entries } = await ok('GET /sim/journal');
  expect(entries.map((entry: { path: string }) => entry.path)).toEqual([
    '/v1/brokers',
    '/v1/cluster/health_overview',
    '/v1/cluster_config?key=x',
  ]);
  expect((await ok('GET /sim/journal?node=1')).entries).toHaveLength(1);
  await ok('DELETE /sim/journal');
  expect((await ok('GET /sim/journal')).entries).toEqual([]);
});

test('every control refuses what it cannot do', async () => {
  const { call } = await startSimulator({ testControls: true });
  for (const [line, body] of [
    ['POST /sim/settings', { nothing: 1 }],
    ['POST /sim/settings', { electionMs: 'x' }],
    ['POST /sim/settings', []],
    ['POST /sim/clock', { advance_ms: -1 }],
    ['POST /sim/nodes/9/stop', {}],
  ] as const)
    expect([line, (await call(line, { body })).status]).toEqual([line, 400]);
});

test('each request can take virtual time, and all settings have defaults', async () => {
  const { ok, switches } = await startSimulator({ settings: { perRequestMs: 250 } });
  await ok('GET /v1/brokers');
  await ok('GET /v1/brokers');
  expect(switches.now()).toBe(startAt + 500);
  expect(() => switches.changeSettings(defaultSettings)).not.toThrow();
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
