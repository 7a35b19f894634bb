import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin, readyCluster } from '../../sandbox/cloud/plane.ts';
import { run } from '../../world.ts';
import { cloudWorld } from './cloud-world.ts';

const world = cloudWorld();
const terminal = { stdin: true, stdout: true, stderr: true };

describe('cluster select without an id', () => {
  test.each([
    ['1\n', 0],
    [' first \n', 0],
    ['0\n', 2],
    ['2\n', 2],
    ['second\n', 2],
    ['\n', 2],
  ])('shows the clusters and takes a number or a name: %j', async (stdin, exitCode) => {
    const { clusterId } = await readyCluster(world.plane);
    const outcome = await world.cloud('cluster select', { terminal, stdin });
    expect(outcome.exitCode, outcome.stderr).toBe(exitCode);
    expect(outcome.stderr).toContain('Which cluster? [1-1] ');
    expect(outcome.stderr).toMatch(new RegExp(`1\\s+first\\s+${clusterId}\\s+us-central1`));
    if (exitCode === 0) expect(outcome.stdout).toMatch(/^PROFILE\s+first\nBROKERS\s+seed-.*:9092\nREGISTRY\s+https:/);
    else expect(outcome.stderr).toContain(`invalid choice "${stdin.trim()}": it names no cluster of the list`);
  });

  test('says what is missing if it cannot ask, or if there is no cluster', async () => {
    expect(await world.cloud('cluster select')).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('missing argument ID') },
    });
    expect(await world.cloud('cluster select', { terminal, stdin: '1\n' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/there is no cluster to select\n.*create one with: weir cloud cluster create\n$/),
    });
  });

  test('in a dry run makes no profile', async () => {
    const { clusterId } = await readyCluster(world.plane);
    expect(await world.json(`cluster select ${clusterId} --dry-run`)).toMatchObject({
      ...{ profile: 'first', cluster_id: clusterId, cluster_name: 'first', replaced: false },
    });
    expect((await run('profile list --format json', { home: world.home })).stdout.trim()).toBe('[]');
  });
});

describe('login and logout', () => {
  test('in a dry run send and change nothing', async () => {
    const { stdout } = await world.cloud('login --dry-run');
    expect(stdout).toBe(`Would log in to ${world.plane.url}\n`);
    expect(await world.json('login --dry-run')).toEqual({
      ...{ name: '', kind: 'client-credentials', organization: '', organization_id: '', client_id: '' },
      ...{ api_url: world.plane.url, secret_kept: false, expires_at: null, current: false },
      ...{ status: 'OK', dry_run: true, error: null },
    });
    expect(await world.plane.journal()).toEqual([]);
    await world.cloud('login');
    expect(await world.json('logout --dry-run')).toMatchObject([{ name: 'ci-admin', current: true }]);
    expect(await world.json('auth use ci-admin --dry-run')).toMatchObject({ name: 'ci-admin' });
    expect(await world.json('auth delete ci-admin --dry-run')).toMatchObject({ name: 'ci-admin' });
    expect(await world.json('auth list')).toMatchObject([{ expires_at: expect.any(String) }]);
    expect(await world.cloud('auth delete nobody --dry-run')).toMatchObject({
      exitCode: 3,
      stderr: 'weir: there is no login "nobody"\nhint: use one of: ci-admin\n',
    });
  });

  test('a secret from standard input or a file takes precedence over the configured one', async () => {
    writeFileSync(join(world.home, 'secret'), `${admin.clientSecret}\n`);
    const env = { WEIR_CLOUD_CLIENT_SECRET: 'wrong' };
    for (const how of [
      { flag: '--client-secret-stdin', stdin: admin.clientSecret },
      { flag: '--client-secret-file secret' },
    ])
      expect(await world.cloud(`login ${how.flag}`, { env, cwd: world.home, ...how })).toMatchObject({ exitCode: 0 });
    expect(await world.cloud('login', { env })).toMatchObject({ exitCode: 4 });
  });

  test('logout --yes removes the secret without a question', async () => {
    await world.cloud('login --save');
    expect(await world.cloud('logout --yes')).toEqual({
      exitCode: 0,
      stdout: 'You are now logged out.\n',
      stderr:
        'commands still log in with the service account of cloud.client_id (secret from WEIR_CLOUD_CLIENT_SECRET)\n',
    });
    expect(await world.json('auth list')).toEqual([]);
  });

  test.each<[NodeJS.Platform, readonly string[]]>([
    ['darwin', ['open']],
    ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
    ['linux', ['xdg-open']],
  ])('a browser is opened on %s with its own program, unless it is not wanted', async (platform, words) => {
    for (const flag of ['', ' --no-browser']) {
      const opened: string[] = [];
      let code: string | undefined;
      const { WEIR_CLOUD_CLIENT_ID: _, WEIR_CLOUD_CLIENT_SECRET: __, ...place } = world.env();
      const outcome = await run(`cloud login${flag}`, {
        ...{ platform, home: world.home, terminal, env: { ...place, WEIR_CLOUD_DEVICE_CLIENT_ID: 'sandbox-device' } },
        async spawn(file, args) {
          opened.push(file, ...args);
          throw new Error('no browser');
        },
        onStderr(text) {
          code ??= /check the code (\S+) \(valid for/.exec(text)?.[1];
          if (code !== undefined) void world.plane.approve(code).catch(() => undefined);
        },
      });
      expect(outcome.exitCode, outcome.stderr).toBe(0);
      expect(outcome.stdout).toMatch(/^Logged in to http:\S+ as "sso-Sandbox", organization Sandbox\.\n$/);
      const page = `${world.plane.url}/activate?user_code=${code}`;
      expect(opened).toEqual(flag === '' ? [...words, page] : []);
    }
  });
});

test('a service account is not created if its profile cannot have the name', async () => {
  const words = ['service-account', 'create', '--name', 'pipe'];
  for (const more of [[], ['--dry-run']])
    expect(await world.cloud([...words, '--save-profile', '-x', ...more])).toMatchObject({
      ...{ exitCode: 2, stdout: '', stderr: expect.stringContaining('invalid profile name') },
    });
  expect(await world.plane.journal()).toEqual([]);
});

test('a wrong secret or a wrong body on standard input is named as such', async () => {
  const { WEIR_CLOUD_CLIENT_ID: _, WEIR_CLOUD_CLIENT_SECRET: __, ...env } = world.env();
  const secret = await run('cloud login --client-secret-stdin', { env, home: world.home, stdin: '' });
  expect(secret.exitCode).toBe(2);
  expect(secret.stderr).toContain('client secret');
  const body = await world.cloud('network create --file -', { stdin: '- a' });
  expect(body.stderr).toContain('unable to use standard input: it contains no fields');
  const large = await world.cloud('network create --file -', { stdin: Buffer.alloc((16 << 20) + 1, 'a') });
  expect(large).toMatchObject({
    ...{ exitCode: 2, stderr: expect.stringContaining('unable to use standard input: it is larger than 16384 KiB\n') },
  });
});
