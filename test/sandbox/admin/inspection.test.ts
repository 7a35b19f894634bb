import { expect, test } from 'vitest';
import { errorOf, startAt, startSimulator } from './simulator.ts';

const common = { producerId: 7, producerEpoch: 1, timeoutMs: 60_000, updatedAt: startAt, status: 'ongoing' };
const seeds = {
  openTransactions: { 'kafka/orders/0': [{ ...common, lsoBound: 5 }] },
  transactions: {
    payer: {
      ...common,
      sequence: 3,
      etag: 1,
      groups: [{ id: 'billing', etag: 4 }],
      partitions: [{ ns: 'kafka', topic: 'orders', partition: 0, etag: 2 }],
    },
  },
};
const orders = '/v1/partitions/kafka/orders/0';

test('an open transaction of a partition is shown and expired', async () => {
  const { call, ok, switches } = await startSimulator({ seeds });
  await switches.advance(1_500);
  const transaction = {
    producer_id: { id: 7, epoch: 1 },
    lso_bound: 5,
    staleness_ms: 1_500,
    timeout_ms: 60_000,
  };
  expect(await ok(`GET ${orders}/transactions`)).toEqual({
    active_transactions: [{ ...transaction, status: 'ongoing' }],
  });
  const expire = `POST ${orders}/mark_transaction_expired`;
  expect((await call(`${expire}?id=7&epoch=0`)).status).toBe(404);
  expect((await call(`${expire}?id=7`)).status).toBe(400);
  await ok(`${expire}?id=7&epoch=1`);
  expect(await ok(`GET ${orders}/transactions`)).toEqual({
    expired_transactions: [expect.objectContaining({ producer_id: { id: 7, epoch: 1 } })],
  });
});

test('a transactional id is found at its coordinator, which lets go of a partition', async () => {
  const { call, ok } = await startSimulator({ seeds });
  const found = await ok('GET /v1/transaction/payer/find_coordinator');
  const { partition } = found.ntp;
  expect(found).toMatchObject({ ec: 0, ntp: { ns: 'kafka_internal', topic: 'tx' } });
  const list = `GET /v1/transactions?coordinator_partition_id=${partition}`;
  expect(await ok(list)).toMatchObject([
    {
      transactional_id: 'payer',
      pid: { id: 7, epoch: 1 },
      tx_seq: 3,
      partitions: [{ ns: 'kafka', topic: 'orders', partition_id: 0, etag: 2 }],
      groups: [{ group_id: 'billing', etag: 4 }],
    },
  ]);
  expect(await ok(list.replace(/\d$/, String(1 - partition)))).toEqual([]);
  expect((await call('GET /v1/transactions?coordinator_partition_id=9')).status).toBe(404);
  expect((await call('GET /v1/transactions')).status).toBe(400);
  const path = 'POST /v1/transaction/payer/delete_partition';
  const query = (partition_id: string, etag: string) =>
    `${path}?${new URLSearchParams({ namespace: 'kafka', topic: 'orders', partition_id, etag })}`;
  const node = found.coordinator;
  expect((await call(path, { node })).status).toBe(400);
  expect((await call(query('1', '2'), { node })).status).toBe(400);
  expect((await call(query('0', '9'), { node })).status).toBe(422);
  const other = await ok('GET /v1/transaction/nobody/find_coordinator');
  expect((await call(query('0', '2').replace('payer', 'nobody'), { node: other.coordinator })).status).toBe(404);
  await ok(query('0', '2'));
  expect((await ok(list))[0]).not.toHaveProperty('partitions');
});

test('usage is shown when it is recorded, with the open hour when it is asked for', async () => {
  const { ok } = await startSimulator({ seeds: { config: { enable_usage: true } } });
  expect(await ok('GET /v1/usage')).toMatchObject([{ open: false, end_timestamp: startAt / 1000 }]);
  expect(await ok('GET /v1/usage?include_open_bucket=true')).toHaveLength(2);
  expect(await ok('GET /v1/usage?include_open_bucket=perhaps')).toHaveLength(1);
  const without = await startSimulator();
  expect((await without.call('GET /v1/usage')).status).toBe(400);
});

test('metrics are Prometheus text of the node', async () => {
  const { ok } = await startSimulator();
  const text: string = await ok('GET /public_metrics');
  expect(text).toContain('# TYPE redpanda_cluster_brokers gauge\nredpanda_cluster_brokers 3\n');
  const line = 'vectorized_cluster_partition_leader{namespace="kafka",topic="orders",partition="2"}';
  expect(await ok('GET /metrics', { node: 2 })).toContain(`${line} 1`);
  expect(await ok('GET /metrics')).toContain(`${line} 0`);
});

test('a node knows its peers and whether it is alone', async () => {
  const { call, ok, switches } = await startSimulator();
  expect(await ok('GET /v1/debug/is_node_isolated')).toBe(false);
  const { since_last_status: before } = await ok('GET /v1/debug/peer_status/1');
  await switches.stopNode(1);
  await switches.stopNode(2);
  expect(await ok('GET /v1/debug/is_node_isolated')).toBe(true);
  expect((await ok('GET /v1/debug/peer_status/1')).since_last_status).toBeGreaterThan(before);
  expect((await call('GET /v1/debug/peer_status/9')).status).toBe(404);
  expect((await call('GET /v1/debug/peer_status/0')).status).toBe(404);
});

test('a node has an identity, and restarts only services that it has', async () => {
  const { call, ok } = await startSimulator();
  const { node_uuid: uuid } = await ok('GET /v1/debug/broker_uuid', { node: 1 });
  expect(await ok('GET /v1/broker_uuids')).toContainEqual({ node_id: 1, uuid });
  const body = { current_node_uuid: uuid, new_node_id: 5, new_node_uuid: uuid };
  await ok('PUT /v1/debug/broker_uuid', { node: 1, body });
  expect((await call('PUT /v1/debug/broker_uuid', { body })).status).toBe(400);
  await ok('PUT /v1/debug/restart_service?service=schema-registry');
  expect(await call('PUT /v1/debug/restart_service?service=kafka')).toMatchObject(errorOf(404, /kafka/));
  for (const line of [
    'POST /v1/debug/refresh_disk_health_info',
    'POST /v1/debug/reset_leaders',
    'PUT /v1/reset_crash_tracking',
  ])
    await ok(line);
});
