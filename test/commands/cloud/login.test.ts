import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { clusterBody, readyCluster, readyNetwork, writer } from '../../sandbox/cloud/plane.ts';
import { run } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

/** Where the control plane is, and nobody who calls. */
function place(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { WEIR_CLOUD_CLIENT_ID: _, WEIR_CLOUD_CLIENT_SECRET: __, ...env } = world.env();
  return { ...env, ...more };
}

const anonymous = (line: string, more = {}) => run(`cloud ${line}`, { env: place(), home: world.home, ...more });
const asked = async () => (await world.plane.journal()).filter(({ route }) => route === 'oauth.token').length;

describe('login', () => {
  test('as a service account; the token serves later commands that have no credentials', async () => {
    const login = await world.cloud('login');
    expect(login.stdout).toMatch(/^Logged in to http:\S+ as "ci-admin", organization \S/);
    expect(await anonymous('network list')).toMatchObject({ exitCode: 0 });
    expect(await asked()).toBe(1);
    const files = readdirSync(join(world.home, '.local/state/weir/cloud-auth'));
    const text = files
      .map((file) => readFileSync(join(world.home, '.local/state/weir/cloud-auth', file), 'utf8'))
      .join();
    expect(text).not.toContain('admin-secret');
  });

  test('without --save an expired token is the end; with it there is another', async () => {
    await world.cloud('login');
    await world.plane.advance(2 * 3_600_000);
    const expired = await anonymous('network list');
    expect(expired).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('log in again with: weir cloud login'),
    });
    await world.cloud('login --save');
    await world.plane.advance(2 * 3_600_000);
    expect(await anonymous('network list')).toMatchObject({ exitCode: 0 });
  });

  test('asks for a new token, whatever is kept', async () => {
    await world.cloud('login');
    await world.cloud('login');
    expect(await asked()).toBe(2);
  });

  test('through a browser: the page and the code are on stderr, the login waits until they agree', async () => {
    const opened = Promise.withResolvers<readonly string[]>();
    const running = run('cloud login --format json', {
      env: place({ WEIR_CLOUD_DEVICE_CLIENT_ID: 'sandbox-device' }),
      home: world.home,
      terminal: { stdin: true, stderr: true },
      async spawn(file, args) {
        opened.resolve([file, ...args]);
        return { exitCode: 0, stdout: '', stderr: '' };
      },
    });
    const [browser, page = ''] = await opened.promise;
    expect(browser).toBe('xdg-open');
    const code = new URL(page).searchParams.get('user_code');
    await world.plane.sim('POST', `/sim/device/${code}/approve`, { email: 'ada@cloud.example' });
    const outcome = await running;
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain(`open ${page} and check the code ${code}`);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ kind: 'sso', current: true });
    expect(await anonymous('network list')).toMatchObject({ exitCode: 0 });
  });

  test('through a browser needs a public client', async () => {
    const outcome = await anonymous('login');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cloud.device_client_id') });
  });

  test('wrong credentials: exit 4, and nothing is kept', async () => {
    const outcome = await world.cloud('login', { env: { WEIR_CLOUD_CLIENT_SECRET: 'wrong' } });
    expect(outcome).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('access_denied') });
    expect(await world.json('auth list')).toEqual([]);
  });
});

describe('auth', () => {
  test('list, use and delete', async () => {
    const other = { WEIR_CLOUD_CLIENT_ID: writer.clientId, WEIR_CLOUD_CLIENT_SECRET: writer.clientSecret };
    await world.cloud('login');
    await world.cloud('login', { env: other });
    const names = async () =>
      (await world.json('auth list')).map(({ name, current }: { name: string; current: boolean }) => [name, current]);
    expect(await names()).toEqual([
      ['ci-admin', false],
      ['ci-writer', true],
    ]);
    expect(await world.cloud('auth use ci-admin')).toMatchObject({ stdout: 'Set current cloud auth to "ci-admin".\n' });
    expect((await world.cloud('auth list')).stdout).toMatch(
      /^NAME\s+KIND\s+ORGANIZATION.*\nci-admin\*\s+client-credentials/,
    );
    expect(await world.cloud('auth use nobody')).toMatchObject({ exitCode: 3 });
    expect(await world.cloud('auth delete ci-writer')).toMatchObject({ stdout: 'Deleted cloud auth "ci-writer".\n' });
    expect(await names()).toEqual([['ci-admin', true]]);
  });

  test('logout forgets the token, and with -c the login', async () => {
    await world.cloud('login --save');
    expect(await world.cloud('logout')).toMatchObject({ stdout: 'You are now logged out.\n' });
    expect(await world.json('auth list')).toMatchObject([{ expires_at: null, current: true }]);
    await world.cloud('logout --clear-credentials --all');
    expect(await world.json('auth list')).toEqual([]);
    expect(await world.cloud('logout')).toMatchObject({ exitCode: 0, stdout: 'You are not logged in.\n' });
    expect(await anonymous('network list')).toMatchObject({ exitCode: 4 });
  });

  test('token prints the token, and WEIR_CLOUD_TOKEN is it', async () => {
    const { stdout } = await world.cloud('auth token');
    expect(stdout).toMatch(/^eyJ[\w.-]+\n$/);
    const outcome = await anonymous('network list', { env: place({ WEIR_CLOUD_TOKEN: stdout.trim() }) });
    expect(outcome.exitCode).toBe(0);
  });
});

describe('profiles', () => {
  test('cluster select makes a profile from the addresses and selects it', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const row = await world.json(`cluster select ${clusterId}`);
    expect(row).toMatchObject({ profile: 'first', brokers: [expect.stringMatching(/:9092$/)], replaced: false });
    const shown = await run('config show brokers tls.enabled registry.hosts --format json', { home: world.home });
    const values = JSON.parse(shown.stdout).map(({ value, source }: { value: unknown; source: string }) => [
      value,
      source,
    ]);
    expect(values).toEqual([
      [row.brokers, 'profile'],
      [true, 'profile'],
      [[row.registry], 'profile'],
    ]);
    expect(await world.cloud(`cluster select ${clusterId}`)).toMatchObject({ exitCode: 6 });
    expect(await world.json(`cluster select ${clusterId} --replace`)).toMatchObject({ replaced: true });
  });

  test('a cluster without addresses cannot be selected yet: exit 6', async () => {
    const { groupId, networkId } = await readyNetwork(world.plane);
    const made = await world.plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
    const outcome = await world.cloud(`cluster select ${made.body.operation.resource_id}`);
    expect(outcome).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('STATE_CREATING_AGENT') });
  });

  test('service-account create --save-profile into a profile that is there keeps the rest of it', async () => {
    await run('profile create prod --set brokers=b.example', { home: world.home });
    await run('profile create other', { home: world.home });
    const { client_id: clientId } = await world.json('service-account create --name pipe --save-profile prod');
    const shown = await run('profile print prod', { home: world.home });
    expect(shown.stdout).toContain('b.example');
    expect(shown.stdout).toContain(clientId);
    expect((await run('profile current', { home: world.home })).stdout).toBe('other\n');
  });

  test('service-account create --save-profile keeps credentials that work', async () => {
    const made = await world.json('service-account create --name pipe --save-profile pipe');
    const outcome = await run('cloud resource-group create dev --profile pipe', { home: world.home });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('dev') });
    const entry = (await world.plane.journal()).find(({ route }) => route === 'resource-groups.create');
    expect(entry?.client_id).toBe(made.client_id);
  });
});

test('twelve processes that start together ask for one token', async () => {
  const weir = resolve('bin/weir.js');
  const env = { ...world.env(), HOME: world.home };
  const runs = Array.from({ length: 12 }, () =>
    execa(execPath, [weir, 'cloud', 'network', 'list', '--format', 'json'], { env, extendEnv: false, stdin: 'ignore' }),
  );
  for (const { stdout } of await Promise.all(runs)) expect(stdout).toBe('[]');
  expect(await asked()).toBe(1);
}, 60_000);
