import { describe, expect, test } from 'vitest';
import { optionAreas, optionRows, renderOptionHelp, renderOptionList } from '../../src/config/option-help.ts';
import {
  envName,
  isOptionKey,
  optionKeys,
  optionOf,
  options,
  settingKeys,
  showValue,
} from '../../src/config/options.ts';

/** The options that every client of the platform has: key, sort of value, default. */
const common: readonly (readonly [string, string, string])[] = [
  ['brokers', 'addresses', 'localhost:9092'],
  ['tls.enabled', 'boolean', 'false'],
  ['tls.insecure_skip_verify', 'boolean', 'false'],
  ['tls.ca', 'path', ''],
  ['tls.cert', 'path', ''],
  ['tls.key', 'path', ''],
  ['sasl.mechanism', 'SASL mechanism', ''],
  ['user', 'text', ''],
  ['pass', 'secret', ''],
  ['admin.hosts', 'addresses', 'localhost:9644'],
  ['admin.tls.enabled', 'boolean', 'false'],
  ['admin.tls.insecure_skip_verify', 'boolean', 'false'],
  ['admin.tls.ca', 'path', ''],
  ['admin.tls.cert', 'path', ''],
  ['admin.tls.key', 'path', ''],
  ['registry.hosts', 'addresses', 'localhost:8081'],
  ['registry.tls.enabled', 'boolean', 'false'],
  ['registry.tls.insecure_skip_verify', 'boolean', 'false'],
  ['registry.tls.ca', 'path', ''],
  ['registry.tls.cert', 'path', ''],
  ['registry.tls.key', 'path', ''],
  ['cloud.client_id', 'text', ''],
  ['cloud.client_secret', 'secret', ''],
  ['globals.prompt', 'text', 'bg-red "%n"'],
  ['globals.no_default_cluster', 'boolean', 'false'],
  ['globals.command_timeout', 'duration', '30s'],
  ['globals.dial_timeout', 'duration', '3s'],
  ['globals.request_timeout_overhead', 'duration', '10s'],
  ['globals.retry_timeout', 'duration', '30s'],
  ['globals.fetch_max_wait', 'duration', '5s'],
  ['globals.streaming_protocol_request_client_id', 'text', 'weir'],
];

describe('the table of options', () => {
  test('has the 31 common options, with their kinds and defaults', () => {
    const rows = options.map(({ key, kind, fallback }) => [key, kind.name, showValue(key, fallback)]);
    expect(rows).toEqual(expect.arrayContaining([...common]));
  });

  test('is in the order of -X list: a row stands with the others of its area', () => {
    expect(optionAreas().flatMap(([, rows]) => rows.map(({ key }) => key))).toEqual(settingKeys);
  });

  test('allows exactly these SASL mechanisms', () => {
    expect(optionOf('sasl.mechanism').kind.choices).toEqual([
      'SCRAM-SHA-256',
      'SCRAM-SHA-512',
      'PLAIN',
      'OAUTHBEARER',
      'AWS_MSK_IAM',
    ]);
  });

  test('marks passwords, client secrets and tokens as secret, and nothing else', () => {
    const secrets = options.filter(({ secret }) => secret).map(({ key }) => key);
    expect(secrets).toEqual([
      ...['pass', 'admin.pass', 'admin.token', 'registry.pass', 'registry.token'],
      ...['oauth.client_secret', 'oauth.token', 'cloud.client_secret'],
    ]);
  });

  test.each(options.map((option) => [option.key, option] as const))(
    '%s has an example that its kind reads',
    (_, option) => {
      expect(() => option.kind.parse(option.example)).not.toThrow();
      expect(option.help).toMatch(/\.$/);
    },
  );
});

describe('the environment rule', () => {
  test.each([
    ['tls.enabled', 'WEIR_TLS_ENABLED'],
    ['brokers', 'WEIR_BROKERS'],
    ['admin.tls.insecure_skip_verify', 'WEIR_ADMIN_TLS_INSECURE_SKIP_VERIFY'],
    ['cloud.client_id', 'WEIR_CLOUD_CLIENT_ID'],
    ['globals.streaming_protocol_request_client_id', 'WEIR_GLOBALS_STREAMING_PROTOCOL_REQUEST_CLIENT_ID'],
  ] as const)('names the variable of %s %s', (key, name) => expect(envName(key)).toBe(name));

  test('gives every option a name of its own', () => {
    expect(new Set(optionKeys.map(envName)).size).toBe(options.length);
  });
});

test('keys that every object inherits are not options', () => {
  for (const key of ['__proto__', 'constructor', 'toString', '']) expect(isOptionKey(key)).toBe(false);
});

describe('-X list', () => {
  const lines = renderOptionList().split('\n');
  test('prints one line per key below the title of its area, and the sources of secrets once', () => {
    expect(lines.slice(0, 2)).toEqual(['Brokers:', expect.stringMatching(/^ {2}brokers=/)]);
    const keys = lines.flatMap((line) => /^ {2}([\w.]+)=/.exec(line)?.[1] ?? []);
    expect(keys).toEqual([...settingKeys, 'KEY.command', 'KEY.file', 'KEY.keychain']);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
  });

  test('shows what to type and the default', () => {
    expect(lines.find((line) => line.startsWith('  globals.dial_timeout='))).toMatch(/^ {2}\S+=DURATION +default 3s$/);
    expect(lines.find((line) => line.startsWith('  tls.enabled='))).toMatch(/^ {2}\S+=true\|false +default false$/);
  });
});

test('-X help shows the meaning, kind, default, example and variable of every key', () => {
  for (const { key, help: meaning, kind, secret } of options) {
    const help = renderOptionHelp(key);
    expect(help.replaceAll(/\n +/g, ' ')).toContain(meaning);
    expect(help).toContain(`kind: ${kind.name}`);
    expect(help).toContain(envName(key));
    // A secret is never shown on a command line.
    expect(help.includes(`-X ${key}=`)).toBe(!secret);
    if (secret) expect(help).toContain(`weir profile set ${key}\n`);
  }
});

test('the table as data is plain JSON', () => {
  const rows = optionRows();
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
  expect(rows[0]).toMatchObject({ key: 'brokers', default: ['localhost:9092'], env: 'WEIR_BROKERS', area: 'Brokers' });
});
