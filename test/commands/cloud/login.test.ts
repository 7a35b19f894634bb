import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { PassThrough } from 'node:stream';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { clusterBody, readyCluster, readyNetwork, writer } from '../../sandbox/cloud/plane.ts';
import { run } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();

/** The control plane's addresses, without credentials. */
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

  test('without --save an expired token is an error; with it weir gets another', async () => {
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

  test('requests a new token even if one is stored', async () => {
    await world.cloud('login');
    await world.cloud('login');
    expect(await asked()).toBe(2);
  });

  test('through a browser prints the page and the code on stderr and waits for approval', async () => {
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
    await world.plane.approve(String(code), 'ada@cloud.example');
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

  test('wrong credentials exit with 4, and nothing is stored', async () => {
    const outcome = await world.cloud('login', { env: { WEIR_CLOUD_CLIENT_SECRET: 'wrong' } });
    expect(outcome).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('access_denied') });
    expect(await world.json('auth list')).toEqual([]);
  });
});

describe('a client secret', () => {
  const id = { WEIR_CLOUD_CLIENT_ID: 'ci-admin' };

  test('comes from standard input or a file', async () => {
    const [flag, secret] = ['--client-secret-stdin', '--client-secret-file secret.txt'];
    expect(await anonymous(`login ${flag}`, { env: place(id), stdin: 'admin-secret\n' })).toMatchObject({
      exitCode: 0,
    });
    writeFileSync(join(world.home, 'secret.txt'), 'admin-secret');
    const outcome = await anonymous(`login ${secret} --save`, { env: place(id), cwd: world.home });
    expect(outcome).toMatchObject({ exitCode: 0 });
    await world.plane.advance(2 * 3_600_000);
    expect(await anonymous('network list')).toMatchObject({ exitCode: 0 });
  });

  test('is asked for on a terminal, and not shown', async () => {
    const stdin = new PassThrough();
    const outcome = await anonymous('login', {
      env: place(id),
      stdin,
      terminal: { stdin: true, stderr: true },
      onStderr: (text: string) => text.endsWith(': ') && stdin.write('admin-secret\r'),
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: `client secret of ci-admin for ${world.plane.url}: \n` });
  });

  test('that cannot be asked for is a usage error that says how to give it', async () => {
    const outcome = await anonymous('login', { env: place(id) });
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--client-secret-stdin') });
  });

  test('left by logout is named, and removed if the person agrees', async () => {
    await world.cloud('login --save');
    const left = await world.cloud('logout');
    expect(left.stderr).toContain(
      'the client secret of ci-admin is still kept on this machine; remove it with: weir cloud logout --clear-credentials\n',
    );
    const terminal = { stdin: true, stderr: true, stdout: true };
    const no = await world.cloud('logout', { terminal, stdin: 'n\n' });
    expect(no).toMatchObject({
      stdout: 'There is no token.\n',
      stderr: expect.stringContaining('Remove it as well?'),
    });
    expect(await world.json('auth list')).toMatchObject([{ secret_kept: true }]);
    expect(await world.cloud('logout', { terminal, stdin: 'y\n' })).toMatchObject({
      stdout: 'You are now logged out.\n',
    });
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

  test('a login that was deleted is not the current one again when its credentials are used', async () => {
    await world.cloud('login');
    expect(await anonymous('network list')).toMatchObject({ exitCode: 0 });
    await world.cloud('auth delete ci-admin');
    await world.json('network list');
    expect(await anonymous('network list')).toMatchObject({ exitCode: 4 });
    const rows: readonly { readonly current: boolean }[] = await world.json('auth list');
    expect(rows.filter(({ current }) => current)).toEqual([]);
  });

  test('logout removes the token, and with -c the login', async () => {
    await world.cloud('login --save');
    expect(await world.cloud('logout')).toMatchObject({ stdout: 'The token was removed.\n' });
    expect(await world.json('auth list')).toMatchObject([{ expires_at: null, current: true, secret_kept: true }]);
    await world.cloud('logout --clear-credentials --all');
    expect(await world.json('auth list')).toEqual([]);
    expect(await world.cloud('logout')).toMatchObject({ exitCode: 0, stdout: 'You are not logged in.\n' });
    expect(await anonymous('network list')).toMatchObject({ exitCode: 4 });
  });

  test('token prints the token, also that of WEIR_CLOUD_TOKEN', async () => {
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

  test('cluster select does not copy the client secret: the new profile refers to the login', async () => {
    const { clusterId } = await readyCluster(world.plane);
    const { WEIR_CLOUD_CLIENT_ID: id = '', WEIR_CLOUD_CLIENT_SECRET: secret = '', ...addresses } = world.env();
    const set = Object.entries({ ...addresses, WEIR_CLOUD_CLIENT_ID: id, WEIR_CLOUD_CLIENT_SECRET: secret }).flatMap(
      ([name, value]) => ['--set', `${name.replace('WEIR_CLOUD_', 'cloud.').toLowerCase()}=${value}`],
    );
    const bare = { home: world.home, env: {} };
    await run(['profile', 'create', 'account', ...set], bare);
    const unsaved = await run(`cloud cluster select ${clusterId} --name unsaved`, bare);
    expect(unsaved.stderr).toContain('which refers to the login; save it with: weir cloud login --save\n');
    await run('profile use account', bare);
    await run('cloud login --save', bare);
    const outcome = await run(`cloud cluster select ${clusterId}`, bare);
    expect(outcome.stderr).toContain(
      'the client secret was not copied into the new profile, which uses the saved login\n',
    );
    expect(outcome.stderr).not.toContain('--save');
    const { stdout } = await run('profile print first --show-secrets', bare);
    expect(stdout).toContain('cloud.client_id: ci-admin');
    expect(stdout).not.toContain('secret');
    await world.plane.advance(2 * 3_600_000);
    expect(await run('cloud cluster list', bare)).toMatchObject({ exitCode: 0 });
  });

  test("cluster select checks the server's name like a typed one", async () => {
    const { clusterId } = await readyCluster(world.plane);
    const cluster = (await world.plane.api('GET', `/v1/clusters/${clusterId}`)).body.cluster;
    const body = { cluster: { ...cluster, name: '-x\u001b[2J' } };
    await world.plane.fault('clusters.get', { kind: 'status', status: 200, body }, { times: null });
    const outcome = await world.cloud(`cluster select ${clusterId}`);
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('invalid profile name') });
    const named = await world.cloud(`cluster select ${clusterId} --name good`);
    expect(named.exitCode).toBe(0);
    expect((await run('profile print good', { home: world.home })).stdout).toContain('\\\\u001b[2J');
  });

  test('a cluster without addresses cannot be selected yet: exit 6', async () => {
    const { groupId, networkId } = await readyNetwork(world.plane);
    const made = await world.plane.api('POST', '/v1/clusters', clusterBody(groupId, networkId));
    const id = made.body.operation.resource_id;
    const outcome = await world.cloud(`cluster select ${id} --format json`);
    expect(outcome.exitCode).toBe(6);
    expect(JSON.parse(outcome.stderr).error).toMatchObject({
      message: expect.stringContaining('(creating-agent)'),
      hint: `see its progress with: weir cloud operation list --resource-id ${id}`,
      ...{ code: 'CLUSTER_NOT_READY', target: id },
    });
  });

  test('service-account create --save-profile keeps the rest of an existing profile', async () => {
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

test('five processes that start together request one token', async () => {
  const weir = resolve('bin/weir.js');
  const env = { ...world.env(), HOME: world.home };
  const runs = Array.from({ length: 5 }, () =>
    execa(execPath, [weir, 'cloud', 'network', 'list', '--format', 'json'], { env, extendEnv: false, stdin: 'ignore' }),
  );
  for (const { stdout } of await Promise.all(runs)) expect(stdout).toBe('[]');
  expect(await asked()).toBe(1);
}, 240_000);
