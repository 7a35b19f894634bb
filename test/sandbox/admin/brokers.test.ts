import { expect, test } from 'vitest';
import { fixedView } from './fixed-view.ts';
import { errorOf, type Json, startSimulator } from './simulator.ts';

const oneBroker = () =>
  fixedView({
    brokers: [{ id: 7, rack: null, alive: true }],
    topics: [{ ns: 'kafka', name: 'single', partitions: [{ id: 0, leader: 7, replicas: [7] }] }],
  });

test('the list shows more than a single broker does', async () => {
  const { ok } = await startSimulator();
  const [first] = await ok('GET /v1/brokers');
  expect(first).toMatchObject({ node_id: 0, rack: 'rack-a', is_alive: true, version: expect.stringMatching(/^v24/) });
  const more = ['is_alive', 'version', 'recovery_mode_enabled', 'disk_space', 'in_fips_mode'];
  const common = Object.entries(first).filter(([name]) => !more.includes(name));
  expect(await ok('GET /v1/brokers/0')).toEqual(Object.fromEntries(common));
});

test.each(['9', '-1', 'x', '1e1'])('the broker %s does not exist', async (id) => {
  const { call } = await startSimulator();
  const status = /^\d+$/.test(id) ? 404 : 400;
  expect(await call(`GET /v1/brokers/${id}`)).toMatchObject(errorOf(status, new RegExp(id)));
  expect((await call(`PUT /v1/brokers/${id}/decommission`)).status).toBe(status);
  expect((await call(`PUT /v1/brokers/${id}/maintenance`)).status).toBe(status);
});

test('a broker in maintenance mode loses its leaderships one after another, except those without a second replica', async () => {
  const { ok, switches } = await startSimulator();
  const status = async () => (await ok('GET /v1/brokers/2')).maintenance_status;
  const idle = { draining: false };
  expect(await status()).toEqual(idle);
  await ok('POST /v1/partitions/kafka/orders/0/transfer_leadership?target=2');
  await ok('PUT /v1/brokers/2/maintenance');
  const draining = { draining: true, finished: false, errors: false, partitions: 3, eligible: 2, failed: 0 };
  expect(await status()).toEqual({ ...draining, transferring: 1 });
  await switches.advance(500);
  expect(await status()).toMatchObject(draining);
  await switches.advance(500);
  expect(await status()).toEqual({ ...draining, finished: true, transferring: 0 });
  expect((await ok('GET /v1/partitions/kafka/single/0')).leader_id).toBe(2);
  expect((await ok('GET /v1/partitions/kafka/orders/2')).leader_id).not.toBe(2);
  await ok('PUT /v1/brokers/2/maintenance'); // a second request changes nothing
  expect((await status()).finished).toBe(true);
  await ok('DELETE /v1/brokers/2/maintenance');
  expect(await status()).toEqual(idle);
});

test('only one broker at a time can be in maintenance mode, and never the only one', async () => {
  const { call, ok } = await startSimulator();
  await ok('PUT /v1/brokers/1/maintenance');
  expect(await call('PUT /v1/brokers/2/maintenance')).toMatchObject(errorOf(400, /broker 1 is already/));
  await ok('DELETE /v1/brokers/1/maintenance');
  await ok('PUT /v1/brokers/2/maintenance');
  const alone = await startSimulator({ view: oneBroker() });
  expect(await alone.call('PUT /v1/brokers/7/maintenance')).toMatchObject(errorOf(400, /one broker/));
});

test('the leader of the controller that is drained hands over, and the drain goes on', async () => {
  const { ok, switches } = await startSimulator();
  await ok('PUT /v1/brokers/0/maintenance');
  await switches.advance(10_000);
  expect((await ok('GET /v1/brokers/0')).maintenance_status.finished).toBe(true);
  expect((await ok('GET /v1/cluster/health_overview')).controller_id).toBe(1);
});

test('a drain ends when the broker leads nothing more, because partitions are disabled or have no majority', async () => {
  const view = fixedView({
    topics: [{ ns: 'kafka', name: 'pair', partitions: [{ id: 0, leader: 0, replicas: [0, 1, 2] }] }],
  });
  const { ok, switches } = await startSimulator({ view });
  await ok('POST /v1/cluster/partitions/kafka/pair', { body: { disabled: true } });
  await ok('PUT /v1/brokers/0/maintenance');
  await switches.advance(5_000);
  expect((await ok('GET /v1/brokers/0')).maintenance_status).toMatchObject({ finished: true, errors: false });
  // Without a majority nothing is led, so nothing is left to hand over either.
  await switches.stopNode(1);
  await switches.stopNode(2);
  await switches.advance(5_000);
  expect((await ok('GET /v1/brokers/0')).maintenance_status).toMatchObject({ finished: true, failed: 0 });
});

const moveMs = 2_000;

test('a decommission without a spare broker reports the partitions that it cannot place', async () => {
  const { call, ok, switches } = await startSimulator();
  await ok('PUT /v1/brokers/2/decommission');
  expect((await call('PUT /v1/brokers/2/decommission')).status).toBe(400);
  await switches.advance(60_000);
  const progress = await ok('GET /v1/brokers/2/decommission');
  expect(progress).toEqual(expect.not.objectContaining({ partitions: expect.anything() }));
  expect(progress.allocation_failures).toContain('kafka/orders/0');
  expect(progress.replicas_left).toBe(progress.allocation_failures.length);
  expect((await ok('GET /v1/brokers/2')).membership_status).toBe('draining');
});

/** Four brokers, of which 3 is empty. */
const fourBrokers = () =>
  fixedView({
    brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
    topics: [
      {
        ns: 'kafka',
        name: 'orders',
        partitions: [0, 1].map((id) => ({ id, leader: 2, replicas: [2, 0, 1], sizeBytes: 64 << 20 })),
      },
    ],
  });

test('a decommission moves the replicas over time, then the broker is gone', async () => {
  const { ok, call, switches } = await startSimulator({ view: fourBrokers() });
  await ok('PUT /v1/brokers/2/decommission');
  expect(await ok('GET /v1/brokers/2/decommission')).toEqual({
    finished: false,
    replicas_left: 2,
    partitions: [0, 1].map((partition) => ({
      ns: 'kafka',
      topic: 'orders',
      partition,
      moving_to: { node_id: 3, core: 0 },
      bytes_left_to_move: 64 << 20,
      bytes_moved: 0,
      partition_size: 64 << 20,
      reconfiguration_policy: 'full_local_retention',
    })),
  });
  await switches.advance(moveMs / 2);
  const half = await ok('GET /v1/brokers/2/decommission');
  expect(half.partitions[0]).toMatchObject({ bytes_left_to_move: 32 << 20, bytes_moved: 32 << 20 });
  expect((await ok('GET /v1/partitions/kafka/orders/0')).status).toBe('in_progress');
  await switches.advance(moveMs / 2 + 100);
  expect(await ok('GET /v1/brokers/2/decommission')).toMatchObject({ finished: true, replicas_left: 0 });
  expect((await ok('GET /v1/brokers')).map((one: Json) => one.node_id)).toEqual([0, 1, 3]);
  expect((await call('GET /v1/brokers/2')).status).toBe(404);
  expect((await call('PUT /v1/brokers/2/decommission')).status).toBe(404);
  expect(await ok('GET /v1/broker_uuids')).toHaveLength(4);
  const moved = await ok('GET /v1/partitions/kafka/orders/0');
  expect(moved.replicas.map((one: Json) => one.node_id).sort()).toEqual([0, 1, 3]);
  expect(moved).toMatchObject({ status: 'done', leader_id: 0 });
  expect((await ok('GET /v1/cluster/health_overview')).is_healthy).toBe(true);
});

test('the progress of a decommission that has ended can also be unknown', async () => {
  const { ok, call, switches } = await startSimulator({
    view: fourBrokers(),
    settings: { endedDecommission: 'not-found' },
  });
  await ok('PUT /v1/brokers/2/decommission');
  await switches.advance(moveMs * 2);
  expect((await call('GET /v1/brokers/2/decommission')).status).toBe(404);
});

test('a recommission takes the replicas back, wherever the decommission was', async () => {
  for (const ms of [0, moveMs / 2]) {
    const { ok, switches } = await startSimulator({ view: fourBrokers() });
    await ok('PUT /v1/brokers/2/decommission');
    await switches.advance(ms);
    await ok('PUT /v1/brokers/2/recommission');
    await switches.advance(moveMs * 2);
    expect((await ok('GET /v1/brokers/2')).membership_status).toBe('active');
    const { replicas, status } = await ok('GET /v1/partitions/kafka/orders/0');
    expect([replicas.map((one: Json) => one.node_id), status]).toEqual([[2, 0, 1], 'done']);
  }
});

test('an active broker has no progress and cannot be recommissioned', async () => {
  const { call } = await startSimulator();
  expect(await call('GET /v1/brokers/1/decommission')).toMatchObject(errorOf(400, /not being decommissioned/));
  expect((await call('PUT /v1/brokers/1/recommission')).status).toBe(400);
  expect((await call('GET /v1/brokers/9/decommission')).status).toBe(404);
});

test('a move waits while its target is down', async () => {
  const { ok, switches } = await startSimulator({ view: fourBrokers() });
  await ok('PUT /v1/brokers/2/decommission');
  await switches.stopNode(3);
  await switches.advance(moveMs * 2);
  expect((await ok('GET /v1/brokers/2/decommission')).partitions[0]).toMatchObject({ bytes_moved: 0 });
  await switches.startNode(3);
  await switches.advance(moveMs * 2);
  expect((await ok('GET /v1/brokers/2/decommission')).finished).toBe(true);
});

test('a node has an identity', async () => {
  const { call, ok } = await startSimulator();
  const { node_uuid: uuid } = await ok('GET /v1/debug/broker_uuid', { node: 1 });
  expect(await ok('GET /v1/broker_uuids')).toContainEqual({ node_id: 1, uuid });
  const body = { current_node_uuid: uuid, new_node_id: 5, new_node_uuid: uuid };
  await ok('PUT /v1/debug/broker_uuid', { node: 1, body });
  expect((await call('PUT /v1/debug/broker_uuid', { body })).status).toBe(400);
});
