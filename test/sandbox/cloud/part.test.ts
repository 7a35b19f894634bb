import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { controlPlaneState, createControlPlanePart, planControlPlane } from '../../../src/sandbox/cloud/part.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import type { Part } from '../../../src/sandbox/part.ts';
import { keptCode } from '../../kept-code.ts';

const entry = fileURLToPath(new URL('../../../src/sandbox/cloud/entry.ts', import.meta.url));
const machine: Machine = {
  env: { ...process.env, ...keptCode },
  home: undefined,
  uid: undefined,
  platform: process.platform,
  signal: new AbortController().signal,
  lockWait: { signal: new AbortController().signal },
  openEnded: (work) => work(),
  progress: () => undefined,
  notice: () => undefined,
};

let directory: string;
let opened: Part[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-part-'));
  opened = [];
});
afterEach(async () => {
  for (const part of opened) await part.stop('atOnce');
  await rm(directory, { recursive: true, force: true });
});

async function open(program = entry): Promise<Part> {
  const state = (await controlPlaneState.read(directory)) ?? (await planControlPlane());
  const place = { directory, entry: program, sandbox: 'test', dataPlane: { brokers: ['127.0.0.1:9092'] } };
  const part = createControlPlanePart(place, state);
  opened.push(part);
  return part;
}

const login = (options: Readonly<Record<string, string>>) =>
  fetch(`${options['cloud.auth_url']}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: options['cloud.client_id'] ?? '',
      client_secret: options['cloud.client_secret'] ?? '',
      audience: options['cloud.audience'] ?? '',
    }),
  });

test('it starts a separate process that can be reached with its options', async () => {
  const part = await open();
  await part.start(machine);
  expect((await login(part.options())).status).toBe(200);
  const [member] = await part.status();
  expect(member).toMatchObject({ part: 'control-plane', state: 'running', pid: expect.any(Number) });
  await part.start(machine); // a second start changes nothing
  expect((await part.status())[0]?.pid).toBe(member?.pid);
  for (const file of ['control-plane.json', 'options.json', 'state.json'])
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
});

test('it continues, with its tokens valid, when another weir process stops and starts it', async () => {
  const first = await open();
  await first.start(machine);
  const { access_token: token } = (await (await login(first.options())).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  const url = `${first.options()['cloud.api_url']}/v1/resource-groups`;
  await fetch(url, { method: 'POST', headers, body: '{"resource_group":{"name":"dev"}}' });
  await first.stop('gently');
  expect((await first.status())[0]).toMatchObject({ state: 'stopped', pid: undefined });
  const second = await open();
  await second.start(machine);
  const { resource_groups: groups } = (await (await fetch(url, { headers })).json()) as { resource_groups: object[] };
  expect(groups).toMatchObject([{ name: 'dev' }]);
});

test('a port in use is reported before anything is started', async () => {
  const part = await open();
  const port = Number(new URL(part.options()['cloud.api_url'] ?? '').port);
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  await expect(part.start(machine)).rejects.toThrow(`port ${port} is in use`);
  other.close();
});

test('another control plane that took the port meanwhile is not taken for its own', async () => {
  const part = await open();
  const url = new URL(part.options()['cloud.api_url'] ?? '');
  const rival = createHttpServer((_, response) => response.end());
  onTestFinished(() => void rival.close());
  const racing = part.start({ ...machine, progress: () => void rival.listen(Number(url.port), '127.0.0.1') });
  await expect(racing).rejects.toMatchObject({ code: 'PORT_IN_USE', target: url.port });
});

test('an answer that is cut after its status does not disturb', async () => {
  const part = await open();
  await part.start(machine);
  const cut = new ReadableStream({ start: (body) => body.error(new Error('cut')) });
  vi.stubGlobal('fetch', async () => new Response(cut));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await part.status()).toMatchObject([{ state: 'running' }]);
});

test('a program that exits immediately is an error, and no process is recorded', async () => {
  const part = await open(join(directory, 'missing.js'));
  await expect(part.start(machine)).rejects.toThrow(
    'unable to start the control plane: the program exited: Error: Cannot find',
  );
  expect((await controlPlaneState.read(directory))?.process).toBeNull();
});
