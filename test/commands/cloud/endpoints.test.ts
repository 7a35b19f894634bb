import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quickPolls } from '../../quick-intervals.ts';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

quickPolls();

const world = cloudWorld();

/** What was sent to one route, the newest last. */
async function sent(method: string, path: RegExp) {
  const entries = await world.plane.journal();
  return entries.filter((entry) => entry.method === method && path.test(entry.path));
}

const file = (body: object): string => {
  const path = join(world.home, 'body.json');
  writeFileSync(path, JSON.stringify(body));
  return path;
};

/** Lets the virtual clock run until the command has ended, and not into the next test. */
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const passing = (async () => {
    while (!isOver) {
      await world.plane.advance(5_000).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  try {
    return await work;
  } finally {
    isOver = true;
    await passing;
  }
}

describe('the endpoints of the control plane, by number', () => {
  test('1: POST /v1/resource-groups creates a resource group', async () => {
    const made = await world.json('resource-group create dev');
    expect(made).toMatchObject({ id: expect.any(String), name: 'dev' });
    const [request] = await sent('POST', /resource-groups$/);
    expect(request).toMatchObject({ status: 201, body: { resource_group: { name: 'dev' } } });
  });

  test('2: DELETE /v1/resource-groups/{id} deletes it', async () => {
    const { id } = await world.json('resource-group create dev');
    expect(await world.json(`resource-group delete ${id} --yes`)).toMatchObject({ id, name: 'dev', state: 'DELETED' });
    expect(await world.json('resource-group list')).toEqual([]);
  });

  test('3: POST /v1/networks creates a network and waits for it', async () => {
    const { id } = await world.json('resource-group create dev');
    const made = await whileTimePasses(
      world.json(
        `network create --name net --resource-group-id ${id} --cidr-block 10.0.0.0/20 --cloud-provider gcp --cluster-type byoc --region us-central1`,
      ),
    );
    expect(made).toMatchObject({ name: 'net', state: 'STATE_READY', cloud_provider: 'CLOUD_PROVIDER_GCP' });
    const [request] = await sent('POST', /networks$/);
    expect(request?.body).toEqual(networkBody(id));
  });

  test('4: DELETE /v1/networks/{id} returns an operation that is waited for', async () => {
    const { networkId } = await readyNetwork(world.plane);
    const done = await whileTimePasses(world.json(`network delete ${networkId} --yes`));
    // The same shape as a deleted cluster and a deleted resource group.
    expect(done).toMatchObject({ id: networkId, name: 'net', state: 'DELETED' });
    expect(await world.json('network list')).toEqual([]);
  });

  test('5: POST /v1/clusters sends the body of the seed and returns an operation with metadata.cluster_id', async () => {
    const { groupId, networkId } = await readyNetwork(world.plane);
    const made = await world.json([
      ...`cluster create --name first --resource-group-id ${groupId} --network-id ${networkId}`.split(' '),
      ...'--cloud-provider gcp --connection-type public --region us-central1 --type byoc --no-wait'.split(' '),
      ...'--throughput-tier tier-1-gcp-v2-x86 --zones us-central1-a,us-central1-b,us-central1-c'.split(' '),
      ...'--set audit_enabled=true --set iceberg_catalog_type=rest'.split(' '),
    ]);
    expect(made).toMatchObject({ type: 'TYPE_CREATE_CLUSTER', state: 'STATE_IN_PROGRESS' });
    expect(made.metadata.cluster_id).toBe(made.resource_id);
    const [request] = await sent('POST', /clusters$/);
    expect(request?.body).toEqual(clusterBody(groupId, networkId));
  });

  test('6: GET /v1/clusters/{id} shows the cluster with its state', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const cluster = await world.json(`cluster get ${clusterId}`);
    expect(cluster).toMatchObject({ id: clusterId, state: 'STATE_READY', type: 'TYPE_BYOC' });
    expect(cluster.cluster_configuration.custom_properties).toEqual({
      audit_enabled: true,
      iceberg_catalog_type: 'rest',
    });
  });

  test('7: PATCH /v1/clusters/{id} sends only what changes', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const line = ['cluster', 'update', clusterId, '--set', 'audit_enabled=false', '--set', 'a=1', '--set-json', 'b=2'];
    const cluster = await whileTimePasses(world.json(line));
    const [request] = await sent('PATCH', /clusters/);
    expect(request?.body).toEqual({
      cluster_configuration: { custom_properties: { audit_enabled: false, a: '1', b: 2 } },
    });
    expect(cluster.cluster_configuration.custom_properties).toMatchObject({ audit_enabled: false, a: '1', b: 2 });
  });

  test('8: DELETE /v1/clusters/{id} returns an operation', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const operation = await world.json(`cluster delete ${clusterId} --no-wait --yes`);
    expect(operation).toMatchObject({ type: 'TYPE_DELETE_CLUSTER', resource_id: clusterId });
  });

  test('9: GET /v1/operations/{id} shows an operation', async () => {
    const { createOperation, clusterId } = await readyCluster(world.plane);
    const operation = await world.json(`operation get ${createOperation}`);
    expect(operation).toMatchObject({
      id: createOperation,
      type: 'TYPE_CREATE_CLUSTER',
      state: 'STATE_COMPLETED',
      resource_id: clusterId,
      metadata: { cluster_id: clusterId },
    });
    const ids = (await world.json(`operation list --resource-id ${clusterId} --state completed`)).map(
      ({ id }: { id: string }) => id,
    );
    expect(ids).toEqual([createOperation]);
  });

  test('10: GET /v1/role-bindings lists with both filters', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const account = await world.json('service-account create --name ci-reader-1');
    await world.json(
      `role-binding create --role-name reader --account-id ${account.id} --resource-id ${clusterId} --resource-type cluster`,
    );
    const rows = await world.json('role-binding list --role-name Reader --resource-type cluster');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ role_name: 'Reader', account_id: account.id });
    const [request] = (await sent('GET', /role-bindings/)).slice(-1);
    expect(JSON.stringify(request)).toContain('SCOPE_RESOURCE_TYPE_CLUSTER');
  });

  test('11: GET /v1/role-bindings/{id} shows one', async () => {
    const [first] = await world.json('role-binding list --role-name Admin');
    expect(await world.json(`role-binding get ${first.id}`)).toEqual(first);
  });

  test('12: POST /v1/role-bindings sends its fields at the top level, the type only when given', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const { id } = await world.json('service-account create --name ci-writer-1');
    const made = await world.json(
      `role-binding create --role-name Writer --account-id ${id} --resource-id ${clusterId}`,
    );
    expect(made.scope).toEqual({ resource_type: 'SCOPE_RESOURCE_TYPE_CLUSTER', resource_id: clusterId });
    const [request] = await sent('POST', /role-bindings$/);
    expect(request?.body).toEqual({ role_name: 'Writer', account_id: id, scope: { resource_id: clusterId } });
  });

  test('13: GET /v1/users/{id} shows a person', async () => {
    const { users } = (await world.plane.api('GET', '/v1/users')).body;
    const shown = await world.json(`user get ${users[0].id}`);
    expect(shown).toMatchObject({ id: users[0].id, email: 'ada@cloud.example', name: 'Ada' });
  });

  test('14: POST /v1/service-accounts shows the secret once', async () => {
    const made = await world.json(['service-account', 'create', '--name', 'pipe', '--description', 'a pipeline']);
    expect(made).toMatchObject({
      name: 'pipe',
      description: 'a pipeline',
      client_secret: expect.stringMatching(/.{16}/),
    });
    const again = await world.cloud(`service-account get ${made.id} --format json`);
    expect(again.stdout).not.toContain(made.client_secret);
    const [request] = await sent('POST', /service-accounts$/);
    expect(request?.body).toEqual({ service_account: { name: 'pipe', description: 'a pipeline' } });
  });
});

describe('the rules of the control plane, by number', () => {
  test('1: a network needs its resource group', async () => {
    const body = networkBody('897e76ad-64d5-4314-9d81-7383fa14100d');
    const outcome = await world.cloud(`network create --file ${file(body)}`);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toBe(
      'weir: unable to find the resource group "897e76ad-64d5-4314-9d81-7383fa14100d": none has this id or name\nhint: list them with: weir cloud resource-group list\n',
    );
    expect(await sent('POST', /networks$/)).toEqual([]);
  });

  test('2: when the operation has completed, the cluster is read with endpoint 6', async () => {
    const { groupId, networkId } = await readyNetwork(world.plane, { cluster_type: 'TYPE_DEDICATED' });
    const body = clusterBody(groupId, networkId, { type: 'TYPE_DEDICATED' });
    const cluster = await whileTimePasses(world.json(`cluster create --file ${file(body)}`));
    expect(cluster).toMatchObject({ name: 'first', state: 'STATE_READY' });
    const reads = (await world.plane.journal()).map(
      ({ method, path }) => `${method} ${path.replace(/[a-v0-9]{20}/, '{id}')}`,
    );
    expect(reads.slice(-2)).toEqual(['GET /v1/operations/{id}', 'GET /v1/clusters/{id}']);
  });

  test('3: after an update the operation is read until it has completed', async () => {
    const { clusterId } = await readyCluster(world.plane);
    await whileTimePasses(world.json(`cluster update ${clusterId} --set audit_enabled=false`));
    const reads = (await sent('GET', /operations/)).length;
    expect(reads).toBeGreaterThanOrEqual(1);
  });

  test("4: a BYOC cluster waits for the client's step, and the line to run is printed", async () => {
    const { groupId, networkId } = await readyNetwork(world.plane);
    const outcome = await world.cloud(
      `cluster create --file ${file(clusterBody(groupId, networkId))} --project-id my-project --format json`,
    );
    expect(outcome.exitCode).toBe(0);
    const { id, state } = JSON.parse(outcome.stdout);
    expect(state).toBe('STATE_CREATING_AGENT');
    expect(outcome.stderr).toContain(`  weir cloud byoc gcp apply --cluster-id ${id} --project-id=my-project\n`);
  });

  test('6: a Dedicated cluster is deleted without a step of the client', async () => {
    const { groupId, networkId } = await readyNetwork(world.plane, { cluster_type: 'TYPE_DEDICATED' });
    const body = clusterBody(groupId, networkId, { type: 'TYPE_DEDICATED' });
    const { id } = await whileTimePasses(world.json(`cluster create --file ${file(body)}`));
    const gone = await whileTimePasses(world.json(`cluster delete ${id} --yes`));
    expect(gone).toMatchObject({ id, name: 'first', state: 'DELETED' });
  });

  test('7: other roles than Reader, Writer and Admin are refused before anything is sent', async () => {
    const outcome = await world.cloud('role-binding create --role-name Owner --account-id a --resource-id b');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not one of Reader, Writer, Admin') });
    expect(await world.plane.journal()).toEqual([]);
  });
});
