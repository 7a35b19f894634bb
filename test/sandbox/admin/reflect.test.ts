import { expect, test } from 'vitest';
import { fixedView } from './fixed-view.ts';
import { type Json, startSimulator } from './simulator.ts';

const topic = (name: string, ...replicas: readonly (readonly number[])[]) => ({
  ns: 'kafka',
  name,
  partitions: replicas.map((ids, id) => ({ id, leader: ids[0] ?? null, replicas: ids })),
});
const broker = (id: number, alive = true) => ({ id, rack: null, alive });
const small = () =>
  fixedView({ brokers: [5, 6, 7].map((id) => broker(id)), topics: [topic('a', [5, 6]), topic('b', [6])] });
const names = (partitions: readonly Json[]) => partitions.map((one) => `${one.topic}/${one.partition_id}`);
const ids = (partition: Json) => partition.replicas.map((one: Json) => one.node_id);

test('there is one node per broker, with its id, at consecutive loopback addresses on one port', async () => {
  const { api, ok } = await startSimulator({ view: small() });
  expect(api.nodeIds).toEqual([5, 6, 7]);
  expect(api.addresses).toEqual([1, 2, 3].map((last) => `http://127.0.0.${last}:${api.port}`));
  for (const [node, id] of api.nodeIds.entries()) expect((await ok('GET /v1/node_config', { node })).node_id).toBe(id);
});

test('topics that appear and disappear do so here', async () => {
  const { ok, view } = await startSimulator({ view: small() });
  expect(names(await ok('GET /v1/cluster/partitions'))).toEqual(['a/0', 'b/0']);
  view.change({ topics: [topic('b', [6], [7]), topic('c', [7])] });
  expect(names(await ok('GET /v1/cluster/partitions'))).toEqual(['b/0', 'b/1', 'c/0']);
  view.change({ topics: undefined }); // they cannot be read now
  expect(names(await ok('GET /v1/cluster/partitions'))).toEqual(['b/0', 'b/1', 'c/0']);
});

test('what the Admin API moved stays moved until the cluster itself moves it', async () => {
  const { ok, view, switches } = await startSimulator({ view: small() });
  const get = () => ok('GET /v1/partitions/kafka/a/0');
  await ok('POST /v1/partitions/kafka/a/0/replicas', { body: [5, 7].map((id) => ({ node_id: id, core: 0 })) });
  await ok('POST /v1/partitions/kafka/a/0/transfer_leadership?target=6');
  await switches.advance(10_000);
  expect(ids(await get())).toEqual([5, 7]);
  view.change({ topics: [topic('a', [6, 5])] });
  expect(await get()).toMatchObject({ status: 'done', leader_id: 6 });
  expect(ids(await get())).toEqual([6, 5]);
});

test('a node that has left gets no replica of a new topic, although its broker is still there', async () => {
  const { ok, view, switches } = await startSimulator({ view: small() });
  await ok('PUT /v1/brokers/6/decommission');
  await switches.advance(600_000);
  view.change({ topics: [topic('c', [6, 5]), topic('d', [6, 5, 7])] });
  const placed = async (name: string) => {
    const partition = await ok(`GET /v1/partitions/kafka/${name}/0`);
    return [partition.leader_id, ...ids(partition)];
  };
  expect(await placed('c')).toEqual([7, 7, 5]);
  expect(await placed('d')).toEqual([5, 5, 7]);
});

test('a leader that the cluster elects leads here', async () => {
  const { ok, view } = await startSimulator({ view: small() });
  const a = topic('a', [5, 6]);
  view.change({ topics: [{ ...a, partitions: [{ id: 0, leader: 6, replicas: [5, 6] }] }] });
  expect((await ok('GET /v1/partitions/kafka/a/0')).leader_id).toBe(6);
});

test('a broker that is down is down here, and a node that was stopped stays down', async () => {
  const { ok, view, switches } = await startSimulator({ view: small() });
  const down = async () => (await ok('GET /v1/cluster/health_overview')).nodes_down;
  view.change({ brokers: [broker(5), broker(6), broker(7, false)] });
  expect(await down()).toEqual([7]);
  view.change({ brokers: [broker(5), broker(6)] });
  expect(await down()).toEqual([7]);
  view.change({ brokers: [5, 6, 7].map((id) => broker(id)) });
  expect(await down()).toEqual([]);
  await switches.stopNode(6);
  expect(await down()).toEqual([6]);
});

test('users of the cluster are listed and log in, and those that it deleted are gone', async () => {
  const view = small();
  await view.setUser({ name: 'kafka-user', password: 'secret', algorithm: 'SCRAM-SHA-256' });
  const config = { admin_api_require_auth: true, superusers: ['kafka-user'] };
  const { call, ok } = await startSimulator({ view, seeds: { config } });
  const auth = 'kafka-user:secret';
  expect(await ok('GET /v1/security/users', { auth })).toEqual(['kafka-user']);
  const body = { username: 'new', password: 'n', algorithm: 'SCRAM-SHA-256' };
  await ok('POST /v1/security/users', { auth, body });
  expect(await view.logsIn('new', 'n')).toBe(true); // it exists in the cluster as well
  await view.deleteUser('new');
  expect(await ok('GET /v1/security/users', { auth })).toEqual(['kafka-user']);
  expect((await call('GET /v1/brokers', { auth: 'new:n' })).status).toBe(401);
  const other = { ...body, username: 'kafka-user' };
  expect((await call('POST /v1/security/users', { auth, body: other })).status).toBe(500);
});

test('an unmounted topic stays away although the cluster still has it, until it is mounted', async () => {
  const seeds = { config: { cloud_storage_enabled: true } };
  const { ok, switches } = await startSimulator({ view: small(), seeds });
  await ok('POST /v1/topics/unmount', { body: { topics: [{ topic: 'a' }] } });
  await switches.advance(10_000);
  expect(names(await ok('GET /v1/cluster/partitions'))).toEqual(['b/0']);
  await ok('POST /v1/topics/mount', { body: { topics: [{ source_topic_reference: { topic: 'a' } }] } });
  await switches.advance(10_000);
  expect(names(await ok('GET /v1/cluster/partitions'))).toEqual(['a/0', 'b/0']);
});
