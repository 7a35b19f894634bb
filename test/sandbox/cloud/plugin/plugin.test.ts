import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { admin, clusterBody, type Json, type Plane, readyCluster, readyNetwork, startPlane } from '../plane.ts';

const packs = '/api/v1/clusters-resources/install-pack-versions';
const here = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

let plane: Plane;
let directory: string;
beforeAll(async () => {
  plane = await startPlane();
  directory = await mkdtemp(join(tmpdir(), 'weir-plugin-'));
});
beforeEach(() => plane.reset());
afterAll(async () => {
  await plane.stop();
  await rm(directory, { recursive: true, force: true });
});

async function artifactOf(version: string): Promise<Json> {
  const pack = (await plane.api('GET', `${packs}/${version}`)).body;
  return pack.artifacts.find((one: { name: string }) => one.name === `byoc-${here}`);
}

async function download(location: string): Promise<Buffer> {
  const response = await fetch(location);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const halfSha = (location: string) => /\.([0-9a-f]{32})\.tar\.gz/.exec(location)?.[1];

/** Unpacks with the machine's own tar, which proves that the archive is valid. */
async function unpack(version: string): Promise<string> {
  const place = await mkdtemp(join(directory, 'unpacked-'));
  const packed = join(place, 'plugin.tar.gz');
  await writeFile(packed, await download((await artifactOf(version)).location));
  await execa('tar', ['-xzf', packed, '-C', place]);
  return join(place, `byoc-${here}`);
}

/** Runs the plugin of the pinned version and reads its record. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const record = join(await mkdtemp(join(directory, 'run-')), 'record');
  const file = await unpack('25.2.20250822');
  const result = await execa(file, args, { env: { SIM_PLUGIN_RECORD: record, ...env }, cwd: directory, reject: false });
  const lines = (await readFile(record, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { result, record: lines.map((line): Json => JSON.parse(line)) };
}

async function waitingCluster(): Promise<string> {
  const { groupId, networkId } = await readyNetwork(plane);
  const { body } = await plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
  return body.operation.metadata.cluster_id;
}

const stateOf = async (id: string) => (await plane.api('GET', `/v1/clusters/${id}`)).body.cluster?.state;

describe('install packs', () => {
  test('the newest of several is neither the first nor the last nor the one that clusters are pinned to', async () => {
    const { clusterId } = await readyCluster(plane);
    const list: Json[] = (await plane.api('GET', packs)).body;
    const newest = list.reduce((best, pack) => (pack.releasedAt > best.releasedAt ? pack : best));
    expect(list.indexOf(newest)).toBe(1);
    expect(list).toHaveLength(3);
    const days = list.map(({ releasedAt }) => String(releasedAt).slice(0, 10).replaceAll('-', ''));
    expect(days).toEqual(list.map(({ version }) => version.split('.')[2]));
    const { spec } = (await plane.api('GET', `/api/v1/clusters/${clusterId}`)).body;
    expect(spec).toMatchObject({ clusterType: 'byoc', installPackVersion: '25.2.20250822', provider: 'GCP' });
    expect(newest.version).not.toBe(spec.installPackVersion);
  });

  test('a cluster can be pinned to another version, even one without a pack', async () => {
    const { clusterId } = await readyCluster(plane);
    plane.pin(clusterId, '1.0.0');
    expect((await plane.api('GET', `/api/v1/clusters/${clusterId}`)).body.spec.installPackVersion).toBe('1.0.0');
    expect((await plane.api('GET', `${packs}/1.0.0`)).status).toBe(404);
  });

  test('the name contains half of the SHA-256 of the executable, and the checksum is of the packed file', async () => {
    const { location, checksumSha256 } = await artifactOf('25.3.20251105');
    const packed = await download(location);
    expect(sha256(packed)).toBe(checksumSha256);
    const tar = gunzipSync(packed);
    const size = Number.parseInt(tar.subarray(124, 135).toString('latin1'), 8);
    expect(sha256(tar.subarray(512, 512 + size)).slice(0, 32)).toBe(halfSha(location));
  });

  test('every version and platform has a distinct executable', async () => {
    const list: Json[] = (await plane.api('GET', packs)).body;
    const locations: string[] = list.flatMap((pack) =>
      pack.artifacts.map((artifact: { location: string }) => artifact.location),
    );
    const halves = locations.map(halfSha).filter((half) => half !== undefined);
    expect(halves).toHaveLength(12);
    expect(new Set(halves).size).toBe(12);
  });

  test('packs require a token, artifacts do not, and the journal records whether one was sent', async () => {
    expect((await plane.call('GET', packs)).status).toBe(401);
    const { location } = await artifactOf('25.2.20250822');
    await fetch(location);
    await fetch(location, { headers: { authorization: 'Bearer x' } });
    const entries = await plane.journal('?route=artifacts.get');
    expect(entries.map(({ authorization, status }) => [status, authorization])).toEqual([
      [200, false],
      [200, true],
    ]);
  });

  test('packs can be falsified: altered hash, no hash, no artifact, wrong checksum', async () => {
    const version = '25.2.20250822';
    const good = await artifactOf(version);
    const falsified = async (change: 'sha-altered' | 'name-without-sha' | 'missing' | 'checksum-altered') => {
      await plane.fault('install-packs.get', { kind: 'artifact', change });
      return artifactOf(version);
    };
    const altered = await falsified('sha-altered');
    expect(halfSha(altered.location)?.slice(1)).toBe(halfSha(good.location)?.slice(1));
    expect(halfSha(altered.location)).not.toBe(halfSha(good.location));
    expect(sha256(await download(altered.location))).toBe(good.checksumSha256);
    expect((await falsified('name-without-sha')).location).toMatch(/\/byoc-[a-z]+-[a-z0-9]+\.tar\.gz$/);
    expect(await falsified('missing')).toBeUndefined();
    expect((await falsified('checksum-altered')).checksumSha256).not.toBe(good.checksumSha256);
    expect(await artifactOf(version)).toEqual(good);
  });

  test('an artifact can be truncated or invalid, and a location can have a query', async () => {
    const { location } = await artifactOf('25.2.20250822');
    await plane.fault('artifacts.get', { kind: 'truncate', bytes: 100 });
    await expect(fetch(location).then((response) => response.arrayBuffer())).rejects.toThrow();
    await plane.fault('artifacts.get', { kind: 'garbage' });
    const garbage = await download(location);
    expect(() => gunzipSync(garbage)).toThrow();
    await plane.settings({ signedLocations: true });
    const signed = (await artifactOf('25.2.20250822')).location;
    expect(signed).toMatch(/\.tar\.gz\?X-Expires=900&X-Signature=/);
    expect((await download(signed)).length).toBeGreaterThan(1000);
  });
});

describe('the test plugin', () => {
  test('apply reports to the simulator and records its arguments and environment with a shortened token', async () => {
    const id = await waitingCluster();
    const token = await plane.tokenOf(admin);
    const { result, record } = await run(
      ['gcp', 'apply', '--project-id=p1', '--debug', '--cloud-api-token', token, '--redpanda-id', id],
      { SIM_PLUGIN_TOKEN_SHA256: sha256(token), WEIR_CLOUD_CLIENT_SECRET: 'hush', CLOUD_URL: `${plane.url}/api/v1` },
    );
    expect([result.exitCode, result.stdout]).toEqual([0, '']);
    expect(record).toHaveLength(1);
    expect(record[0]).toMatchObject({
      build: { version: '25.2.20250822', os: process.platform },
      token_matched: true,
      token_sha256: sha256(token),
      cwd: directory,
      exit_code: 0,
      environment: { WEIR_CLOUD_CLIENT_SECRET: '(set)', CLOUD_URL: `${plane.url}/api/v1` },
    });
    expect(record[0].argv.slice(0, 5)).toEqual(['gcp', 'apply', '--project-id=p1', '--debug', '--cloud-api-token']);
    expect(record[0].argv.slice(6)).toEqual(['--redpanda-id', id]);
    expect(JSON.stringify(record) + result.stderr).not.toMatch(new RegExp(`hush|${token.slice(0, 40)}`));
    expect(await stateOf(id)).toBe('STATE_CREATING');
  });

  test('destroy reports to the simulator, which it finds through the token when no variable is set', async () => {
    const { clusterId } = await readyCluster(plane);
    await plane.api('DELETE', `/v1/clusters/${clusterId}`);
    await plane.advance(10_000);
    const token = await plane.tokenOf(admin);
    const args = ['gcp', 'destroy', '--project-id', 'p1', '--cloud-api-token', token, '--redpanda-id', clusterId];
    expect((await run(args)).result.exitCode).toBe(0);
    await plane.advance(5_000);
    expect(await stateOf(clusterId)).toBeUndefined();
  });

  test('it fails when the control plane refuses the report', async () => {
    const { clusterId } = await readyCluster(plane);
    const token = await plane.tokenOf(admin);
    const args = ['gcp', 'destroy', '--project-id', 'p1', '--cloud-api-token', token, '--redpanda-id', clusterId];
    const { result, record } = await run(args);
    expect(result.exitCode).toBe(1);
    expect(record[0].message).toContain('409');
    expect(await stateOf(clusterId)).toBe('STATE_READY');
  });

  test.each([
    ['an unknown provider', ['moon', 'apply', '--cloud-api-token', 't', '--redpanda-id', 'i'], 'unknown provider'],
    ['an unknown verb', ['gcp', 'deploy', '--cloud-api-token', 't', '--redpanda-id', 'i'], 'unknown verb'],
    ['no token', ['aws', 'apply', '--redpanda-id', 'i'], '--cloud-api-token'],
    ['no id', ['aws', 'apply', '--cloud-api-token', 't'], 'the last words'],
    ['words after the id', ['aws', 'apply', '--cloud-api-token', 't', '--redpanda-id', 'i', '-x'], 'the last words'],
    ['no subscription', ['azure', 'apply', '--cloud-api-token', 't', '--redpanda-id', 'i'], '--subscription-id'],
    ['no project', ['gcp', 'destroy', '--cloud-api-token', 't', '--redpanda-id', 'i'], '--project-id'],
    ['an id for validate', ['aws', 'validate', '--redpanda-id', 'i', '--cloud-api-token', 't'], 'no --redpanda-id'],
  ])('%s is exit code 64', async (_, args, message) => {
    const { result } = await run(args);
    expect(result.exitCode).toBe(64);
    expect(result.stderr).toContain(message);
  });

  test('validate needs no id and exits with the code in a variable', async () => {
    const args = ['aws', 'validate', '--cloud-api-token', await plane.tokenOf(admin)];
    expect((await run(args)).result.exitCode).toBe(0);
    const { result, record } = await run(args, { SIM_PLUGIN_EXIT: '37' });
    expect([result.exitCode, record[0].exit_code]).toEqual([37, 37]);
  });

  test('it can wait for a signal', async () => {
    const record = join(directory, 'hanging');
    const args = ['aws', 'validate', '--cloud-api-token', await plane.tokenOf(admin)];
    const env = { SIM_PLUGIN_RECORD: record, SIM_PLUGIN_HANG: 'before' };
    const child = execa(await unpack('25.2.20250822'), args, { env, reject: false });
    child.stderr.on('data', (text: Buffer) => text.includes('waiting for a signal') && child.kill('SIGTERM'));
    expect((await child).exitCode).toBe(143);
    const [, last] = (await readFile(record, 'utf8')).trim().split('\n');
    expect(JSON.parse(last ?? '')).toMatchObject({ signal: 'SIGTERM', exit_code: 143 });
  });

  test('--help-autocomplete lists its commands', async () => {
    const { result } = await run(['--help-autocomplete']);
    const paths = JSON.parse(result.stdout).map((command: { path: string }) => command.path);
    expect(paths).toContain('byoc_azure_validate');
    expect(paths).toHaveLength(9);
  });
});
