import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.ts';
import {
  emptyDirectory,
  errorsOf,
  hostOf,
  profileFile,
  resolveSources,
  worldOf,
  writeWhole,
} from './sources/sources.ts';

describe('the profile', () => {
  const file = `${profileFile('user: a')}  - name: test\n    description: for tests\n    protected: true\n    options: {user: b}\n`;
  test('is the one of --profile, else WEIR_PROFILE, else current_profile, else none', async () => {
    const env = { WEIR_PROFILE: 'test' };
    expect((await resolveSources({ file, env, profile: 'prod' })).profile?.name).toBe('prod');
    const chosen = await resolveSources({ file, env });
    expect(chosen.profile).toMatchObject({ name: 'test', description: 'for tests', protected: true });
    expect(chosen.get('user')).toBe('b');
    expect((await resolveSources({ file })).profile?.name).toBe('prod');
    expect((await resolveSources({ file: file.replace('current_profile: prod', '') })).profile).toBeUndefined();
  });

  test('set but empty variables count as not set', async () => {
    const config = await resolveSources({
      file,
      env: { WEIR_PROFILE: '', WEIR_CONFIG: '', WEIR_USER: '', WEIR_BROKERS: '' },
    });
    expect(config.setting('user')).toMatchObject({ value: 'a', source: 'profile' });
  });
});

describe('warnings', () => {
  test('one for secrets that other users may read', async () => {
    const { host, given, path } = worldOf({ file: profileFile('pass: x') });
    expect((await resolveConfig(host, given)).warnings).toEqual([]);
    chmodSync(path, 0o644);
    expect((await resolveConfig(host, given)).warnings).toEqual([
      `${path} contains secrets and other users can read it: run chmod 600 ${path}`,
    ]);
  });

  const faulty = (...lines: readonly string[]) =>
    `${profileFile('user: a')}  - name: old\n${lines.map((line) => `    ${line}\n`).join('')}`;

  test.each([
    ['an unknown option', ['options: {brokrs: b}'], 'an error: unknown option "brokrs" in FILE:8 (profile old)'],
    ['a wrong type', ['protected: maybe'], 'an error: FILE:8: protected is not a boolean'],
    ['an unknown key', ['option: {user: b}'], 'an error: FILE:8: unknown key "option"'],
    [
      'a key twice',
      ['description: a', 'description: b'],
      'an error: FILE:9: duplicate key "description" (first on line 8)',
    ],
    ['options twice', ['options: {user: a, user: b}'], 'an error: FILE:8: duplicate key "user" (first on line 8)'],
    ['a name twice', ['options: {}', '- {name: old}'], 'an error: FILE:9: duplicate profile "old" (first on line 7)'],
    [
      'several',
      ['options: {brokrs: b, tls.enabled: maybe}'],
      '2 errors, the first: unknown option "brokrs" in FILE:8 (profile old)',
    ],
  ])('one for a profile that is not in use with %s; in use, it is an error', async (_, lines, text) => {
    const file = faulty(...lines).replace('    - {name', '  - {name');
    const { host, given, path } = worldOf({ file });
    const { warnings } = await resolveConfig(host, given);
    expect(warnings.map((line) => line.replaceAll(path, 'FILE'))).toEqual([`profile "old" has ${text}`]);
    const [error] = await errorsOf(resolveConfig(host, { ...given, profile: 'old' }));
    expect(error?.message.replaceAll(path, 'FILE')).toBe(text.replace(/^.*?(error|first): /, ''));
  });

  test('F5: one per unknown variable; -v reports addresses that fall back to the default', async () => {
    const { warnings, remarks } = await resolveSources({
      env: { WEIR_BROKER: 'x', WEIR_QQQQQQQQQ: 'y', RPK_BROKERS: 'z', WEIR_USER: 'u', WEIR_ADMIN_HOSTS: 'a' },
    });
    expect(warnings).toEqual([
      'ignored WEIR_BROKER: unknown variable (did you mean WEIR_BROKERS?)',
      'ignored WEIR_QQQQQQQQQ: unknown variable',
      'ignored RPK_BROKERS, a variable of rpk: use WEIR_BROKERS',
    ]);
    expect(remarks).toEqual([
      'admin.hosts from WEIR_ADMIN_HOSTS given, but not brokers and registry.hosts: using brokers=localhost:9092, registry.hosts=localhost:8081',
    ]);
  });
});

describe('files', () => {
  test('F1: a relative XDG_CONFIG_HOME is ignored, an absolute one used', async () => {
    const home = emptyDirectory();
    const xdg = join(home, 'elsewhere');
    writeWhole(join(home, '.config/weir/weir.yaml'), profileFile('user: home'));
    writeWhole(join(xdg, 'weir/weir.yaml'), profileFile('user: xdg'));
    const user = async (env: Record<string, string>) =>
      (await resolveConfig(hostOf({ home, env }), { x: [], deprecated: [] })).get('user');
    expect(await user({ XDG_CONFIG_HOME: 'elsewhere' })).toBe('home');
    expect(await user({ XDG_CONFIG_HOME: xdg })).toBe('xdg');
  });

  test('--config takes a path relative to the working directory or the home directory', async () => {
    const home = emptyDirectory();
    writeWhole(join(home, 'mine.yaml'), profileFile('user: mine'));
    for (const configFile of ['mine.yaml', '~/mine.yaml', join(home, 'mine.yaml')])
      expect((await resolveConfig(hostOf({ home }), { x: [], deprecated: [], configFile })).get('user')).toBe('mine');
  });

  test('without a home directory there are only defaults', async () => {
    const config = await resolveConfig({ ...hostOf({}), home: undefined }, { x: [], deprecated: [] });
    expect(config.get('globals.streaming_protocol_request_client_id')).toBe('weir');
  });

  test('the file of the current directory is never read unless it is named', async () => {
    const home = emptyDirectory();
    writeWhole(join(home, 'redpanda.yaml'), 'weir: {user: stray}');
    writeWhole(join(home, 'weir.yaml'), profileFile('user: stray'));
    expect((await resolveConfig(hostOf({ home }), { x: [], deprecated: [] })).get('user')).toBe('');
  });
});

describe('a broker file that may not be read', () => {
  /** Resolves as a user without any rights. */
  async function asNobody(given: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
    const world = worldOf({ file: profileFile('user: a'), env });
    const [directory, brokerFile] = [join(world.path, '..'), join(world.path, '..', 'broker.yaml')];
    writeWhole(brokerFile, 'weir: {pass: x}\n');
    chmodSync(brokerFile, 0);
    for (let at = directory; at !== '/tmp' && at !== '/'; at = join(at, '..')) chmodSync(at, 0o755);
    chmodSync(world.path, 0o644);
    const named = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, value.replace('FILE', brokerFile)]),
    );
    const hostEnv = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replace('FILE', brokerFile)]),
    );
    await resolveSources({ broker: 'weir: {user: a}\n' }); // loads the modules as a user with the right to read them
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      return await resolveConfig(
        { ...world.host, env: { ...world.host.env, ...hostEnv } },
        { ...world.given, ...named },
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  test.each([
    ['--broker-config', { brokerConfigFile: 'FILE' }, {}],
    ['WEIR_BROKER_CONFIG', {}, { WEIR_BROKER_CONFIG: 'FILE' }],
  ])('is an error when %s names it', async (_, given, env) => {
    await expect(asNobody(given as Record<string, string>, env as Record<string, string>)).rejects.toThrow(
      /unable to read .*broker\.yaml: permission denied/,
    );
  });
});
