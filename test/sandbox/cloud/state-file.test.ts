import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControlPlane } from '../../../src/sandbox/cloud/control-plane.ts';
import { readOptions } from '../../../src/sandbox/cloud/options.ts';
import { clusterBody, readyNetwork, report, startPlane } from './plane.ts';

/** At a thousand times the real speed, a token of an hour would last for 3.6 seconds. */
const tokenLifetimeS = 1_000_000;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-plane-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a restarted simulator keeps tokens, clusters, steps and the clock', async () => {
  const stateFile = join(directory, 'state.json');
  const first = await startPlane({ stateFile, startAt: Date.parse('2026-01-01T00:00:00Z') });
  const port = Number(new URL(first.url).port);
  const { groupId, networkId } = await readyNetwork(first);
  const { operation } = (await first.api('POST', '/v1/clusters', clusterBody(groupId, networkId))).body;
  await report(first, operation.resource_id, 'installed');
  const token = await first.tokenOf({ clientId: 'ci-reader', clientSecret: 'reader-secret' });
  await first.stop();
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
  expect(await readFile(stateFile, 'utf8')).not.toContain('reader-secret');

  const second = await startPlane({ stateFile, port });
  expect(second.now()).toBe(Date.parse('2026-01-01T00:00:05Z'));
  const { body } = await second.call('GET', `/v1/clusters/${operation.resource_id}`, { token });
  expect(body.cluster.state).toBe('STATE_CREATING');
  await second.advance(15_000);
  const done = await second.call('GET', `/v1/operations/${operation.id}`, { token });
  expect(done.body.operation.state).toBe('STATE_COMPLETED');
  await second.stop();
});

test('it runs as a separate process, prints its address, and keeps its state after a kill', async () => {
  const entry = fileURLToPath(new URL('../../../src/sandbox/cloud/entry.ts', import.meta.url));
  const file = join(directory, 'options.json');
  const options = { stateFile: join(directory, 'killed.json'), clockRate: 1000, settings: { tokenLifetimeS } };
  const start = async (port: number) => {
    await writeFile(file, JSON.stringify({ ...options, port }));
    const child = execa(process.execPath, [entry, file], { reject: false });
    const [line = ''] = await new Promise<string[]>((resolve) =>
      child.stdout.once('data', (text) => resolve([String(text)])),
    );
    return { child, url: JSON.parse(line).url as string };
  };
  const first = await start(0);
  const form = (url: string) =>
    fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'sandbox',
        client_secret: 'sandbox-secret',
      }),
    });
  const { access_token: token } = (await (await form(first.url)).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ resource_group: { name: 'dev' } });
  await fetch(`${first.url}/v1/resource-groups`, { method: 'POST', headers, body });
  first.child.kill('SIGKILL');
  await first.child;
  const second = await start(Number(new URL(first.url).port));
  const list = (await (await fetch(`${second.url}/v1/resource-groups`, { headers })).json()) as {
    resource_groups: object[];
  };
  expect(list.resource_groups).toMatchObject([{ name: 'dev' }]);
  second.child.kill('SIGTERM');
  await second.child;
});

test('a clock with a rate runs by itself', async () => {
  const plane = await startPlane({ clockRate: 1000, settings: { tokenLifetimeS } });
  const { networkId } = await readyNetwork(plane, { cidr_block: '10.0.0.0/16' });
  const now = plane.now();
  await expect.poll(() => plane.now()).toBeGreaterThanOrEqual(now + 5_000);
  expect((await plane.api('GET', `/v1/networks/${networkId}`)).body.network.state).toBe('STATE_READY');
  await plane.stop();
});

test('stopping ends waiting requests', async () => {
  const plane = await startPlane();
  await plane.fault('clusters.list', { kind: 'delay', ms: 600_000 });
  const waiting = plane.api('GET', '/v1/clusters').catch((error: Error) => error);
  await expect.poll(() => plane.faults()).toEqual([]);
  await plane.stop();
  expect(await waiting).toBeInstanceOf(Error);
});

test('a port in use and an invalid options file are errors', async () => {
  const plane = await startPlane();
  await expect(startControlPlane({ port: Number(new URL(plane.url).port) })).rejects.toThrow('EADDRINUSE');
  await plane.stop();
  const file = join(directory, 'wrong.json');
  await writeFile(file, '[]');
  expect(() => readOptions(file)).toThrow(`from ${file}: it must contain a JSON object`);
});
