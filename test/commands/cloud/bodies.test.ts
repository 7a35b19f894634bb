import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();
/** Takes every id as it is. */
const documented = cloudWorld({ documentedOnly: true });

function write(name: string, text: string): string {
  const path = join(documented.home, name);
  writeFileSync(path, text);
  return path;
}

/** What a command would send. */
async function planned(line: string | readonly string[], stdin?: string) {
  return (await documented.json(line, stdin === undefined ? {} : { stdin })).body;
}

const short = `
name: net
resource_group_id: g1
cidr_block: 10.0.0.0/20
cloud_provider: gcp
cluster_type: BYOC
region: us-central1
`;
const long = networkBody('g1');

describe('the body of a request', () => {
  test.each([
    ['YAML, bare, with short words', short],
    ['YAML, wrapped', `network:${short.replaceAll('\n', '\n  ')}`],
    ['JSON, bare', JSON.stringify(long.network)],
    ['JSON, wrapped', JSON.stringify(long)],
  ])('may be a file: %s', async (_, text) => {
    const path = write('network.yaml', text);
    expect(await planned(`network create --file ${path} --dry-run`)).toEqual(long);
    expect(await planned('network create --file - --dry-run', text)).toEqual(long);
  });

  test('flags override the file, and fields without a flag are kept', async () => {
    const path = write('network.yaml', `${short}customer_managed_resources: {gcp: {network_name: x}}\n`);
    const { network } = await planned(`network create --file ${path} --name other --cloud-provider aws --dry-run`);
    expect(network).toEqual({
      ...long.network,
      name: 'other',
      cloud_provider: 'CLOUD_PROVIDER_AWS',
      customer_managed_resources: { gcp: { network_name: 'x' } },
    });
  });

  test('all missing fields are named together, and nothing is sent', async () => {
    const outcome = await documented.cloud('network create --name net --region eu');
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: `weir: missing flag --resource-group-id, --cidr-block, --cloud-provider, --cluster-type
hint: read them from a file with: --file FILE
hint: usage: weir cloud network create [FLAGS]
`,
    });
    expect(await documented.plane.journal()).toEqual([]);
  });

  test.each([
    ['a list', '- a', 'it contains no fields'],
    ['two resources', 'network: {name: a}\ncluster: {}', 'it contains other fields besides "network"'],
    ['no YAML', 'a: [', ':1'],
  ])('%s is refused, naming the file', async (_, text, words) => {
    const path = write('bad.yaml', text);
    const outcome = await documented.cloud(`network create --file ${path}`);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(words);
    expect(outcome.stderr).toContain('bad.yaml');
  });

  test('a file that does not exist, and a wrong word: exit 2 with the right ones', async () => {
    expect(await documented.cloud('network create --file nothing.yaml')).toMatchObject({ exitCode: 2 });
    const outcome = await documented.cloud('network create --cloud-provider moon');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not one of aws, azure, gcp') });
  });

  test('unknown words of the API are passed through', async () => {
    const path = write('network.yaml', short.replace('gcp', 'CLOUD_PROVIDER_MOON'));
    expect((await planned(`network create --file ${path} --dry-run`)).network.cloud_provider).toBe(
      'CLOUD_PROVIDER_MOON',
    );
  });

  test('properties of a file and of flags are joined', async () => {
    const body = clusterBody('g1', 'n1');
    const path = write('cluster.json', JSON.stringify(body));
    const { cluster } = await planned(`cluster create --file ${path} --set audit_enabled=false --set x=1 --dry-run`);
    expect(cluster.cluster_configuration.custom_properties).toEqual({
      audit_enabled: false,
      iceberg_catalog_type: 'rest',
      x: '1',
    });
  });

  test.each([
    ['x=true', true],
    ['x=false', false],
    ['x=TRUE', 'TRUE'],
    ['x=1', '1'],
    ['x=', ''],
    ['x=a=b', 'a=b'],
  ])('--set %s', async (word, expected) => {
    const body = await planned(['cluster', 'update', 'c1', '--set', word, '--dry-run']);
    expect(body).toEqual({ cluster_configuration: { custom_properties: { x: expected } } });
  });

  test('an update without a change is a usage error', async () => {
    const outcome = await documented.cloud('cluster update c1');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing to change') });
    expect(await documented.plane.journal()).toEqual([]);
  });

  test.each(['--set x', '--set =1', '--set-json x={'])('%s is a usage error', async (words) => {
    expect(await documented.cloud(['cluster', 'update', 'c1', ...words.split(' ')])).toMatchObject({ exitCode: 2 });
  });
});

describe('--dry-run', () => {
  test('says what would be sent, and sends nothing that changes', async () => {
    const { clusterId, networkId, groupId } = await readyCluster(documented.plane);
    const before = (await documented.plane.journal()).length;
    for (const line of [
      'resource-group create other',
      `resource-group delete ${groupId} --yes`,
      `network delete ${networkId} --yes`,
      `cluster delete ${clusterId} --yes`,
      `cluster update ${clusterId} --set a=b`,
      'service-account create --name pipe',
      `role-binding create --role-name Reader --account-id a --resource-id ${clusterId}`,
    ]) {
      const outcome = await documented.cloud(`${line} --dry-run`);
      expect(outcome).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^WOULD-SEND\s+(POST|PATCH|DELETE) http/),
      });
    }
    const entries = (await documented.plane.journal()).slice(before);
    expect(entries.filter(({ method, route }) => method !== 'GET' && route !== 'oauth.token')).toEqual([]);
  });
});

test.each([
  ['resource-group create other', 'POST', '/v1/resource-groups'],
  ['service-account create --name pipe', 'POST', '/v1/service-accounts'],
  ['role-binding create --role-name Reader --account-id a --resource-id b', 'POST', '/v1/role-bindings'],
  ['cluster update a/b --set a=b', 'PATCH', '/v1/clusters/a%2Fb'],
])('%s would be sent to its own address', async (line, method, path) => {
  expect(await documented.json(`${line} --dry-run`)).toMatchObject({
    method,
    url: `${documented.plane.url}${path}`,
    target: null,
  });
});

describe('deletions', () => {
  test('ask on a terminal with the name, and no is no', async () => {
    const { networkId } = await readyNetwork(world.plane);
    const outcome = await world.cloud(`network delete ${networkId}`, {
      terminal: { stdin: true, stdout: true, stderr: true },
      stdin: 'n\n',
    });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toContain(`Delete the network "net" (${networkId}) on http://127.0.0.1:`);
    expect(await world.json('network list')).toHaveLength(1);
  });

  test('a missing resource exits with 3, one that is not empty with 6', async () => {
    const { groupId } = await readyNetwork(world.plane);
    expect(await world.cloud('network delete nope --yes')).toMatchObject({ exitCode: 3 });
    expect(await world.cloud('cluster delete nope --yes')).toMatchObject({ exitCode: 3 });
    const outcome = await world.cloud(`resource-group delete ${groupId} --yes`);
    expect(outcome).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('REASON_RESOURCE_GROUP_NOT_EMPTY') });
  });
});

describe('text output', () => {
  test("tables have the words that one types, JSON has the API's; lists are in the order of names", async () => {
    const { clusterId } = await readyCluster(world.plane);
    await world.json('resource-group create Alpha');
    const { stdout } = await world.cloud('resource-group list');
    expect(stdout.split('\n').map((line) => line.split(/\s+/)[0])).toEqual(['NAME', 'Alpha', 'dev', '']);
    const clusters = await world.cloud('cluster list');
    expect(clusters.stdout).toContain('NAME   ID                    STATE  TYPE  PROVIDER');
    expect(clusters.stdout).toContain(`first  ${clusterId}  ready  byoc  gcp       us-central1`);
    expect(await world.json('cluster list')).toMatchObject([
      { state: 'STATE_READY', type: 'TYPE_BYOC', cloud_provider: 'CLOUD_PROVIDER_GCP' },
    ]);
    const shown = await world.cloud(`cluster get ${clusterId}`);
    expect(shown.stdout).toMatch(/^STATE\s+ready$/m);
    expect(shown.stdout).toMatch(/KAFKA-API\.SEED-BROKERS\s+\[seed-/);
  });

  test('regions are those of all providers or of one, with their zones', async () => {
    const { stdout } = await world.cloud('region list');
    expect(stdout).toContain('PROVIDER  REGION        ZONES\naws       eu-west-1     [euw1-az1 euw1-az2 euw1-az3]\n');
    expect(stdout).toContain('azure     eastus');
    expect(await world.json('region list --cloud-provider gcp --cluster-type byoc')).toMatchObject([
      { name: 'europe-west1', cloud_provider: 'CLOUD_PROVIDER_GCP' },
      { name: 'us-central1', zones: ['us-central1-a', 'us-central1-b', 'us-central1-c', 'us-central1-f'] },
      { name: 'us-west1' },
    ]);
    const [request] = (await world.plane.journal()).filter(({ path }) => path.startsWith('/v1/regions/')).slice(-1);
    expect(request?.path).toBe('/v1/regions/CLOUD_PROVIDER_GCP');
  });

  test('no id, name or tier of the list is broken on a narrow terminal', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const list = async (columns: number) =>
      (await world.cloud('cluster list --color never', { terminal: { stdout: columns } })).stdout;
    expect(await list(80)).toBe(
      [
        'NAME  ID                   STATE TYPE PROVIDER REGION      TIER',
        `first ${clusterId} ready byoc gcp      us-central1 tier-1-gcp-v2-x86`,
        '',
      ].join('\n'),
    );
    expect(await list(60)).toBe(
      [
        'NAME      first',
        `ID        ${clusterId}`,
        'STATE     ready',
        'TYPE      byoc',
        'PROVIDER  gcp',
        'REGION    us-central1',
        'TIER      tier-1-gcp-v2-x86',
        '',
      ].join('\n'),
    );
  });

  test('a whole name can be used for an id', async () => {
    const { clusterId } = await readyCluster(world.plane);
    expect(await world.json('cluster get first')).toMatchObject({ id: clusterId });
    expect(await world.json('network get net')).toMatchObject({ name: 'net' });
    await world.json('resource-group create twin');
    expect(await world.json('resource-group delete twin --yes')).toMatchObject({ name: 'twin', state: 'DELETED' });
    await world.json('resource-group create twin');
    expect((await world.cloud('cluster get irst')).exitCode).toBe(3);
  });
});
