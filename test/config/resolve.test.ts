import { describe, expect, test } from 'vitest';
import { requireAddresses, resolveConfig } from '../../src/config/resolve.ts';
import { exitCodes } from '../../src/errors.ts';
import { errorsOf, profileFile, resolveSources, type Sources, worldOf } from './sources/sources.ts';

const sources: Required<Pick<Sources, 'x' | 'env' | 'file' | 'broker'>> = {
  x: ['globals.dial_timeout=1s'],
  env: { WEIR_GLOBALS_DIAL_TIMEOUT: '2s' },
  file: profileFile('globals.dial_timeout: 3s'),
  broker: 'weir:\n  globals.dial_timeout: 4s\n',
};

describe('resolution order', () => {
  const second = 1_000_000_000n;

  test('F2: a flag overrides everything and shows what it overrides', async () => {
    const { host, given, path } = worldOf(sources);
    const setting = (await resolveConfig(host, given)).setting('globals.dial_timeout');
    expect(setting).toEqual({
      key: 'globals.dial_timeout',
      value: second,
      source: 'flag',
      origin: '-X globals.dial_timeout',
      overrides: [
        { value: 2n * second, source: 'env', origin: 'WEIR_GLOBALS_DIAL_TIMEOUT' },
        { value: 3n * second, source: 'profile', origin: `${path}:6 (profile prod)` },
        { value: 4n * second, source: 'broker', origin: `${given.brokerConfigFile}:2 (section weir)` },
        { value: 3n * second, source: 'default', origin: 'built in' },
      ],
    });
  });

  const { x: _x, ...withoutFlag } = sources;
  const { env: _env, ...withoutEnv } = withoutFlag;
  const { file: _file, ...withoutProfile } = withoutEnv;
  test.each([
    ['the environment beats profile and broker file', withoutFlag, 'env', 2n],
    ['the profile beats the broker file', withoutEnv, 'profile', 3n],
    ['the broker file beats the default', withoutProfile, 'broker', 4n],
    ['the default is last', {}, 'default', 3n],
  ] as const)('%s', async (_, given, source, seconds) => {
    const setting = (await resolveSources(given)).setting('globals.dial_timeout');
    expect(setting).toMatchObject({ source, value: seconds * second });
  });

  test('is per option: what the higher source leaves out comes from the lower one', async () => {
    const config = await resolveSources({
      x: ['user=u'],
      env: { WEIR_PASS: 'p' },
      file: profileFile('brokers: [b:1]'),
      broker: 'rpk:\n  kafka_api:\n    brokers: [x:1]\n    tls: {}\n',
    });
    const shown = (['user', 'pass', 'brokers', 'tls.enabled'] as const).map((key) => config.setting(key).source);
    expect(shown).toEqual(['flag', 'env', 'profile', 'broker']);
  });

  test('nothing is derived from another option', async () => {
    const config = await resolveSources({ x: ['brokers=b.example:1', 'tls.enabled=true'] });
    expect(config.get('admin.hosts')).toEqual([{ host: 'localhost', port: 9644 }]);
    expect(config.get('admin.tls.enabled')).toBe(false);
  });

  test('a deprecated flag beats the environment, and -X beats it in either order', async () => {
    const deprecated = [
      { flag: 'brokers', value: 'old:1' },
      { flag: 'brokers', value: 'old:2' },
    ];
    const env = { WEIR_BROKERS: 'env:1' };
    const below = (await resolveSources({ deprecated, env })).setting('brokers');
    expect(below).toMatchObject({
      source: 'flag',
      origin: '--brokers',
      value: [
        { host: 'old', port: 1 },
        { host: 'old', port: 2 },
      ],
    });
    const above = (await resolveSources({ x: ['brokers=new:1'], deprecated, env })).setting('brokers');
    expect(above.origin).toBe('-X brokers');
    expect(above.overrides.map(({ origin }) => origin)).toEqual(['--brokers', 'WEIR_BROKERS', 'built in']);
  });

  test('--tls-enabled=false means false', async () => {
    const config = await resolveSources({
      deprecated: [{ flag: 'tls-enabled', value: 'false' }],
      env: { WEIR_TLS_ENABLED: 'true' },
    });
    expect(config.setting('tls.enabled')).toMatchObject({ value: false, source: 'flag' });
  });
});

describe('the mTLS rule', () => {
  const cases: readonly (readonly [string, Sources, boolean, string])[] = [
    ['nothing given: off', {}, false, 'default'],
    ['a CA turns it on', { x: ['tls.ca=/ca'] }, true, 'flag'],
    ['a certificate turns it on', { env: { WEIR_TLS_CERT: '/cert' } }, true, 'env'],
    ['a key turns it on', { file: profileFile('tls.key: /key') }, true, 'profile'],
    ['skipping verification turns nothing on', { x: ['tls.insecure_skip_verify=true'] }, false, 'default'],
    ['an empty path turns nothing on', { x: ['tls.ca='] }, false, 'default'],
    ['an explicit no next to the path wins', { x: ['tls.ca=/ca', 'tls.enabled=false'] }, false, 'flag'],
    ['an explicit no above the path wins', { x: ['tls.enabled=false'], env: { WEIR_TLS_CA: '/ca' } }, false, 'flag'],
    ['a path above an explicit no wins', { x: ['tls.ca=/ca'], env: { WEIR_TLS_ENABLED: 'false' } }, true, 'flag'],
    ['an explicit yes stays the explicit yes', { x: ['tls.ca=/ca'], env: { WEIR_TLS_ENABLED: 'true' } }, true, 'env'],
    ['an emptied path is none', { x: ['tls.ca='], env: { WEIR_TLS_CA: '/ca' } }, false, 'default'],
    ["another API's path turns nothing on", { x: ['admin.tls.ca=/ca'] }, false, 'default'],
    [
      'a deprecated flag is no higher source than -X',
      { deprecated: [{ flag: 'tls-enabled', value: 'false' }], x: ['tls.ca=/ca'] },
      false,
      'flag',
    ],
  ];
  test.each(cases)('%s', async (_, given, value, source) => {
    expect((await resolveSources(given)).setting('tls.enabled')).toMatchObject({ value, source });
  });

  test.each(['admin', 'registry'] as const)('applies to %s too, and names the path that did it', async (api) => {
    const setting = (
      await resolveSources({ x: [`${api}.tls.cert=/c`], env: { [`WEIR_${api.toUpperCase()}_TLS_ENABLED`]: 'false' } })
    ).setting(`${api}.tls.enabled`);
    expect(setting.value).toBe(true);
    expect(setting.origin).toBe(`-X ${api}.tls.cert, because ${api}.tls.cert turns TLS on`);
    expect(setting.overrides.map(({ value, source }) => [value, source])).toEqual([
      [false, 'env'],
      [false, 'default'],
    ]);
  });
});

describe('no_default_cluster', () => {
  test('removes only the default addresses', async () => {
    const config = await resolveSources({ x: ['globals.no_default_cluster=true', 'admin.hosts=a'] });
    expect(config.get('brokers')).toEqual([]);
    expect(config.get('registry.hosts')).toEqual([]);
    expect(config.get('admin.hosts')).toEqual([{ host: 'a', port: 9644 }]);
    expect(config.setting('brokers').origin).toBe(
      'none, because of globals.no_default_cluster (-X globals.no_default_cluster)',
    );
  });

  test('fails before dialing, and says how to give the addresses', async () => {
    const config = await resolveSources({ env: { WEIR_GLOBALS_NO_DEFAULT_CLUSTER: 'true' } });
    const errors = await errorsOf(Promise.resolve().then(() => requireAddresses(config, 'brokers')));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      exitCode: exitCodes.usage,
      message: 'no brokers set, and globals.no_default_cluster (WEIR_GLOBALS_NO_DEFAULT_CLUSTER) disables the default',
      hints: [
        'set them with -X brokers=HOST:PORT or WEIR_BROKERS',
        'or store them in a profile: weir profile create NAME --set brokers=HOST:PORT',
      ],
    });
  });

  test('false keeps them', async () => {
    const config = await resolveSources({ x: ['globals.no_default_cluster=false'] });
    expect(requireAddresses(config, 'registry.hosts')).toEqual([{ host: 'localhost', port: 8081 }]);
  });
});

describe('the issuer and its token endpoint', () => {
  const [ours, theirs] = ['https://ours.example', 'https://theirs.example'];

  test.each([
    ['oauth.issuer', 'oauth.token_url'],
    ['oauth.token_url', 'oauth.issuer'],
  ] as const)('are one setting: %s of a higher source replaces both', async (key, other) => {
    const broker = `weir:\n  ${other}: ${theirs}\n`;
    const config = await resolveSources({ x: [`${key}=${ours}`], broker });
    expect(config.get(key)).toBe(ours);
    expect(config.setting(other)).toMatchObject({
      value: '',
      source: 'flag',
      origin: `none, because of ${key} (-X ${key})`,
      overrides: [{ value: theirs, source: 'broker' }, { source: 'default' }],
    });
  });

  test('may be set by the same source', async () => {
    const config = await resolveSources({ x: [`oauth.issuer=${ours}`, `oauth.token_url=${theirs}`] });
    expect([config.get('oauth.issuer'), config.get('oauth.token_url')]).toEqual([ours, theirs]);
  });
});

describe('configuration errors', () => {
  test('are collected, each naming key, source and value, but no value that may be secret', async () => {
    const { host, given, path } = worldOf({
      x: [
        'tls.enabled=maybe',
        'nonsense',
        '=s3cret',
        'tls.enabld=s3cret',
        'sasl.mechanism=GSSAPI',
        'user=a,pass=s3cret',
      ],
      deprecated: [{ flag: 'tls-enabled', value: 'perhaps' }],
      env: { WEIR_GLOBALS_DIAL_TIMEOUT: '5', WEIR_BROKERS: 'a,,b' },
      file: profileFile('globals.retry_timeout: 5', 'pas: s3cret'),
      broker: 'weir:\n  admin.hosts: ftp://u:s3cret@a\n',
    });
    const errors = await errorsOf(resolveConfig(host, given));
    expect(errors.map(({ message }) => message)).toEqual([
      'invalid boolean "maybe" in -X tls.enabled: not a boolean (use true or false)',
      '-X takes key=value: there is no "="',
      '-X takes key=value: the key before "=" is empty',
      'unknown option "tls.enabld" in -X',
      'invalid SASL mechanism "GSSAPI" in -X sasl.mechanism: not one of SCRAM-SHA-256, SCRAM-SHA-512, PLAIN, OAUTHBEARER, AWS_MSK_IAM',
      'the value of user in -X looks like another setting',
      'invalid boolean "perhaps" for tls.enabled in --tls-enabled: not a boolean (use true or false)',
      'invalid address "" for brokers in WEIR_BROKERS: an address is empty',
      'invalid duration "5" for globals.dial_timeout in WEIR_GLOBALS_DIAL_TIMEOUT: missing unit after "5" (use ns, us, ms, s, m or h)',
      `invalid duration "5" for globals.retry_timeout in ${path}:6 (profile prod): missing unit after "5" (use ns, us, ms, s, m or h)`,
      `unknown option "pas" in ${path}:7 (profile prod)`,
      `invalid addresses for admin.hosts in ${given.brokerConfigFile}:2 (section weir): the scheme must be http:// or https://`,
    ]);
    expect(errors.every(({ exitCode }) => exitCode === exitCodes.usage)).toBe(true);
    expect(errors.flatMap(({ hints }) => hints)).toContain('did you mean tls.enabled?');
    expect(JSON.stringify(errors)).not.toContain('s3cret');
  });

  test('a bad variable is an error even when a flag overrides it', async () => {
    const errors = await errorsOf(resolveSources({ x: ['tls.enabled=true'], env: { WEIR_TLS_ENABLED: 'yes' } }));
    expect(errors.map(({ target }) => target)).toEqual(['tls.enabled']);
  });

  const unreached = '/nonexistent/weir.yaml';
  const wrong: readonly (readonly [string, Sources, RegExp])[] = [
    [
      'a profile that does not exist, without a file',
      { profile: 'x' },
      /--profile x: no such profile \(you have none yet\)/,
    ],
    [
      'a profile that does not exist, named by a variable',
      { env: { WEIR_PROFILE: 'x' }, file: profileFile('user: a') },
      /WEIR_PROFILE=x: no such profile$/,
    ],
    [
      'a current profile that does not exist',
      { file: 'version: 1\ncurrent_profile: x\n' },
      /weir.yaml:2, current_profile x: no such profile \(you have none yet\)$/,
    ],
    [
      'a named file that does not exist',
      { configFile: unreached },
      /unable to read \/nonexistent\/weir.yaml \(--config\): no such file/,
    ],
    [
      'a file named by a variable that does not exist',
      { env: { WEIR_CONFIG: unreached } },
      /unable to read .* \(WEIR_CONFIG\): no such file/,
    ],
    [
      'a named broker file that does not exist',
      { brokerConfigFile: unreached },
      /unable to read .* \(--broker-config\): no such file/,
    ],
    ['an empty --profile', { profile: '' }, /--profile is empty/],
    [
      'http:// with TLS explicitly on',
      { x: ['admin.hosts=http://a', 'admin.tls.enabled=true'] },
      /admin.hosts \(-X admin.hosts\) has an http:\/\/ address, but admin.tls.enabled \(-X admin.tls.enabled\) is true/,
    ],
  ];
  test.each(wrong)('%s', async (_, given, message) => {
    const errors = await errorsOf(resolveSources(given));
    expect(errors.map((error) => error.message).join('\n')).toMatch(message);
    expect(errors[0]?.exitCode).toBe(exitCodes.usage);
  });
});
