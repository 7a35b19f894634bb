import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxMark } from '../../../src/config/profile/sandbox-mark.ts';
import { writeWhole } from '../../config/sources/sources.ts';
import { clusterBody, networkBody, readyCluster, readyNetwork } from '../../sandbox/cloud/plane.ts';
import { run } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();
/** Takes every id as it is. */
const documented = cloudWorld({ documentedOnly: true });
const terminal = { stdin: true, stdout: true, stderr: true };
const profiles = () => join(world.home, '.config/weir/weir.yaml');

function fileWith(body: object): string {
  const file = join(world.home, 'body.json');
  writeFileSync(file, JSON.stringify(body));
  return file;
}

/** Lets the next creation answer with the finished operation of a BYOC cluster that is ready. */
async function readyAtOnce(): Promise<{ readonly file: string; readonly clusterId: string }> {
  const { plane } = world;
  const { groupId, networkId, clusterId, createOperation } = await readyCluster(plane);
  const { operation } = (await plane.api('GET', `/v1/operations/${createOperation}`)).body;
  await plane.fault('clusters.create', { kind: 'status', status: 202, body: { operation } });
  return { file: fileWith(clusterBody(groupId, networkId)), clusterId };
}

describe('a new cluster', () => {
  test('whose agent is there already needs no step of the client', async () => {
    const { file, clusterId } = await readyAtOnce();
    const outcome = await world.cloud(`cluster create --file ${file} --format json`);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: `use it with: weir cloud cluster select ${clusterId}\n` });
    const made = { status: 'OK', dry_run: false, error: null };
    expect(JSON.parse(outcome.stdout)).toMatchObject({ id: clusterId, state: 'STATE_READY', ...made });
  });

  test('is reported although its profile cannot be created', async () => {
    writeWhole(profiles(), 'profiles:\n  - name: first\n');
    const { file, clusterId } = await readyAtOnce();
    const outcome = await world.cloud(`cluster create --file ${file} --format json`, { terminal, stdin: 'y\n' });
    expect(outcome.exitCode).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ id: clusterId });
    expect(outcome.stderr).toContain(
      `unable to create a profile: profile "first" already exists\nuse it with: weir cloud cluster select ${clusterId}\n`,
    );
  });
});

test('the changes of a cluster may be in a file, which --set adds to', async () => {
  const change = { name: 'other', cluster_configuration: { custom_properties: { a: 1, b: 2 } } };
  for (const body of [change, { cluster: change }]) {
    const planned = await documented.json(`cluster update c1 --file ${fileWith(body)} --set b=x --dry-run`);
    expect(planned.body).toEqual({ ...change, cluster_configuration: { custom_properties: { a: 1, b: 'x' } } });
  }
});

test('the id of a new network is that in the metadata of an operation without a resource', async () => {
  const { networkId, groupId } = await readyNetwork(world.plane);
  const operation = { id: 'o1', type: 'TYPE_CREATE_NETWORK', metadata: { network_id: networkId } };
  const answer = (status: number, state: string) =>
    ({ kind: 'status', status, body: { operation: { ...operation, state } } }) as const;
  await world.plane.fault('networks.create', answer(202, 'STATE_IN_PROGRESS'));
  await world.plane.fault('operations.get', answer(200, 'STATE_COMPLETED'));
  expect(await world.json(`network create --file ${fileWith(networkBody(groupId))}`)).toMatchObject({ id: networkId });
});

test('the secret of a new service account is shown although it cannot be saved', async () => {
  writeWhole(profiles(), 'profiles:\n  - name: ci\n');
  mkdirSync(`${profiles()}.lock`);
  const outcome = await world.cloud('service-account create --name pipe --save-profile ci --format json');
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ name: 'pipe', client_secret: expect.stringMatching(/.{16}/) });
  expect(outcome.stderr).toMatch(/^warning: unable to save the credentials in profile "ci": unable to /);
  expect(readFileSync(profiles(), 'utf8')).not.toContain('cloud.');
});

test('a deletion is not asked about if the cluster cannot be read', async () => {
  const { clusterId } = await readyCluster(world.plane);
  await world.plane.fault('clusters.get', { kind: 'status', status: 403 }, { times: null });
  const outcome = await world.cloud(`cluster delete ${clusterId}`, { terminal, stdin: 'y\n' });
  expect(outcome.exitCode).toBe(4);
  expect(outcome.stderr).not.toContain('[y/N]');
  expect(await world.plane.journal('?route=clusters.delete')).toEqual([]);
});

test('the profile of a cluster has none of the access of the profile in use, not even of one that has the mark of a sandbox', async () => {
  const id = 'cccccccccccccccccccc';
  const brokers = ['127.0.0.1:9092', 'localhost:9093'];
  const options = { user: 'u', pass: 'p', 'sasl.mechanism': 'PLAIN', 'registry.hosts': 'http://r:8081', brokers };
  const profile = `  - name: sandbox\n    description: ${sandboxMark}\n    options: ${JSON.stringify(options)}\n`;
  writeWhole(profiles(), `profiles:\n${profile}`);
  const cluster = { id, name: 'local', state: 'STATE_READY', kafka_api: { seed_brokers: brokers } };
  await world.plane.fault('clusters.get', { kind: 'status', status: 200, body: { cluster } });
  await world.json(`cluster select ${id} --name near --profile sandbox`);
  const { stdout } = await run('profile print near --show-secrets --format json', { home: world.home });
  expect(JSON.parse(stdout).options).toEqual({ 'tls.enabled': true, brokers });
});

test('a copy of the profile of a sandbox does not have its mark', async () => {
  const profile = `  - name: sandbox\n    description: ${sandboxMark}\n    options: {brokers: b.example}\n`;
  writeWhole(profiles(), `profiles:\n${profile}`);
  const sources = { own: 'sandbox', mixed: 'current --profile sandbox', theirs: profiles() };
  for (const [name, from] of Object.entries(sources)) {
    await run(`profile create ${name} --from ${from}`, { home: world.home });
    const { stdout } = await run(`profile print ${name}`, { home: world.home });
    expect(stdout).toContain('b.example');
    expect(stdout).not.toContain(sandboxMark);
  }
});

test.each([
  ['h:99999', 'the broker address "h:99999": a port must be a number from 1 to 65535'],
  ['user:s3cret@h:1', 'the broker address "…@h:1": credentials are not allowed in an address'],
])('a cluster whose broker has the address %j is not selected, and the error shows it', async (address, reason) => {
  const id = 'cccccccccccccccccccc';
  const cluster = { id, name: 'c', state: 'STATE_READY', kafka_api: { seed_brokers: ['h:1', address] } };
  const select = async (format: string) => {
    await world.plane.fault('clusters.get', { kind: 'status', status: 200, body: { cluster } });
    return await world.cloud(`cluster select ${id} --format ${format}`);
  };
  const outcome = await select('text');
  expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  expect(outcome.stderr).toContain(`unable to select the cluster ${id}: the control plane sent ${reason}`);
  expect(outcome.stderr).not.toMatch(/unexpected|s3cret/);
  const { stderr } = await select('json');
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'ADDRESS_INVALID', target: id });
});

test.each([
  ...['cluster', 'network', 'resource-group', 'operation', 'role-binding', 'service-account', 'user'].map(
    (noun) => `${noun} get`,
  ),
  ...['cluster', 'network', 'resource-group'].map((noun) => `${noun} delete --yes`),
  ...['operation wait', 'cluster update --set a=b', 'cluster select'],
])('%s refuses an id that cannot be a part of a path, before anything is sent', async (line) => {
  for (const id of ['', ' ', '.', '..'])
    expect(await world.cloud([...line.split(' '), id])).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await world.plane.journal()).toEqual([]);
});
