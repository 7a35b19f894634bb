import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import {
  clusterBody,
  networkBody,
  type Plane,
  readyCluster,
  readyNetwork,
  startPlane,
} from '../../sandbox/cloud/plane.ts';
import { cloudOf, failure } from '../client.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
beforeEach(() => plane.reset());
afterAll(() => plane.stop());

const lost = (route: string) => plane.fault(route, { kind: 'drop', when: 'after' });
const dropped = (route: string) => plane.fault(route, { kind: 'drop', when: 'before' });
const calls = async (route: string) => (await plane.journal()).filter((entry) => entry.route === route).length;

describe('a request whose answer was lost', () => {
  test('resource group: found by its name, not sent again', async () => {
    using client = cloudOf(plane);
    await client.cloud.token();
    await lost('resource-groups.create');
    expect(await client.cloud.createResourceGroup({ name: 'dev' })).toMatchObject({ name: 'dev' });
    expect(await calls('resource-groups.create')).toBe(1);
    expect(client.warnings).toEqual([
      'the response to POST /v1/resource-groups was lost, but the server had accepted the request',
    ]);
  });

  test('network: its operation is found, and waited for', async () => {
    using client = cloudOf(plane, {}, { onSleep: (ms) => plane.advance(ms) });
    const { id } = await client.cloud.createResourceGroup({ name: 'dev' });
    await lost('networks.create');
    const operation = await client.cloud.createNetwork(networkBody(id).network);
    expect(operation).toMatchObject({ type: 'TYPE_CREATE_NETWORK', state: 'STATE_IN_PROGRESS' });
    expect(await client.cloud.waitForOperation(operation.id, { waitTimeoutMs: 60_000 })).toMatchObject({
      state: 'STATE_COMPLETED',
    });
    expect(await calls('networks.create')).toBe(1);
  });

  test('cluster: its operation is found', async () => {
    const { groupId, networkId } = await readyNetwork(plane);
    using client = cloudOf(plane);
    await client.cloud.token();
    await lost('clusters.create');
    const operation = await client.cloud.createCluster(clusterBody(groupId, networkId).cluster);
    expect(operation.metadata.cluster_id).toBe(operation.resource_id);
    expect(await calls('clusters.create')).toBe(1);
  });

  test('an update and both deletions: their operations are found', async () => {
    const { clusterId, networkId } = await readyCluster(plane);
    using client = cloudOf(plane, {}, { onSleep: (ms) => plane.advance(ms) });
    await client.cloud.token();
    await lost('clusters.update');
    const changes = { cluster_configuration: { custom_properties: { audit_enabled: false } } };
    const update = await client.cloud.updateCluster(clusterId, changes);
    expect(update.type).toBe('TYPE_UPDATE_CLUSTER');
    await client.cloud.waitForOperation(update.id, { waitTimeoutMs: 60_000 });
    await lost('clusters.delete');
    const deletion = await client.cloud.deleteCluster(clusterId);
    expect(deletion).toMatchObject({ type: 'TYPE_DELETE_CLUSTER', resource_id: clusterId });
    await plane.advance(60_000);
    await plane.api('POST', `/sim/agent/${clusterId}/removed`, { provider: 'gcp' });
    await plane.advance(60_000);
    await lost('networks.delete');
    expect(await client.cloud.deleteNetwork(networkId)).toMatchObject({ type: 'TYPE_DELETE_NETWORK' });
    expect(await Promise.all(['clusters.update', 'clusters.delete', 'networks.delete'].map(calls))).toEqual([1, 1, 1]);
  });

  test('a resource group is deleted again, and is gone', async () => {
    using client = cloudOf(plane);
    const { id } = await client.cloud.createResourceGroup({ name: 'dev' });
    await lost('resource-groups.delete');
    await client.cloud.deleteResourceGroup(id);
    expect(await calls('resource-groups.delete')).toBe(2);
  });

  test('a resource group that is refused the second time and cannot be read is an error', async () => {
    using client = cloudOf(plane);
    const { id } = await client.cloud.createResourceGroup({ name: 'dev' });
    await lost('resource-groups.delete');
    await plane.fault('resource-groups.get', { kind: 'status', status: 403 });
    expect(await failure(client.cloud.deleteResourceGroup(id))).toMatchObject({ exitCode: 3 });
  });

  test('a role binding is found', async () => {
    const { clusterId } = await readyCluster(plane);
    using client = cloudOf(plane);
    const { id } = await client.cloud.createServiceAccount({ name: 'one' });
    await lost('role-bindings.create');
    const binding = { role_name: 'Reader', account_id: id, scope: { resource_id: clusterId } };
    expect(await client.cloud.createRoleBinding(binding)).toMatchObject({ account_id: id, role_name: 'Reader' });
    expect(await calls('role-bindings.create')).toBe(1);
  });

  test('a service account whose secret is lost is an error that says so', async () => {
    using client = cloudOf(plane);
    await client.cloud.token();
    await lost('service-accounts.create');
    const error = await failure(client.cloud.createServiceAccount({ name: 'pipe' }));
    expect(error).toMatchObject({ code: 'ANSWER_LOST', exitCode: 1 });
    expect(error.message).toBe('the service account "pipe" was created, but the response with its secret was lost');
    // What happened is known, so there is nothing to check.
    expect(error.hints).toEqual([
      expect.stringMatching(/^delete it with: weir cloud service-account delete \S+$/),
      'or create a new secret for it in the console',
      'or create a service account with another name',
    ]);
    expect(await calls('service-accounts.create')).toBe(1);
  });

  test('one that was not accepted is sent again after the check', async () => {
    using client = cloudOf(plane);
    await client.cloud.token();
    await dropped('resource-groups.create');
    expect(await client.cloud.createResourceGroup({ name: 'dev' })).toMatchObject({ name: 'dev' });
    const routes = (await plane.journal()).map(({ route }) => route).filter((route) => route?.startsWith('resource'));
    expect(routes).toEqual(['resource-groups.create', 'resource-groups.list', 'resource-groups.create']);
    expect(client.warnings).toEqual([]);
  });

  test('a 503 counts as lost: it may have been accepted', async () => {
    using client = cloudOf(plane);
    await client.cloud.token();
    await plane.fault('resource-groups.create', { kind: 'status', status: 503 });
    expect(await client.cloud.createResourceGroup({ name: 'dev' })).toMatchObject({ name: 'dev' });
    const routes = (await plane.journal()).map(({ route }) => route).filter((route) => route?.startsWith('resource'));
    expect(routes).toEqual(['resource-groups.create', 'resource-groups.list', 'resource-groups.create']);
  });

  test('when the retries or the command end, the error says that the outcome is unknown', async () => {
    using client = cloudOf(plane, {}, { limits: { retry: 0 } });
    await client.cloud.token();
    const hint = 'check whether the request to create the resource group "dev" was accepted before you repeat it';
    await lost('resource-groups.create');
    const error = await failure(client.cloud.createResourceGroup({ name: 'dev' }));
    expect(error).toMatchObject({ exitCode: 5 });
    expect(error.hints).toContain(hint);
    await plane.fault('resource-groups.create', { kind: 'delay', ms: 600_000 });
    const stopped = failure(client.cloud.createResourceGroup({ name: 'dev' }));
    await expect.poll(async () => plane.faults()).toEqual([]);
    client.abort(new CliError(130, 'ended by SIGINT', { code: 'INTERRUPTED' }));
    expect(await stopped).toMatchObject({ exitCode: 130, code: 'INTERRUPTED', hints: [hint] });
    // The held request makes its group when its client has gone; it must not do so in the next test.
    await expect.poll(() => calls('resource-groups.create')).toBe(2);
  });

  test('one of the same name with other fields is not mistaken for it', async () => {
    const { groupId } = await readyNetwork(plane);
    using client = cloudOf(plane);
    await client.cloud.token();
    await dropped('networks.create');
    const wanted = networkBody(groupId, { cidr_block: '10.9.0.0/20' }).network;
    const error = await failure(client.cloud.createNetwork(wanted));
    expect(error).toMatchObject({ exitCode: 6, code: 'ALREADY_EXISTS' });
  });
});
