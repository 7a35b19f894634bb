import { describe, expect, test } from 'vitest';
import { optionRows, renderOptionHelp, renderOptionList } from '../../src/config/option-help.ts';
import {
  envName,
  isOptionKey,
  optionKeys,
  optionOf,
  options,
  secretKeys,
  secretPartOf,
  showValue,
} from '../../src/config/options.ts';

/** The table every client of the platform has, in its order: key, sort of value, default. */
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
  test('begins with the 31 common options, in their order, with their kinds and defaults', () => {
    const rows = options.slice(0, 31).map(({ key, kind, fallback }) => [key, kind.name, showValue(key, fallback)]);
    expect(rows).toEqual(common);
  });

  test('ends with extensions only: add a row at the end, with extension: true', () => {
    expect(options.map(({ extension }) => extension)).toEqual(options.map((_, i) => i >= 31));
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
      ...['pass', 'cloud.client_secret'],
      ...['admin.pass', 'admin.token', 'registry.pass', 'registry.token'],
      ...['oauth.client_secret', 'oauth.token'],
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
  test('prints one line per key, the common options under the first heading, extensions under the second', () => {
    const second = lines.indexOf('extensions:');
    expect(lines[0]).toBe('options:');
    expect(lines.slice(1, second - 1).map((line) => line.split('=')[0])).toEqual(common.map(([key]) => key));
    const third = lines.findIndex((line) => line.startsWith('elsewhere, '));
    expect(lines.slice(second + 1, third - 1).map((line) => line.split('=')[0])).toEqual(
      optionKeys.slice(31).filter((key) => secretPartOf(key)?.way === undefined),
    );
    expect(lines[third]).toBe(`elsewhere, for each secret KEY (${secretKeys.join(', ')}):`);
    expect(lines.slice(third + 1, -1).map((line) => line.split('=')[0])).toEqual([
      'KEY.command',
      'KEY.file',
      'KEY.keychain',
    ]);
  });

  test('shows what to type and the default', () => {
    expect(lines.find((line) => line.startsWith('globals.dial_timeout='))).toMatch(/^\S+=DURATION +default 3s$/);
    expect(lines.find((line) => line.startsWith('tls.enabled='))).toMatch(/^\S+=true\|false +default false$/);
  });
});

test('-X help shows the meaning, kind, default, example and variable of every key', () => {
  const help = renderOptionHelp();
  for (const { key, help: meaning, kind, secret } of options) {
    expect(help).toContain(meaning);
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
  expect(rows[0]).toMatchObject({ key: 'brokers', default: ['localhost:9092'], env: 'WEIR_BROKERS', extension: false });
});
