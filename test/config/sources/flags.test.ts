import { describe, expect, test } from 'vitest';
import { deprecatedFlags, deprecationWarning, readFlags, readOptionWords } from '../../../src/config/sources/flags.ts';

describe('-X key=value', () => {
  test.each([
    ['user=a=b', 'user', 'a=b'],
    ['user=', 'user', ''],
    ['USER=A b,c#d"e\'f', 'user', 'A b,c#d"e\'f'],
    ['User=ü', 'user', 'ü'],
    ['pass= x ', 'pass', ' x '],
  ] as const)('%s', async (word, key, value) => {
    const { entries, errors } = await readOptionWords([word]);
    expect([...entries]).toEqual([[key, { value, origin: `-X ${key}` }]]);
    expect(errors).toEqual([]);
  });

  test('the last of a key wins, and lists replace', async () => {
    const { entries } = await readOptionWords(['brokers=a,b', 'BROKERS=c']);
    expect(entries.get('brokers')?.value).toEqual([{ host: 'c', port: 9092 }]);
  });

  test.each([
    [' user=a', 'unknown option " user" in -X: the key has a space', 'write it without the space: user=VALUE'],
    ['user =b', 'unknown option "user " in -X: the key has a space', 'write it without the space: user=VALUE'],
    ['username=a', 'unknown option "username" in -X', 'did you mean user?'],
    ['sasl.user=a', 'unknown option "sasl.user" in -X', 'did you mean user?'],
    ['sasl.password=a', 'unknown option "sasl.password" in -X', 'did you mean pass?'],
    ['proxy=a', 'unknown option "proxy" in -X', 'did you mean globals.proxy?'],
    ['tls.enable=a', 'unknown option "tls.enable" in -X', 'did you mean tls.enabled?'],
    ['Globals.Dial-Timeout=a', 'unknown option "Globals.Dial-Timeout" in -X', 'did you mean globals.dial_timeout?'],
    [
      'globals.kafka_protocol_request_client_id=a',
      'unknown option "globals.kafka_protocol_request_client_id" in -X',
      'did you mean globals.streaming_protocol_request_client_id?',
    ],
    ['x\u001b[2J=a', 'unknown option "x\\u001b[2J" in -X', 'see all options with: weir -X list'],
  ])('%s is an error that names the closest key', async (word, message, hint) => {
    const { errors } = await readOptionWords([word]);
    expect(errors.map((error) => [error.message, error.hints[0]])).toEqual([[message, hint]]);
  });
});

test('the deprecated flags are those of earlier clients', () => {
  expect(deprecatedFlags.map(({ flag, key }) => `--${flag} ${key}`)).toEqual([
    '--brokers brokers',
    '--user user',
    '--password pass',
    '--sasl-mechanism sasl.mechanism',
    '--tls-enabled tls.enabled',
    '--tls-truststore tls.ca',
    '--tls-cert tls.cert',
    '--tls-key tls.key',
    '--api-urls admin.hosts',
    '--admin-api-tls-enabled admin.tls.enabled',
    '--admin-api-tls-truststore admin.tls.ca',
    '--admin-api-tls-cert admin.tls.cert',
    '--admin-api-tls-key admin.tls.key',
    '--client-id cloud.client_id',
    '--client-secret cloud.client_secret',
  ]);
  const warnings = deprecatedFlags.map(deprecationWarning);
  expect(warnings[3]).toBe('--sasl-mechanism is deprecated: use -X sasl.mechanism=VALUE');
  // No secret belongs on a command line.
  expect(warnings[2]).toBe(
    '--password is deprecated: use the prompt, "weir profile set pass" or WEIR_PASS (other users can see a command line)',
  );
  expect(warnings.at(-1)).toBe(
    '--client-secret is deprecated: use the prompt of "weir cloud login", or its flag --client-secret-file FILE (other users can see a command line)',
  );
});

test('only the deprecated flags for addresses form a list, and only those for TLS are switches', () => {
  const named = (which: 'repeats' | 'isSwitch') => deprecatedFlags.filter((row) => row[which]).map(({ flag }) => flag);
  expect(named('repeats')).toEqual(['brokers', 'api-urls']);
  expect(named('isSwitch')).toEqual(['tls-enabled', 'admin-api-tls-enabled']);
});

test('the last of a deprecated flag counts, and all values of a list', async () => {
  const uses = ['user', 'brokers'].flatMap((flag) => ['a', 'b'].map((value) => ({ flag, value })));
  const [, reading] = await readFlags([], uses);
  expect(reading?.entries.get('user')).toEqual({ value: 'b', origin: '--user' });
  expect(reading?.entries.get('brokers')?.value).toHaveLength(2);
});
