import { expect, test } from 'vitest';
import { clusterBody, readyNetwork, startPlane } from './plane.ts';

const controls = [
  ['GET', '/sim/state'],
  ['POST', '/sim/reset'],
  ['GET', '/sim/journal'],
  ['DELETE', '/sim/journal'],
  ['GET', '/sim/clock'],
  ['POST', '/sim/clock'],
  ['GET', '/sim/settings'],
  ['PATCH', '/sim/settings'],
  ['GET', '/sim/faults'],
  ['POST', '/sim/faults'],
  ['DELETE', '/sim/faults'],
  ['POST', '/sim/failures'],
  ['POST', '/sim/tokens/expire'],
  ['POST', '/sim/clusters/x/pin'],
] as const;

test('a simulator that is not started for tests has no clock or fault controls', async () => {
  const plane = await startPlane({ testControls: false });
  for (const [method, path] of controls) {
    const { status } = await plane.call(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  await plane.stop();
});

test('the login pages for users are available without test controls', async () => {
  const plane = await startPlane({ testControls: false });
  expect((await plane.call('GET', '/sim/health')).status).toBe(200);
  const form = await fetch(`${plane.url}/activate?user_code=ABCD-EFGH`);
  expect(await form.text()).toContain('approve');
  await plane.stop();
});

test('a BYOC cluster is created, then waits for its agent', async () => {
  const plane = await startPlane({ settings: { durations: { clusterPrepareMs: 3_000 } } });
  const { groupId, networkId } = await readyNetwork(plane);
  const created = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  const { cluster_id: id } = created.body.operation.metadata;
  const state = async () => (await plane.api('GET', `/v1/clusters/${id}`)).body.cluster.state;
  expect(await state()).toBe('STATE_CREATING');
  await plane.advance(2_999);
  expect(await state()).toBe('STATE_CREATING');
  await plane.advance(1);
  expect(await state()).toBe('STATE_CREATING_AGENT');
  await plane.advance(600_000);
  expect(await state()).toBe('STATE_CREATING_AGENT');
  await plane.stop();
});
