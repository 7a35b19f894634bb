import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { quickPolls } from '../../quick-intervals.ts';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { type CloudPerson, newCloudPerson } from './byoc-world.ts';

quickPolls();

// A control plane with exactly the fourteen documented endpoints, whose ids are any text. What weir reads besides is a
// convenience: no flow needs it.
let me: CloudPerson;
beforeAll(async () => {
  me = await newCloudPerson({ documentedOnly: true });
});
afterAll(() => me.plane.stop());
beforeEach(() => me.plane.reset());

/** Runs a command, whose JSON is its result, while time passes. */
async function json(line: string) {
  const outcome = await passing(me.run(`cloud ${line} --format json`));
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  return JSON.parse(outcome.stdout);
}

async function passing<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const clock = (async () => {
    while (!isOver) {
      await me.plane.advance(5_000).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  try {
    return await work;
  } finally {
    isOver = true;
    await clock;
  }
}

/** The requests that change something. */
async function changes(): Promise<readonly string[]> {
  const all = await me.plane.journal();
  return all
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'))
    .map((one) => `${one.method} ${one.path}`);
}

let files = 0;
function file(body: object): string {
  const path = join(me.home, `body-${files++}.json`);
  writeFileSync(path, JSON.stringify(body));
  return path;
}

const networkFlags = '--name net --cidr-block 10.0.0.0/20 --cloud-provider gcp --region us-central1';

describe('a control plane with the fourteen documented endpoints', () => {
  test('a Dedicated cluster comes and goes, with its network and its resource group', async () => {
    const { id: group } = await json('resource-group create dev');
    expect(group).toMatch(/^rg\d{4}$/);
    const network = await json(`network create ${networkFlags} --cluster-type dedicated --resource-group-id ${group}`);
    expect(network).toMatchObject({ name: 'net', cidr_block: '10.0.0.0/20', cluster_type: 'TYPE_DEDICATED' });
    expect(network.id).toMatch(/^net\d{4}$/);
    const part = { type: 'TYPE_DEDICATED' };
    const { id } = await json(`cluster create --file ${file(clusterBody(group, network.id, part))}`);
    expect(id).toMatch(/^cl\d{4}$/);
    expect(await json(`cluster get ${id}`)).toMatchObject({ id, name: 'first', state: 'STATE_READY' });
    const updated = await json(`cluster update ${id} --set audit_enabled=false`);
    expect(updated.cluster_configuration.custom_properties).toMatchObject({ audit_enabled: false });
    expect(await json(`cluster select ${id} --name mine`)).toMatchObject({ profile: 'mine', cluster_id: id });
    me.plane.clearJournal();
    expect(await json(`cluster delete ${id} --yes`)).toMatchObject({ id, name: 'first', state: 'DELETED' });
    expect(await json(`network delete ${network.id} --yes`)).toMatchObject({
      id: network.id,
      name: '',
      state: 'DELETED',
    });
    expect(await json(`resource-group delete ${group} --yes`)).toMatchObject({ id: group, name: '', state: 'DELETED' });
    expect(await changes()).toEqual([
      `DELETE /v1/clusters/${id}`,
      `DELETE /v1/networks/${network.id}`,
      `DELETE /v1/resource-groups/${group}`,
    ]);
  });

  test('a BYOC cluster comes and goes in one command each', async () => {
    const { groupId, networkId } = await readyNetwork(me.plane);
    const body = file(clusterBody(groupId, networkId));
    const before = me.pluginStarts().length;
    const { id } = await json(`cluster create --file ${body} --apply --project-id p1`);
    const flags = '--destroy --project-id p1 --with-network --with-resource-group --yes';
    expect(await json(`cluster delete ${id} ${flags}`)).toMatchObject({ id, state: 'DELETED' });
    expect(me.plane.state()).toMatchObject({ clusters: [], networks: [], resourceGroups: [] });
    const starts = me.pluginStarts().slice(before);
    expect(starts.map(({ argv }) => argv[1])).toEqual(['apply', 'destroy']);
  });

  test('a BYOC cluster comes and goes step by step, and an interrupted deletion is resumed', async () => {
    const { groupId, networkId } = await readyNetwork(me.plane);
    const { id } = await json(`cluster create --file ${file(clusterBody(groupId, networkId))}`);
    await json(`byoc gcp apply --cluster-id ${id} --project-id p1`);
    const [{ id: operation }] = me.plane
      .state()
      .operations.filter(({ type }: { type: string }) => type === 'TYPE_CREATE_CLUSTER');
    expect(await json(`operation wait ${operation}`)).toMatchObject({ resource_id: id, state: 'STATE_COMPLETED' });
    expect(await json(`operation get ${operation}`)).toMatchObject({ id: operation });
    const left = await passing(me.run(`cloud cluster delete ${id} --with-network --with-resource-group --yes`));
    expect(left).toMatchObject({
      exitCode: 6,
      stdout: `weir cloud byoc gcp destroy --cluster-id ${id} --project-id=PROJECT\n`,
    });
    await json(`byoc gcp destroy --cluster-id ${id} --project-id p1 --yes`);
    expect(await json('resume')).toMatchObject([{ cluster_id: id, state: 'finished' }]);
    expect(me.plane.state()).toMatchObject({ clusters: [], networks: [], resourceGroups: [] });
  });

  test('a creation whose answer was lost is not sent a second time', async () => {
    const { groupId, networkId } = await readyNetwork(me.plane);
    const lines = {
      'networks.create': `network create --file ${file(networkBody(groupId, { name: 'two', cidr_block: '10.1.0.0/20' }))}`,
      'clusters.create': `cluster create --file ${file(clusterBody(groupId, networkId))} --no-wait`,
      'resource-groups.create': 'resource-group create two',
      'service-accounts.create': 'service-account create --name two',
    };
    for (const [route, line] of Object.entries(lines)) {
      me.plane.clearJournal();
      await me.plane.fault(route, { kind: 'drop', when: 'after' });
      const outcome = await me.run(`cloud ${line}`);
      expect(outcome.exitCode, outcome.stderr).toBe(1);
      expect(outcome.stderr).toMatch(
        /may have been created: the response was lost, and the control plane does not list/,
      );
      expect(await changes()).toHaveLength(1);
    }
  });

  test('accounts and roles', async () => {
    const { clusterId } = await readyCluster(me.plane);
    const { id: account } = await json('service-account create --name pipe');
    const flags = `--role-name Reader --account-id ${account} --resource-id ${clusterId} --resource-type cluster`;
    const binding = await json(`role-binding create ${flags}`);
    expect(binding).toMatchObject({ account_id: account, scope: { resource_id: clusterId } });
    expect(await json('role-binding list --role-name Reader --resource-type cluster')).toEqual([
      expect.objectContaining({ id: binding.id }),
    ]);
    expect(await json(`role-binding get ${binding.id}`)).toMatchObject({ id: binding.id });
    const [list] = await me.plane.journal('?route=role-bindings.list');
    expect(Object.keys(list?.query ?? {})).toEqual(['filter.role_name', 'filter.scope.resource_type']);
    const [user] = me.plane.state().users;
    expect(await json(`user get ${user.id}`)).toMatchObject({ id: user.id, email: 'ada@cloud.example' });
  });

  test('a text that no read confirms is sent, and the answer is that of the server', async () => {
    for (const [noun, what] of [
      ['network', 'network'],
      ['resource-group', 'resource group'],
    ] as const) {
      const outcome = await me.run(`cloud ${noun} delete nope --yes`);
      expect(outcome).toMatchObject({ exitCode: 3, stdout: '' });
      expect(outcome.stderr).toContain(`unable to delete the ${what} nope: ${what} nope not found (DELETE `);
    }
    const outcome = await me.run('cloud cluster delete nope --yes');
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('cluster nope not found (GET ') });
    expect(await changes()).toEqual(['DELETE /v1/networks/nope', 'DELETE /v1/resource-groups/nope']);
  });
});
