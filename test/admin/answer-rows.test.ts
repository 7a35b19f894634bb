import { describe, expect, test } from 'vitest';
import { failed } from '../net/http-peers.ts';
import { adminOf, refusal, startNode } from './admin-of.ts';

test('a broker that is listed twice is one broker', async () => {
  const node = await startNode(() => [200, [broker, { ...broker, node_id: 0 }, broker]]);
  expect((await adminOf([node.url]).admin.maintenance()).map(({ id }) => id)).toEqual([0, 1]);
});

test('a broker that was set up again under its id has all of its UUIDs', async () => {
  const uuids = [
    { node_id: 1, uuid: 'first' },
    { node_id: 2, uuid: 'other' },
    { node_id: 1, uuid: 'second' },
  ];
  const node = await startNode(({ line }) => [200, line.includes('uuids') ? uuids : [broker]]);
  expect(await adminOf([node.url]).admin.brokers()).toMatchObject([{ id: 1, uuid: 'first, second' }]);
});

test('an answer of many megabytes is read: a cluster can have hundreds of thousands of partitions', async () => {
  const node = await startNode(() => [200, [{ ...broker, padding: 'x'.repeat(17 << 20) }]]);
  expect(await adminOf([node.url]).admin.maintenance()).toMatchObject([{ id: 1 }]);
});

const broker = {
  node_id: 1,
  num_cores: 2,
  internal_rpc_address: 'b1',
  internal_rpc_port: 33145,
  membership_status: 'active',
};
const moving = { ns: 'kafka', topic: 'orders', partition: 0 };
const health = { is_healthy: true, controller_id: 1 };

describe('JSON of another form than documented is said so:', () => {
  test.each([
    ['maintenance', { a: 1 }, 'list of brokers'],
    ['maintenance', undefined, 'list of brokers'],
    ['maintenance', [5], 'list of brokers'],
    ['maintenance', [{ node_id: '1' }], 'node_id'],
    ['maintenance', [{ node_id: 1.5 }], 'node_id'],
    ['brokers', [{ ...broker, num_cores: null }], 'num_cores'],
    ['brokers', [{ ...broker, internal_rpc_address: 5 }], 'internal_rpc_address'],
    ['brokers', [{ ...broker, internal_rpc_port: '1' }], 'internal_rpc_port'],
    ['brokers', [{ ...broker, membership_status: undefined }], 'membership_status'],
    ['health', [], 'object'],
    ['health', { controller_id: 1 }, 'is_healthy'],
    ['decommissionState', {}, 'finished'],
    ['decommissionState', { finished: false }, 'replicas_left'],
    ['decommissionState', { finished: false, replicas_left: 1, partitions: [{ ...moving, topic: 5 }] }, 'topic'],
    ['decommissionState', { finished: false, replicas_left: 1, partitions: [5] }, 'partitions'],
  ] as const)('%s %j', async (name, body, missing) => {
    const node = await startNode(({ line }) => (line.includes('uuids') ? [200, []] : [200, body]));
    const { admin } = adminOf([node.url]);
    const { error } = await failed(admin[name](1));
    expect(error).toMatchObject({ exitCode: 5, code: 'BAD_ANSWER', retryable: false });
    expect(error.message).toMatch(/^the answer to GET http:\S+ has no valid /);
    expect(error.message.endsWith(` has no valid ${missing}`)).toBe(true);
  });

  test('an answer that is no list lacks what the list is of', async () => {
    const node = await startNode(({ line }) => [200, line.endsWith('/v1/brokers') ? [broker] : {}]);
    const { admin } = adminOf([node.url]);
    const uuids = await failed(admin.brokers());
    expect(uuids.error.message).toBe(`the answer to GET ${node.url}/v1/broker_uuids has no valid list of broker UUIDs`);
    const status = await failed(admin.configStatus());
    expect(status.error.message).toMatch(/\/v1\/cluster_config\/status has no valid list of brokers$/);
  });

  test('what is optional and of another form counts as unknown', async () => {
    const odd = {
      ...broker,
      rack: 5,
      is_alive: 'yes',
      version: {},
      disk_space: [5, { free: 'x', total: 1.5 }],
      maintenance_status: [],
    };
    const node = await startNode(({ line }) => {
      if (line.includes('uuids')) return refusal(404, 'Not found');
      if (line.includes('health'))
        return [
          200,
          {
            ...health,
            all_nodes: [1, '2', 2.5],
            nodes_down: 'x',
            leaderless_count: 0.5,
            leaderless_partitions: ['kafka/a/0', 'redpanda/controller/0', 5],
          },
        ];
      return [200, [odd]];
    });
    const { admin } = adminOf([node.url]);
    expect(await admin.brokers()).toEqual([
      {
        ...{ id: 1, host: 'b1', port: 33145, rack: null, cores: 2, membership: 'active', is_alive: null },
        ...{ version: null, uuid: null, in_maintenance: false, disk_free: null, disk_total: null },
      },
    ]);
    expect(await admin.maintenance()).toMatchObject([{ id: 1, enabled: false, partitions: null }]);
    expect(await admin.health()).toMatchObject({
      ...{ brokers: [1], down: [], leaderless: ['a/0', 'redpanda/controller/0'], leaderless_count: 2 },
    });
  });
});
