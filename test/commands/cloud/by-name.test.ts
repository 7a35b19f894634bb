import { describe, expect, test } from 'vitest';
import { readyCluster } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

/** What would be sent. */
async function planned(line: string) {
  return (await world.json(`${line} --dry-run`)).body;
}

describe('where an id is wanted, a name will do', () => {
  test('in the fields of a new resource', async () => {
    const { groupId, networkId, clusterId } = await readyCluster(world.plane);
    const place = '--cloud-provider gcp --region us-central1 --resource-group-id dev';
    const network = await planned(`network create --name n2 --cidr-block 10.1.0.0/20 --cluster-type byoc ${place}`);
    expect(network.network).toMatchObject({ resource_group_id: groupId });
    const cluster = await planned(
      `cluster create --name c2 --type byoc --throughput-tier t --zones z --network-id net ${place}`,
    );
    expect(cluster.cluster).toMatchObject({ resource_group_id: groupId, network_id: networkId });
    const { id } = await world.json('service-account create --name ci-bot');
    const role = 'role-binding create --role-name Reader';
    expect(await planned(`${role} --account-id ci-bot --resource-id first`)).toMatchObject({
      account_id: id,
      scope: { resource_id: clusterId },
    });
    const [user] = world.plane.state().users;
    expect(
      await planned(`${role} --account-id ada@cloud.example --resource-id dev --resource-type resource-group`),
    ).toMatchObject({ account_id: user.id, scope: { resource_id: groupId } });
    // Also an organization, which weir cannot look up.
    expect(await planned(`${role} --account-id Ada --resource-id org-1`)).toMatchObject({
      scope: { resource_id: 'org-1' },
    });
  });

  test('in arguments and filters', async () => {
    const { clusterId, createOperation } = await readyCluster(world.plane);
    expect(await world.json('cluster get first')).toMatchObject({ id: clusterId });
    expect(await world.json('user get Ada')).toMatchObject({ email: 'ada@cloud.example' });
    expect(await world.json('service-account get ci-reader')).toMatchObject({ name: 'ci-reader' });
    expect(await world.json('cluster list --resource-group-id dev')).toMatchObject([{ id: clusterId }]);
    const operations = await world.json('operation list --resource-id first');
    expect(operations).toMatchObject([{ id: createOperation }]);
  });

  test('a list that has the name is enough', async () => {
    const { groupId } = await readyCluster(world.plane);
    await world.plane.fault('resource-groups.get', { kind: 'status', status: 501 }, { times: null });
    expect(await world.json('cluster list --resource-group-id dev')).toMatchObject([{ resource_group_id: groupId }]);
  });

  test.each([
    ['cluster delete second', 'cluster', 'cluster list'],
    ['network delete second', 'network', 'network list'],
    ['resource-group delete second', 'resource group', 'resource-group list'],
    ['service-account delete second', 'service account', 'service-account list'],
    ['network create --file - --resource-group-id second', 'resource group', 'resource-group list'],
  ])('%s: what does not exist is said before anything is asked', async (line, what, list) => {
    await readyCluster(world.plane);
    const body = JSON.stringify({ name: 'n', cidr_block: '10.1.0.0/20', cloud_provider: 'gcp', region: 'r' });
    const outcome = await world.cloud(`${line}${line.includes('--file') ? ' --cluster-type byoc' : ''}`, {
      stdin: line.includes('--file') ? body : 'y\n',
      terminal: { stdin: true, stdout: true, stderr: true },
      env: { NO_COLOR: '1' },
    });
    expect(outcome).toMatchObject({ exitCode: 3, stdout: '' });
    expect(outcome.stderr).not.toContain('[y/N]');
    expect(outcome.stderr).toContain(
      `weir: unable to find the ${what} "second": none has this id or name\nhint: list them with: weir cloud ${list}\n`,
    );
  });
});

test.each([
  ['nonsense', 'not of the form ADDRESS/PREFIX, for example 10.0.0.0/20'],
  ['10.0.0.0', 'not of the form ADDRESS/PREFIX, for example 10.0.0.0/20'],
  ['10.0.0.256/20', 'not of the form ADDRESS/PREFIX, for example 10.0.0.0/20'],
  ['10.0.0.0/99', 'the prefix after "/" must be a number from 0 to 32'],
])('the address range %s is refused before anything is sent', async (range, reason) => {
  const outcome = await world.cloud(`network create --cidr-block ${range}`);
  expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
  const file = await world.cloud('network create --file -', { stdin: JSON.stringify({ cidr_block: range }) });
  expect(file).toMatchObject({ exitCode: 2 });
  expect(file.stderr).toContain(`invalid cidr_block "${range}" in the file: ${reason}`);
  expect(await world.plane.journal()).toEqual([]);
});

test('a role binding and a service account are deleted, without a terminal only with --yes', async () => {
  const { id } = await world.json('service-account create --name ci-bot');
  const [binding] = (await world.json('role-binding list')).filter(
    (one: { account_id: string }) => one.account_id === id,
  );
  const refused = await world.cloud(`role-binding delete ${binding.id}`);
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('needs --yes when nobody can be asked'),
  });
  expect(refused.stderr).toContain(`--yes would delete the role binding "${binding.id}" (Admin for ${id} on `);
  expect(await world.json(`role-binding delete ${binding.id} --yes`)).toMatchObject({ state: 'DELETED' });
  expect((await world.cloud(`role-binding get ${binding.id}`)).exitCode).toBe(3);
  expect(await world.json('service-account delete ci-bot --yes')).toMatchObject({
    id,
    name: 'ci-bot',
    state: 'DELETED',
  });
  expect((await world.cloud('service-account get ci-bot')).exitCode).toBe(3);
});

test('the users are listed', async () => {
  const { stdout } = await world.cloud('user list');
  expect(stdout).toMatch(/^NAME +EMAIL +ID\nAda +ada@cloud\.example +\S+\nBen +ben@cloud\.example +\S+\n$/);
});
