import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clusterBody, type Plane, readyCluster, readyNetwork, report, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const stateOf = async (id: string) => (await plane.api('GET', `/v1/clusters/${id}`)).body.cluster.state;

async function waitingCluster(): Promise<string> {
  const { groupId, networkId } = await readyNetwork(plane);
  const { body } = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  return body.operation.metadata.cluster_id;
}

test('a report is only accepted with a valid token', async () => {
  const id = await waitingCluster();
  const path = `/sim/agent/${id}/installed`;
  expect((await plane.call('POST', path, { body: { provider: 'gcp' } })).status).toBe(401);
  expect((await plane.call('POST', path, { body: { provider: 'gcp' }, token: 'x.y.z' })).status).toBe(401);
  expect(await stateOf(id)).toBe('STATE_CREATING_AGENT');
});

test('a report is only accepted for the provider of the cluster', async () => {
  const id = await waitingCluster();
  expect((await report(plane, id, 'installed', 'aws')).status).toBe(400);
  expect(await stateOf(id)).toBe('STATE_CREATING_AGENT');
});

test('a second apply succeeds without a change', async () => {
  const id = await waitingCluster();
  expect((await report(plane, id, 'installed')).body.changed).toBe(true);
  expect(await report(plane, id, 'installed')).toMatchObject({ status: 200, body: { changed: false } });
  await plane.advance(15_000);
  expect((await report(plane, id, 'installed')).body.changed).toBe(false);
  expect(await stateOf(id)).toBe('STATE_READY');
});

test('destroy is 409 before the deletion and during the teardown', async () => {
  const { clusterId } = await readyCluster(plane);
  expect((await report(plane, clusterId, 'removed')).status).toBe(409);
  expect(await stateOf(clusterId)).toBe('STATE_READY');
  await plane.api('DELETE', `/v1/clusters/${clusterId}`);
  expect((await report(plane, clusterId, 'removed')).status).toBe(409);
});

test('a second destroy succeeds without a change, and is 404 after the cluster is deleted', async () => {
  const { clusterId } = await readyCluster(plane);
  await plane.api('DELETE', `/v1/clusters/${clusterId}`);
  await plane.advance(10_000);
  expect((await report(plane, clusterId, 'removed')).body.changed).toBe(true);
  expect((await report(plane, clusterId, 'removed')).body.changed).toBe(false);
  await plane.advance(5_000);
  expect((await report(plane, clusterId, 'removed')).status).toBe(404);
});

test('apply is 409 while the cluster is being deleted', async () => {
  const { clusterId } = await readyCluster(plane);
  await plane.api('DELETE', `/v1/clusters/${clusterId}`);
  expect((await report(plane, clusterId, 'installed')).status).toBe(409);
});

test('deleting a cluster without an agent also waits for a report, and its creation ends as FAILED', async () => {
  const id = await waitingCluster();
  await plane.api('DELETE', `/v1/clusters/${id}`);
  await plane.advance(10_000);
  expect(await stateOf(id)).toBe('STATE_DELETING_AGENT');
  const { operations } = (await plane.api('GET', `/v1/operations?filter.resource_id=${id}`)).body;
  expect(operations).toMatchObject([
    { type: 'TYPE_CREATE_CLUSTER', state: 'STATE_FAILED', error: { code: 'ABORTED' } },
    { type: 'TYPE_DELETE_CLUSTER', state: 'STATE_IN_PROGRESS' },
  ]);
  await report(plane, id, 'removed');
  await plane.advance(5_000);
  expect((await plane.api('GET', `/v1/clusters/${id}`)).status).toBe(404);
});

test('a failed deletion can be repeated, including the report', async () => {
  const { clusterId } = await readyCluster(plane);
  await plane.api('DELETE', `/v1/clusters/${clusterId}`);
  await plane.advance(10_000);
  plane.fail({ type: 'TYPE_DELETE_CLUSTER' });
  await report(plane, clusterId, 'removed');
  await plane.advance(5_000);
  expect(await stateOf(clusterId)).toBe('STATE_FAILED');
  expect((await plane.api('DELETE', `/v1/clusters/${clusterId}`)).status).toBe(202);
  await plane.advance(10_000);
  expect((await report(plane, clusterId, 'removed')).body.changed).toBe(true);
  await plane.advance(5_000);
  expect((await plane.api('GET', `/v1/clusters/${clusterId}`)).status).toBe(404);
});
