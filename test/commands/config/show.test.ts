import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingKeys } from '../../../src/config/options.ts';
import { profileFile, writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

function worldWithProfile(text: string): World & { readonly path: string } {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  writeWhole(path, text);
  return { home, path };
}

const file = `version: 1
current_profile: prod
profiles:
  - name: prod
    options:
      brokers: [b.example, "[::1]:2"]
      tls.ca: /ca
      user: alice
      pass: s3cret
      globals.dial_timeout: 90s
`;

describe('config show', () => {
  test('gives one row per option with value, source, origin and what it overrides', async () => {
    const world = worldWithProfile(file);
    const { stdout, exitCode } = await run('config show --format json -X globals.dial_timeout=1500ms', world);
    const rows: { key: string }[] = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(rows.map(({ key }) => key)).toEqual(settingKeys);
    const row = (key: string) => rows.find((each) => each.key === key);
    const builtIn = { source: 'default', origin: 'built in' };
    expect(row('brokers')).toEqual({
      key: 'brokers',
      value: ['b.example:9092', '[::1]:2'],
      source: 'profile',
      origin: `${world.path}:6 (profile prod)`,
      overrides: [{ value: ['localhost:9092'], ...builtIn }],
    });
    expect(row('globals.dial_timeout')).toEqual({
      key: 'globals.dial_timeout',
      value: '1.5s',
      source: 'flag',
      origin: '-X globals.dial_timeout',
      overrides: [
        { value: '1m30s', source: 'profile', origin: `${world.path}:10 (profile prod)` },
        { value: '3s', ...builtIn },
      ],
    });
    expect(row('tls.enabled')).toEqual({
      key: 'tls.enabled',
      value: true,
      source: 'profile',
      origin: `${world.path}:7 (profile prod), because tls.ca turns TLS on`,
      overrides: [{ value: false, ...builtIn }],
    });
    expect(row('admin.tls.enabled')).toEqual({ key: 'admin.tls.enabled', value: false, ...builtIn, overrides: [] });
  });

  test('hides secrets everywhere unless --show-secrets is given', async () => {
    const world = { ...worldWithProfile(file), env: { WEIR_PASS: 's3cret2', WEIR_CLOUD_CLIENT_SECRET: 's3cret3' } };
    for (const format of ['text', 'wide', 'json', 'yaml']) {
      const { stdout } = await run(`config show --format ${format}`, world);
      expect(stdout).toContain('[hidden]');
      expect(stdout).not.toContain('s3cret');
    }
    const [pass] = JSON.parse((await run('config show pass --show-secrets --format json', world)).stdout);
    expect([pass.value, pass.overrides[0].value]).toEqual(['s3cret2', 's3cret']);
  });

  test.each(['http://u:s3cret', 'u:s3cret', 'u:s3cret@proxy.example:1', 'socks5h://h:s3cret', 's3cret'])(
    'never shows the value of a proxy that is no URL: %s',
    async (value) => {
      const home = temporaryDirectory();
      writeWhole(join(home, '.config/weir/weir.yaml'), profileFile(`globals.proxy: "${value}"`));
      for (const [line, env] of [
        [`config show -X globals.proxy=${value}`, {}],
        ['config show', { WEIR_GLOBALS_PROXY: value }],
        ['config show', {}],
        ['profile validate', {}],
      ] as const) {
        const { stdout, stderr, exitCode } = await run(line, { home, env });
        expect(exitCode).not.toBe(0);
        expect(stdout + stderr).toContain('globals.proxy');
        expect(stdout + stderr).not.toContain('s3cret');
      }
    },
  );

  test('hides the user and password of a proxy in every layer, and nothing else of its URL', async () => {
    const env = { WEIR_GLOBALS_PROXY: 'socks5h://s3cret:s3cret2@proxy.example:1080' };
    const line = 'config show globals.proxy -X globals.proxy=http://s3cret3@h:1';
    for (const format of ['text', 'wide', 'json', 'yaml']) {
      const { stdout, stderr } = await run(`${line} --format ${format}`, { env });
      expect(stdout).toContain('http://[hidden]@h:1');
      expect(stdout + stderr).not.toContain('s3cret');
    }
    expect((await run('config show globals.proxy', { env })).stdout).toContain('socks5h://[hidden]@proxy.example:1080');
    expect((await run('config explain globals.proxy', { env })).stdout).not.toContain('s3cret');
    const [shown] = JSON.parse((await run('config show globals.proxy --show-secrets --format json', { env })).stdout);
    expect(shown.value).toBe(env.WEIR_GLOBALS_PROXY);
    const refused = await run('config show -X globals.proxy=socks4://s3cret:s3cret2@h');
    expect(refused.stderr).toContain('invalid proxy in -X globals.proxy: weir cannot use a socks4 proxy');
    expect(refused.stderr).not.toContain('s3cret');
    expect((await run('config show', { env: { WEIR_GLOBALS_PROXY: 'http://h:1' } })).stdout).toContain(' http://h:1 ');
  });

  test('as text is a table', async () => {
    const { stdout, stderr } = await run('config show user tls.key -X user=bob', worldWithProfile(file));
    expect(stdout.replaceAll(/\/\S+weir.yaml/g, 'FILE')).toBe(
      [
        'KEY      VALUE  SOURCE   ORIGIN    OVERRIDES',
        'tls.key  ""     default  built in  -',
        'user     bob    flag     -X user   FILE:8 (profile prod)',
        '',
      ].join('\n'),
    );
    // The user is from a higher source than the addresses: that is how another user uses a profile.
    expect(stderr).toBe('');
  });

  test('accepts the first part of a key for all options below it, and --changed for options that are set', async () => {
    const keys = async (line: string) => {
      const { stdout } = await run(`config show --format json ${line}`, worldWithProfile(file));
      return (JSON.parse(stdout) as { key: string }[]).map(({ key }) => key);
    };
    expect(await keys('registry')).toEqual(settingKeys.filter((key) => key.startsWith('registry.')));
    expect(await keys('--changed')).toEqual([
      'brokers',
      'tls.enabled',
      'tls.ca',
      'user',
      'pass',
      'globals.dial_timeout',
    ]);
  });

  test('accepts the deprecated flags of every API, with one warning each', async () => {
    const line = 'config show brokers admin.tls.enabled --brokers a --brokers b:1 --admin-api-tls-enabled --format';
    const { stdout, stderr } = await run(`${line} text`);
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      'brokers            a:9092,b:1  flag    --brokers                -',
      'admin.tls.enabled  true        flag    --admin-api-tls-enabled  -',
    ]);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'warning: --brokers is deprecated: use -X brokers=VALUE',
      'warning: --admin-api-tls-enabled is deprecated: use -X admin.tls.enabled=VALUE',
    ]);
    expect((await run(`${line} json`)).stderr).toBe('');
  });

  test('an unknown key is a usage error that names the closest one', async () => {
    expect(await run('config show broker')).toEqual({
      stdout: '',
      stderr: 'weir: unknown option "broker" in the arguments\nhint: did you mean brokers?\n',
      exitCode: 2,
    });
  });

  test('a broken file is an error with file and line', async () => {
    const world = worldWithProfile(`${file}      tls.enabled: maybe\n      nonsense: 1\n`);
    const { stdout, stderr, exitCode } = await run('config show', world);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(
      `invalid boolean "maybe" for tls.enabled in ${world.path}:11 (profile prod): not a boolean`,
    );
    expect(stderr).toContain(`unknown option "nonsense" in ${world.path}:12 (profile prod)`);
  });
});

describe('config explain', () => {
  test('shows all five sources', async () => {
    const { stdout } = await run('config explain user -X user=bob', {
      ...worldWithProfile(file),
      env: { WEIR_USER: 'eve' },
    });
    expect(stdout.replaceAll(/\/\S+weir.yaml/g, 'FILE').split('\n')).toEqual([
      'user is bob: it comes from -X user.',
      '',
      expect.stringContaining('User for SASL with the brokers'),
      '',
      'flag     bob    in use      -X user',
      'env      eve    overridden  WEIR_USER',
      'profile  alice  overridden  FILE:8 (profile prod)',
      'broker   not given (broker configuration file)',
      'default  ""     overridden  built in',
      '',
      'Set it with -X user=alice, WEIR_USER, or: weir profile set user=alice',
      '',
    ]);
  });

  test('hides a secret and needs a whole key', async () => {
    expect((await run('config explain pass', worldWithProfile(file))).stdout).not.toContain('s3cret');
    expect((await run('config explain tls')).exitCode).toBe(2);
  });
});
