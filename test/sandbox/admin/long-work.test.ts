import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { errorOf, type Json, sandboxTrial, startSimulator } from './simulator.ts';

const bundle = '/v1/debug/bundle';
const jobId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const bundleError = (status: number, code: number) => ({ status, body: { code, message: expect.any(String) } });

test('a bundle is collected in time, on the node that was asked, and can be loaded and deleted', async () => {
  const { call, ok, switches } = await startSimulator();
  const config = { metrics_samples: 2, authentication: { mechanism: 'SCRAM-SHA-256', username: 'a', password: 'b' } };
  expect(await ok(`POST ${bundle}`, { node: 1, body: { job_id: jobId, config } })).toEqual({ job_id: jobId });
  expect(await ok(`GET ${bundle}`, { node: 1 })).toMatchObject({ job_id: jobId, status: 'running' });
  expect(await call(`GET ${bundle}`)).toMatchObject(bundleError(409, 7));
  expect(await call(`GET ${bundle}/file/${jobId}.zip`, { node: 1 })).toMatchObject(bundleError(409, 1));
  await switches.advance(10_000);
  const { status, filename, file_size: size } = await ok(`GET ${bundle}`, { node: 1 });
  expect([status, filename]).toEqual(['success', `${jobId}.zip`]);
  const file = await call(`GET ${bundle}/file/${filename}`, { node: 1 });
  expect(file.headers.get('content-type')).toBe('application/zip');
  expect(file.bytes).toHaveLength(size);
  const again = await call(`GET ${bundle}/file/${filename}`, { node: 1 });
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sum(again.bytes)).toBe(sum(file.bytes));
});

test('the file is a ZIP with one entry, whose checksum is right', async () => {
  const { call, ok, switches } = await startSimulator();
  await ok(`POST ${bundle}`, { body: { job_id: jobId } });
  await switches.advance(10_000);
  const { bytes } = await call(`GET ${bundle}/file/${jobId}.zip`);
  const end = bytes.indexOf('PK\x05\x06');
  const central = bytes.readUInt32LE(end + 16);
  expect([bytes.readUInt16LE(end + 10), bytes.subarray(central, central + 4).toString()]).toEqual([1, 'PK\x01\x02']);
  expect(end - central).toBe(bytes.readUInt32LE(end + 12));
  const size = bytes.readUInt32LE(central + 24);
  const name = bytes.readUInt16LE(28 - 2);
  const content = bytes.subarray(30 + name, 30 + name + size);
  expect(JSON.parse(content.toString())).toMatchObject({ node_id: 0, job_id: jobId });
  expect(crc32(content)).toBe(bytes.readUInt32LE(central + 16));
});

test('a bundle is canceled, fails, or expires', async () => {
  const { call, ok, switches } = await startSimulator({ settings: { bundleLifetimeMs: 60_000 } });
  const start = () => ok(`POST ${bundle}`, { body: { job_id: jobId } });
  await start();
  expect(await call(`POST ${bundle}`, { body: { job_id: jobId } })).toMatchObject(bundleError(409, 1));
  expect(await call(`DELETE ${bundle}/${jobId.replace('3', '4')}`)).toMatchObject(bundleError(404, 6));
  expect((await call(`DELETE ${bundle}/${jobId}`)).status).toBe(204);
  expect(await ok(`GET ${bundle}`)).toMatchObject({ status: 'error', stderr: ['canceled'] });
  expect(await call(`DELETE ${bundle}/${jobId}`)).toMatchObject(bundleError(409, 2));
  expect(await call(`DELETE ${bundle}/${jobId.replace('3', '4')}`)).toMatchObject(bundleError(409, 2));
  switches.changeSettings({ bundleOutcome: 'error' });
  await start();
  await switches.advance(10_000);
  expect(await ok(`GET ${bundle}`)).toMatchObject({ status: 'error' });
  expect(await call(`GET ${bundle}/file/${jobId}.zip`)).toMatchObject(bundleError(500, 4));
  switches.changeSettings({ bundleOutcome: 'success' });
  await start();
  await switches.advance(10_000);
  expect(await call(`GET ${bundle}/file/other.zip`)).toMatchObject(bundleError(404, 6));
  await switches.advance(60_000);
  expect(await ok(`GET ${bundle}`)).toMatchObject({ job_id: jobId, status: 'expired' });
  expect(await call(`GET ${bundle}/file/${jobId}.zip`)).toMatchObject(bundleError(410, 9));
});

const config = (more: object) => ({ job_id: jobId, config: more });

test.each(['2026-01-31T00:00:00', '2026-01-31T00:00:00Z', 'yesterday', 'now'])(
  'logs are read since %s',
  async (time) => {
    const { ok } = await startSimulator();
    await ok(`POST ${bundle}`, { body: config({ logs_since: time }) });
  },
);

test.each([
  {},
  { job_id: 'x' },
  { job_id: jobId, more: 1 },
  config({ metrics_samples: '2' }),
  '{',
  ...['2026-01-31', '-6h', '2026-13-31T00:00:00'].map((time) => config({ logs_since: time })),
])('a bundle cannot be started with %j', async (body) => {
  const { call } = await startSimulator();
  expect(await call(`POST ${bundle}`, { body })).toMatchObject(bundleError(422, 3));
});

const stored = {
  seeds: {
    license: sandboxTrial,
    config: { cloud_storage_enabled: true, cloud_storage_bucket: 'sandbox' },
    mountable: [{ ns: 'kafka', topic: 'archive', location: 'archive/uuid/7', partitions: 2 }],
  },
};

test('a topic is unmounted in steps, can then be mounted under another name, and is there again', async () => {
  const { call, ok, switches } = await startSimulator(stored);
  const state = async (id: number) => (await ok(`GET /v1/migrations/${id}`)).state;
  const { id } = await ok('POST /v1/topics/unmount', { node: 2, body: { topics: [{ topic: 'orders' }] } });
  const states = [await state(id)];
  for (let step = 0; step < 6; step += 1) {
    await switches.advance(1_000);
    states.push(await state(id));
  }
  expect(states).toEqual(['planned', 'preparing', 'prepared', 'executing', 'executed', 'cut_over', 'finished']);
  expect((await call('GET /v1/partitions/kafka/orders')).status).toBe(404);
  const { topics } = await ok('GET /v1/topics/mountable');
  expect(topics.map((one: Json) => one.topic)).toEqual(['archive', 'orders']);
  const alias = { topic: 'orders-2', ns: 'kafka' };
  const mounted = await ok('POST /v1/topics/mount', {
    body: { topics: [{ source_topic_reference: { topic: 'orders', ns: 'kafka' }, alias }] },
  });
  await switches.advance(6_000);
  expect(await ok(`GET /v1/migrations/${mounted.id}`)).toMatchObject({
    state: 'finished',
    migration: { migration_type: 'inbound', topics: [{ alias }] },
  });
  expect(await ok('GET /v1/partitions/kafka/orders-2')).toHaveLength(3);
  expect(await ok('GET /v1/migrations/')).toHaveLength(2);
});

test('a mount is canceled on its way', async () => {
  const { call, ok, switches } = await startSimulator(stored);
  const topics = [{ source_topic_reference: { topic: 'archive' } }];
  const { id } = await ok('POST /v1/topics/mount', { body: { topics } });
  await switches.advance(2_500);
  await ok(`POST /v1/migrations/${id}?action=cancel`);
  expect((await ok(`GET /v1/migrations/${id}`)).state).toBe('canceling');
  await switches.advance(1_000);
  expect(await ok(`GET /v1/migrations/${id}`)).toMatchObject({
    state: 'cancelled',
    completed_timestamp: expect.any(Number),
  });
  await switches.advance(10_000);
  expect((await call('GET /v1/partitions/kafka/archive')).status).toBe(404);
  expect((await call(`POST /v1/migrations/${id}?action=cancel`)).status).toBe(400);
  expect((await call(`POST /v1/migrations/${id}?action=finish`)).status).toBe(400);
  expect((await call('GET /v1/migrations/99')).status).toBe(404);
});

test.each([
  [
    'mount',
    [{ source_topic_reference: { topic: 'archive' }, alias: { topic: 'orders' } }],
    500,
    /already been created/,
  ],
  ['mount', [], 400, /definition contains errors/],
  ['unmount', [{ topic: 'none' }], 400, /Topic does not exists/],
  ['unmount', [{ topic: 'controller', ns: 'redpanda' }], 400, /not eligible/],
  ['unmount', [{ name: 'orders' }], 400, /name/],
])('%s of %j is refused', async (how, topics, status, message) => {
  const { call, ok } = await startSimulator(stored);
  expect(await call(`POST /v1/topics/${how}`, { body: { topics } })).toMatchObject(errorOf(status, message));
  expect(await ok('GET /v1/migrations')).toEqual([]);
});

test('a mount of a topic that is not stored is accepted, and looks for it without end; followers learn of it later', async () => {
  const { call, ok, switches } = await startSimulator(stored);
  const topics = [{ source_topic_reference: { topic: 'none' } }];
  const { id } = await ok('POST /v1/topics/mount', { node: 1, body: { topics } });
  expect((await call(`GET /v1/migrations/${id}`, { node: 1 })).status).toBe(404);
  expect(await ok('GET /v1/migrations', { node: 1 })).toEqual([]);
  expect((await ok(`GET /v1/migrations/${id}`)).state).toBe('planned');
  await switches.advance(150);
  expect((await ok(`GET /v1/migrations/${id}`, { node: 1 })).state).toBe('planned');
  await switches.advance(3_600_000);
  expect((await ok(`GET /v1/migrations/${id}`)).state).toBe('preparing');
});

test('a topic is in one migration at a time, and in none without tiered storage', async () => {
  const { call, ok } = await startSimulator(stored);
  const body = { topics: [{ topic: 'orders' }] };
  await ok('POST /v1/topics/unmount', { body });
  expect(await call('POST /v1/topics/unmount', { body })).toMatchObject(errorOf(500, /undergoing data migration$/));
  const newer = await startSimulator({ ...stored, settings: { release: '26.1' } });
  await newer.ok('POST /v1/topics/unmount', { body });
  expect((await newer.call('POST /v1/topics/unmount', { body })).status).toBe(400);
  const without = await startSimulator();
  const disabled = errorOf(500, 'Unexpected cluster error: Requested feature is disabled');
  expect(await without.call('POST /v1/topics/unmount', { body })).toMatchObject(disabled);
  expect(await without.call('GET /v1/topics/mountable')).toMatchObject(disabled);
  const expired = await startSimulator({
    ...stored,
    settings: { licenseNeeded: true },
    seeds: { config: stored.seeds.config },
  });
  expect(await expired.call('POST /v1/topics/unmount', { body })).toMatchObject(disabled);
  expect(await expired.ok('GET /v1/topics/mountable')).toEqual({ topics: [] });
});

test('a restore names its stage, and one that has failed is shown until the next one starts', async () => {
  const { ok, switches } = await startSimulator({ ...stored, settings: { recoveryOutcome: 'error' } });
  const path = '/v1/cloud_storage/automated_recovery';
  expect(await ok(`GET ${path}`)).toEqual({ state: 'inactive' });
  await ok(`POST ${path}`);
  await switches.advance(9_999);
  expect(await ok(`GET ${path}`)).toEqual({ state: 'recovery_stage::recovered_tx_coordinator' });
  await switches.advance(1);
  expect(await ok(`GET ${path}`)).toMatchObject({
    state: 'recovery_stage::failed',
    error: expect.stringMatching(/no data/),
  });
  await ok(`POST ${path}`);
  expect(await ok(`GET ${path}`)).toEqual({ state: 'recovery_stage::initialized' });
});

test('a restore takes its time, and only one runs', async () => {
  const { call, ok, switches } = await startSimulator(stored);
  const path = '/v1/cloud_storage/automated_recovery';
  const state = async () => (await ok(`GET ${path}`, { node: 1 })).state;
  expect(await state()).toBe('inactive');
  expect((await call(`POST ${path}`)).status).toBe(202);
  expect((await call(`POST ${path}`)).status).toBe(409);
  expect(await state()).not.toBe('inactive');
  await switches.advance(10_000);
  expect(await state()).toBe('inactive');
  const without = await startSimulator();
  expect((await without.call(`POST ${path}`)).status).toBe(400);
  const body = { cluster_uuid_override: 1 };
  expect((await without.call(`POST ${path}`, { body })).body).toMatchObject({ message: 'there is no bucket' });
  const newer = await startSimulator({ ...stored, settings: { release: '26.1' } });
  expect((await newer.call(`POST ${path}`, { body })).body).toMatchObject({
    message: expect.stringContaining('cluster_uuid_override'),
  });
});

test('the storage of a partition is shown', async () => {
  const { call, ok } = await startSimulator(stored);
  expect(await ok('GET /v1/cloud_storage/status/orders/1')).toMatchObject({ cloud_storage_mode: 'full' });
  expect(await call('GET /v1/cloud_storage/status/orders/9')).toMatchObject(errorOf(503, /does not have a leader/));
  const without = await startSimulator();
  expect(await without.ok('GET /v1/cloud_storage/status/orders/1')).toMatchObject({ cloud_storage_mode: 'disabled' });
});
