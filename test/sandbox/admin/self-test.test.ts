import { expect, test } from 'vitest';
import { errorOf, type Json, startSimulator } from './simulator.ts';

const selfTest = '/v1/debug/self_test';
const tests = [
  { type: 'disk', name: '4KB sequential', request_size: 4096, parallelism: 2, duration_ms: 1_000, dsync: true },
  { type: 'disk', name: 'write only', skip_read: true, duration_ms: 1_000 },
  { type: 'network', name: 'net', request_size: 8192, parallelism: 10, duration_ms: 1_000 },
  { type: 'cloud', name: 'cloud', timeout_ms: 5_000, backoff_ms: 100 },
];

test('a self-test goes through its stages in time and leaves results on every node', async () => {
  const { ok, switches } = await startSimulator({ settings: { selfTestMs: 2_000 } });
  const stages = async () => (await ok(`GET ${selfTest}/status`, { node: 1 })).map((one: Json) => one.stage);
  const id = await ok(`POST ${selfTest}/start`, { node: 2, body: { tests } });
  expect(await stages()).toEqual(['disk', 'disk', 'disk']);
  await switches.advance(2_999); // two phases of the first test, one of the second
  expect(await stages()).toEqual(['disk', 'disk', 'disk']);
  await switches.advance(1);
  expect(await stages()).toEqual(['net', 'net', 'net']);
  await switches.advance(1_000);
  expect(await stages()).toEqual(['cloud', 'cloud', 'cloud']);
  await switches.advance(2_000);
  const [first] = await ok(`GET ${selfTest}/status`);
  expect(first).toMatchObject({ node_id: 0, status: 'idle', stage: 'idle' });
  const shown = first.results.map((one: Json) => [one.test_type, one.name, one.info, one.test_id === id]);
  expect(shown.slice(0, 5)).toEqual([
    ['disk', '4KB sequential', 'write run', true],
    ['disk', '4KB sequential', 'read run', true],
    ['disk', 'write only', 'write run', true],
    ['network', 'net', 'Test performed against node: 1', true],
    ['network', 'net', 'Test performed against node: 2', true],
  ]);
  expect(first.results[0]).toMatchObject({ duration: 1_000, timeouts: 0 });
  expect(first.results.at(-1)).toMatchObject({ p50: 0, rps: 0, warning: expect.stringContaining('object storage') });
});

test('only the chosen nodes take part; one that is down is unreachable', async () => {
  const { ok, switches } = await startSimulator();
  await switches.stopNode(2);
  await ok(`POST ${selfTest}/start`, { body: { tests: tests.slice(0, 1), nodes: [1] } });
  const statuses = (await ok(`GET ${selfTest}/status`)).map((one: Json) => one.status);
  expect(statuses).toEqual(['idle', 'running', 'unreachable']);
});

test('a self-test replaces the one that is running, and nodes that take no part lose their results', async () => {
  const { ok, switches } = await startSimulator();
  await ok(`POST ${selfTest}/start`, { body: { tests } });
  const id = await ok(`POST ${selfTest}/start`, { body: { nodes: [0] } });
  await switches.advance(60_000);
  const [first, second] = await ok(`GET ${selfTest}/status`);
  expect(first.results.map((one: Json) => [one.test_type, one.test_id])).toContainEqual(['cloud', id]);
  expect(second).not.toHaveProperty('results');
});

test('a self-test takes as long as the setting allows, whatever is asked for', async () => {
  const { ok, switches } = await startSimulator();
  await ok(`POST ${selfTest}/start`, { body: { tests: [{ type: 'disk', duration_ms: 60_000 }] } });
  await switches.advance(500);
  const [{ status, results }] = await ok(`GET ${selfTest}/status`);
  expect([status, results.map((one: Json) => one.duration)]).toEqual(['idle', [250, 250]]);
});

test('a self-test is stopped, also while a node cannot be reached', async () => {
  const { ok, switches } = await startSimulator();
  await ok(`POST ${selfTest}/start`, { body: { tests, nodes: [0, 1, 2] } });
  await switches.advance(100);
  await switches.stopNode(2);
  await ok(`POST ${selfTest}/stop`);
  const all = await ok(`GET ${selfTest}/status`);
  expect(all.map((one: Json) => one.status)).toEqual(['idle', 'idle', 'unreachable']);
  expect(all[0].results[0]).toMatchObject({ warning: 'the run was stopped', duration: 100, rps: expect.any(Number) });
  expect(all[0].results.at(-1)).toMatchObject({ warning: expect.stringContaining('not started'), duration: 0 });
  expect(all[0].results.every((one: Json) => one.error === undefined)).toBe(true);
  const ends = all[0].results.map((one: Json) => one.end_time);
  expect(ends.every((end: number) => end * 1_000 <= switches.now())).toBe(true);
});

test.each([
  [{ tests: [{ type: 'tape' }], nodes: [] }, /disk, network, cloud/],
  [{ tests: [{ type: 'disk', speed: 1 }], nodes: [] }, /speed/],
  [{ tests: [{ type: 'network', duration_ms: 'x' }], nodes: [] }, /duration_ms/],
  [{ tests, nodes: [9] }, /broker 9/, 503],
  [{ tests, nodes: [] }, /no brokers/, 503],
])('a self-test cannot be started with %j', async (body, message, status = 400) => {
  const { call } = await startSimulator();
  expect(await call(`POST ${selfTest}/start`, { body })).toMatchObject(errorOf(status, message));
});
