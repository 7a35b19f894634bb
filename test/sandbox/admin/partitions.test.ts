import { expect, test } from 'vitest';
import { fixedView } from './fixed-view.ts';
import { errorOf, type Json, startSimulator } from './simulator.ts';

const orders = '/v1/partitions/kafka/orders';
const ids = (replicas: readonly Json[]) => replicas.map((one) => one.node_id);
const moveMs = 2_000;

/** Four brokers and a topic with two partitions on the first three. */
const fourBrokers = () =>
  fixedView({
    brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
    topics: [
      {
        ns: 'kafka',
        name: 'orders',
        partitions: [0, 1].map((id) => ({ id, leader: id, replicas: [id, 1 - id, 2], sizeBytes: 64 << 20 })),
      },
    ],
  });

test('the partitions of clients are listed in order, and internal ones when they are asked for', async () => {
  const { call, ok } = await startSimulator();
  const names = async (query: string) =>
    new Set((await ok(`GET /v1/cluster/partitions${query}`)).map((one: Json) => `${one.ns}/${one.topic}`));
  const clients = ['kafka/__consumer_offsets', 'kafka/orders', 'kafka/payments', 'kafka/single'];
  expect([...(await names(''))]).toEqual(clients);
  expect([...(await names('?with_internal=true'))]).toEqual([...clients, 'kafka_internal/tx']);
  const own = await ok('GET /v1/cluster/partitions/kafka/orders');
  expect((await call('GET /v1/cluster/partitions/redpanda/controller')).status).toBe(404);
  expect(own.map((one: Json) => [one.partition_id, one.leader_id])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test.each(['/v1/cluster/partitions/kafka/none', '/v1/partitions/kafka/none', '/v1/partitions/kafka/orders/9'])(
  '%s does not exist',
  async (path) => {
    const { call } = await startSimulator();
    expect((await call(`GET ${path}`)).status).toBe(404);
  },
);

test('a disabled partition has no leader until it is enabled, and is no problem of health', async () => {
  const { ok, call } = await startSimulator();
  const disabled = async () => ids(await ok('GET /v1/cluster/partitions?disabled=true')).length;
  expect(await ok('GET /v1/cluster/partitions?disabled=junk')).toEqual(
    await ok('GET /v1/cluster/partitions?disabled=false'),
  );
  await ok('POST /v1/cluster/partitions/kafka/orders/1', { body: { disabled: true } });
  expect(await ok(`GET ${orders}/1`)).toMatchObject({ disabled: true, leader_id: -1 });
  // Lists leave the leader out.
  expect((await ok(`GET ${orders}`)).map((one: Json) => one.leader_id)).toEqual([0, undefined, 2]);
  expect(await disabled()).toBe(1);
  await ok('POST /v1/cluster/partitions/kafka/orders', { body: { disabled: true } });
  expect(await disabled()).toBe(3);
  expect((await ok('GET /v1/cluster/health_overview')).is_healthy).toBe(true);
  await ok('POST /v1/cluster/partitions/kafka/orders', { body: { disabled: false } });
  expect(await disabled()).toBe(0);
  expect((await ok(`GET ${orders}/1`)).leader_id).not.toBe(-1);
  const change = async (path: string) =>
    (await call(`POST /v1/cluster/partitions/${path}`, { body: { disabled: true } })).status;
  expect(await change('kafka/none')).toBe(400);
  expect(await change('kafka/orders/9')).toBe(500);
  expect(await change('kafka_internal/tx')).toBe(400);
  expect((await call('POST /v1/cluster/partitions/kafka/orders', { body: {} })).status).toBe(400);
});

test('a partition moves over time and shows its progress', async () => {
  const { ok, switches } = await startSimulator({ view: fourBrokers() });
  const target = [0, 1, 3].map((id) => ({ node_id: id, core: 0 }));
  await ok(`POST ${orders}/0/replicas`, { body: target });
  await switches.advance(moveMs / 4);
  expect(await ok('GET /v1/partitions/reconfigurations')).toMatchObject([
    {
      ns: 'kafka',
      topic: 'orders',
      partition: 0,
      partition_size: 64 << 20,
      bytes_moved: 16 << 20,
      bytes_left_to_move: 48 << 20,
      previous_replicas: [{ node_id: 0 }, { node_id: 1 }, { node_id: 2 }],
      current_replicas: target,
    },
  ]);
  expect(await ok('GET /v1/cluster/partition_balancer/status')).toMatchObject({
    status: 'in_progress',
    current_reassignments_count: 1,
  });
  await switches.advance(moveMs);
  expect(await ok('GET /v1/partitions/reconfigurations')).toEqual([]);
  expect(await ok(`GET ${orders}/0`)).toMatchObject({ status: 'done', replicas: target, leader_id: 0 });
  expect((await ok('GET /v1/cluster/partition_balancer/status')).status).toBe('ready');
});

test.each([
  [[], /empty/],
  [[0, 0, 1], /twice/],
  [[0, 1, 9], /broker 9/],
])('a partition cannot move to %j', async (target, message) => {
  const { call } = await startSimulator();
  const body = target.map((id) => ({ node_id: id, core: 0 }));
  expect(await call(`POST ${orders}/0/replicas`, { body })).toMatchObject(errorOf(400, message));
});

test('the partition of the controller, an unknown core and a malformed body are refused; the same set is no move', async () => {
  const { call, ok } = await startSimulator();
  await ok('PUT /v1/features/node_local_core_assignment', { body: { state: 'disabled' } });
  const body = [0, 1, 2].map((id) => ({ node_id: id, core: 0 }));
  expect((await call('POST /v1/partitions/redpanda/controller/0/replicas', { body })).status).toBe(400);
  expect((await call(`POST ${orders}/0/replicas`, { body: [{ node_id: 0, core: 7 }] })).status).toBe(400);
  expect((await call(`POST ${orders}/0/replicas`, { body: [{ node_id: 0 }] })).status).toBe(400);
  await ok(`POST ${orders}/0/replicas`, { body });
  expect(await ok('GET /v1/partitions/reconfigurations')).toEqual([]);
});

test('a partition that is being moved is not moved elsewhere, and a canceled move leaves it where it was', async () => {
  const { call, ok, switches } = await startSimulator({ view: fourBrokers() });
  const body = [3, 1, 2].map((id) => ({ node_id: id, core: 0 }));
  await ok(`POST ${orders}/0/replicas`, { body });
  expect(await call(`POST ${orders}/0/replicas`, { body: body.slice(1) })).toMatchObject(
    errorOf(503, /update in progress/),
  );
  await switches.advance(moveMs / 2);
  await ok('POST /v1/cluster/cancel_reconfigurations');
  expect(ids((await ok(`GET ${orders}/0`)).replicas)).toEqual([0, 1, 2]);
});

test('all moves, or those of one broker, are cancelled at once', async () => {
  const { ok } = await startSimulator({ view: fourBrokers() });
  const move = (partition: number, target: readonly number[]) =>
    ok(`POST ${orders}/${partition}/replicas`, { body: target.map((id) => ({ node_id: id, core: 0 })) });
  await move(0, [0, 1, 3]);
  await move(1, [3, 0, 2]);
  const result = (partition: number) => ({ ns: 'kafka', topic: 'orders', partition, result: 'Success' });
  expect(await ok('POST /v1/brokers/3/cancel_partition_moves')).toEqual([result(0), result(1)]);
  await move(1, [3, 0, 2]);
  expect(await ok('POST /v1/brokers/3/cancel_partition_moves')).toEqual([result(1)]);
  await move(0, [0, 1, 3]);
  expect(await ok('POST /v1/cluster/cancel_reconfigurations')).toEqual([result(0)]);
  expect(await ok('POST /v1/cluster/cancel_reconfigurations')).toEqual([]);
  expect(await ok('POST /v1/brokers/9/cancel_partition_moves')).toEqual([]);
});

test('a replica changes its core on its broker, while the feature is active', async () => {
  const { call, ok } = await startSimulator();
  await ok(`POST ${orders}/0/replicas/1`, { body: { core: 1 } });
  const [first] = await ok('GET /v1/cluster/partitions/kafka/orders');
  expect(first.replicas).toContainEqual({ node_id: 1, core: 1 });
  // The table of topics has no cores while the nodes choose them.
  expect((await ok(`GET ${orders}/0`)).replicas).toContainEqual({ node_id: 1, core: 0 });
  expect((await call(`POST ${orders}/0/replicas/1`, { body: { core: 2 } })).status).toBe(500);
  expect((await call('POST /v1/partitions/kafka/single/0/replicas/1', { body: { core: 1 } })).status).toBe(500);
  await ok('PUT /v1/features/node_local_core_assignment', { body: { state: 'disabled' } });
  expect((await call(`POST ${orders}/0/replicas/1`, { body: { core: 0 } })).status).toBe(500);
  expect((await ok(`GET ${orders}/0`)).replicas).toContainEqual({ node_id: 1, core: 1 });
});

test('a partition that does not exist or is disabled cannot be moved', async () => {
  const { call, ok } = await startSimulator({ view: fourBrokers() });
  const body = [0, 1, 3].map((id) => ({ node_id: id, core: 0 }));
  expect((await call('POST /v1/partitions/kafka/none/0/replicas', { body })).status).toBe(400);
  expect((await call(`POST ${orders}/9/replicas`, { body })).status).toBe(500);
  await ok('POST /v1/cluster/partitions/kafka/orders/0', { body: { disabled: true } });
  expect(await call(`POST ${orders}/0/replicas`, { body })).toMatchObject(errorOf(500, /disabled/));
});

test('the topic of the controller is answered with one object', async () => {
  const { ok } = await startSimulator();
  expect(await ok('GET /v1/partitions/redpanda/controller')).toMatchObject({ partition_id: 0, raft_group_id: 0 });
});

test('leadership moves to the target, or to any other replica', async () => {
  const { call, ok, switches } = await startSimulator();
  const leader = async () => (await ok(`GET ${orders}/0`)).leader_id;
  const transfer = `POST ${orders}/0/transfer_leadership`;
  await ok(`${transfer}?target=2`);
  expect(await leader()).toBe(2);
  await ok(`${transfer}?target=2`);
  expect(await leader()).toBe(2);
  await ok(transfer);
  expect(await leader()).not.toBe(2);
  const single = 'POST /v1/partitions/kafka/single/0/transfer_leadership';
  expect(await call(`${single}?target=1`, { node: 2 })).toMatchObject(errorOf(400, /no replica/));
  expect((await call(single, { node: 2 })).status).toBe(400);
  await switches.stopNode(2);
  const node = await leader();
  expect((await call(`${transfer}?target=2`, { node })).status).toBe(504);
});

test('a lost broker costs its partitions their leaders until the others elect new ones', async () => {
  const { ok, switches } = await startSimulator();
  const health = async () => ok('GET /v1/cluster/health_overview');
  await switches.stopNode(2);
  const now = await health();
  expect(now).toMatchObject({ is_healthy: false, nodes_down: [2] });
  expect(now.leaderless_partitions).toEqual(['kafka/orders/2', 'kafka/single/0']);
  await switches.advance(1_000);
  const later = await health();
  expect(later.leaderless_partitions).toEqual(['kafka/single/0']);
  expect(later.under_replicated_partitions).toContain('kafka/orders/2');
  expect(later.under_replicated_count).toBe(later.under_replicated_partitions.length);
  expect(later.unhealthy_reasons).toEqual(['nodes_down', 'leaderless_partitions', 'under_replicated_partitions']);
  await switches.startNode(2);
  await switches.advance(1_000);
  expect(await health()).toMatchObject({ is_healthy: true, unhealthy_reasons: [], leaderless_count: 0 });
});

test('a partition that loses its majority has no leader, and neither has the controller', async () => {
  const { call, ok, switches } = await startSimulator();
  await switches.stopNode(1);
  await switches.stopNode(2);
  await switches.advance(10_000);
  const health = await ok('GET /v1/cluster/health_overview');
  expect(health).toMatchObject({ controller_id: -1, nodes_down: [1, 2] });
  expect(health.leaderless_partitions).toContain('kafka/orders/0'); // the node that led it is still there
  expect(health.unhealthy_reasons).toContain('no_elected_controller');
  expect((await call(`POST ${orders}/0/transfer_leadership`)).status).toBe(503);
  await switches.startNode(1);
  await switches.advance(1_000);
  expect((await ok(`GET ${orders}/0`)).leader_id).toBe(0);
  expect((await ok('GET /v1/cluster/health_overview')).controller_id).toBe(0);
});

test('the lists of the health overview are cut, its counts are not', async () => {
  const { ok, switches } = await startSimulator({ settings: { healthListLimit: 2 } });
  await switches.stopNode(2);
  await switches.advance(1_000);
  const { under_replicated_partitions: listed, under_replicated_count: count } = await ok(
    'GET /v1/cluster/health_overview',
  );
  expect(listed).toHaveLength(2);
  expect(count).toBeGreaterThan(2);
});

test('a full disk and a lost broker are what the balancer complains about', async () => {
  const { ok, switches } = await startSimulator();
  switches.setFreeDisk(1, 1);
  await switches.stopNode(2);
  expect(await ok('GET /v1/cluster/partition_balancer/status')).toMatchObject({
    status: 'stalled',
    violations: { unavailable_nodes: [2], over_disk_limit_nodes: [1] },
  });
});

test('partitions that lost their majority are listed and recovered from what is left', async () => {
  const { call, ok, switches } = await startSimulator({ view: fourBrokers() });
  await switches.stopNode(2);
  await switches.advance(1_000);
  expect(await ok('GET /v1/partitions/majority_lost?dead_nodes=2')).toEqual([]);
  const lost = await ok('GET /v1/partitions/majority_lost?dead_nodes=1,2');
  expect(lost.map((one: Json) => [one.ntp.partition, one.dead_nodes])).toEqual([
    [0, [1, 2]],
    [1, [1, 2]],
  ]);
  await ok('POST /v1/partitions/force_recover_from_nodes', {
    body: { dead_nodes: [1, 2], partitions_to_force_recover: lost },
  });
  expect(await ok('GET /v1/cluster/partition_balancer/status')).toMatchObject({
    partitions_pending_force_recovery_count: 2,
  });
  await switches.advance(5_000);
  expect(ids((await ok(`GET ${orders}/0`)).replicas)).toEqual([0, 3]);
  expect((await ok(`GET ${orders}/0`)).leader_id).toBe(0);
  for (const bad of ['', '?dead_nodes=', '?dead_nodes=a', '?dead_nodes=1,'])
    expect((await call(`GET /v1/partitions/majority_lost${bad}`)).status).toBe(400);
  const body = { dead_nodes: [1, 2], partitions_to_force_recover: lost };
  expect(await call('POST /v1/partitions/force_recover_from_nodes', { body })).toMatchObject(
    errorOf(500, 'Unexpected cluster error: Invalid request'),
  );
});
