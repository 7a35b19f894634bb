import { expect, test } from 'vitest';
import { kafkaOptions, userWithoutPassword } from '../../src/clients/kafka.ts';
import type { Config } from '../../src/config/config.ts';
import { envName, type OptionKey } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { type Deadline, startDeadline } from '../../src/deadline.ts';
import type { Host } from '../../src/host/host.ts';

const second = 1_000_000_000n;
const deadline: Deadline = startDeadline({
  dial: second,
  requestOverhead: second,
  retry: second,
  command: second,
  fetchMaxWait: second,
});
deadline.dispose();

const nowhere = { env: {}, home: '/nonexistent', cwd: '/', platform: 'linux' } as unknown as Host;

/** Returns the broker client's options for a configuration, and a password that was typed. */
function optionsOf(config: Config, typed = '', host: Pick<Host, 'home' | 'cwd' | 'env'> = nowhere) {
  return kafkaOptions(config, deadline, host, async () => String(config.get('pass')) || typed);
}

/** Returns the broker client's options for a set of `-X` values. */
async function optionsFor(values: Readonly<Record<string, string>>) {
  const x = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return await optionsOf(await resolveConfig(nowhere, { x, deprecated: [] }));
}

test('the defaults are localhost, plaintext and the client id weir', async () => {
  expect(await optionsFor({})).toMatchObject({
    brokers: [{ host: 'localhost', port: 9092 }],
    tls: undefined,
    sasl: undefined,
    clientId: 'weir',
    softwareVersion: '0.1.0',
  });
});

test('no_default_cluster without brokers fails before any connection is made', async () => {
  await expect(optionsFor({ 'globals.no_default_cluster': 'true' })).rejects.toThrow(/no brokers/);
  const given = await optionsFor({ 'globals.no_default_cluster': 'true', brokers: 'b:1' });
  expect(given.brokers).toMatchObject([{ host: 'b' }]);
});

test.each([
  [{ user: 'u', pass: 'p' }, 'SCRAM-SHA-256'],
  [{ user: 'u', pass: 'p', 'sasl.mechanism': 'plain' }, 'PLAIN'],
  [{ user: 'u', pass: 'p', 'sasl.mechanism': 'SCRAM-SHA-512' }, 'SCRAM-SHA-512'],
])('%j authenticates with %s', async (values, mechanism) => {
  expect((await optionsFor(values)).sasl).toMatchObject({ mechanism, username: 'u', password: 'p' });
});

test.each([
  [{ 'sasl.mechanism': 'PLAIN' }, 'user'],
  [{ 'sasl.mechanism': 'PLAIN', pass: 'p' }, 'user'],
  [{ user: 'u' }, 'pass'],
])('%j fails and names the missing option %s', async (values, missing) => {
  await expect(optionsFor(values)).rejects.toMatchObject({ exitCode: 2, target: missing });
});

/** Returns the SASL options for `-X` values and for variables of lower precedence. */
async function saslWith(x: readonly string[], profile: readonly string[]) {
  const env = Object.fromEntries(
    profile.map((word) => word.split('=')).map(([key = '', value = '']) => [envName(key as OptionKey), value]),
  );
  return (await optionsOf(await resolveConfig({ ...nowhere, env }, { x, deprecated: [] }))).sasl;
}

const configured = ['user=u', 'pass=p', 'sasl.mechanism=PLAIN'];

test.each([[['sasl.mechanism=']], [['user=']], [['user=', 'sasl.mechanism=']]])(
  '%j on the command line turns SASL off for one command',
  async (x) => {
    expect(await saslWith([], configured)).toMatchObject({ mechanism: 'PLAIN' });
    expect(await saslWith(x, configured)).toBeUndefined();
  },
);

test.each([
  [['user=u'], ['pass=p'], 'to connect without SASL, leave out -X user'],
  [[], ['user=u', 'pass=p'], 'turn SASL off with "-X sasl.mechanism=" (the user comes from WEIR_USER)'],
])('the advice for turning SASL off names where the user comes from: %j over %j', async (x, profile, advice) => {
  expect((await saslWith(x, profile))?.turnOff).toBe(advice);
});

test('an empty mechanism with a user selects the default mechanism', async () => {
  expect(await saslWith(['sasl.mechanism=', 'user=u', 'pass=p'], [])).toMatchObject({ mechanism: 'SCRAM-SHA-256' });
});

test('a password alone does not enable authentication', async () => {
  expect((await optionsFor({ pass: 'p' })).sasl).toBeUndefined();
});

test('TLS follows the resolved configuration', async () => {
  expect((await optionsFor({ 'tls.ca': '/ca.pem' })).tls).toEqual({
    ca: '/ca.pem',
    cert: undefined,
    key: undefined,
    insecureSkipVerify: false,
    keyPrefix: 'tls',
  });
  expect((await optionsFor({ 'tls.insecure_skip_verify': 'true' })).tls).toBeUndefined();
});

test('files of TLS are relative to the working directory, and ~/ is the home directory', async () => {
  const x = ['tls.ca=ca.pem', 'tls.cert=~/a.pem', 'tls.key=/k/a.key', 'tls.insecure_skip_verify=true'];
  const host = { ...nowhere, home: '/home/me', cwd: '/work' };
  const config = await resolveConfig(host, { x, deprecated: [] });
  expect((await optionsOf(config, '', host)).tls).toEqual({
    ...{ ca: '/work/ca.pem', cert: '/home/me/a.pem', key: '/k/a.key' },
    ...{ insecureSkipVerify: true, keyPrefix: 'tls' },
  });
});

test('an unreachable cluster is retried only if a retry timeout is set', async () => {
  expect((await optionsFor({})).firstContact).toBe('stop');
  expect((await optionsFor({ 'globals.retry_timeout': '30s' })).firstContact).toBe('retry');
});

test('the client id is passed on', async () => {
  expect((await optionsFor({ 'globals.streaming_protocol_request_client_id': 'mine' })).clientId).toBe('mine');
});

test.each([
  [['user=u'], [], 'u'],
  [['user=u', 'pass=p'], [], undefined],
  [[], [], undefined],
  [['user=u', 'sasl.mechanism=PLAIN'], [], 'u'],
  [['sasl.mechanism='], ['user=u'], undefined],
  [['user='], ['user=u', 'sasl.mechanism=PLAIN'], undefined],
])('with %j over %j, the user whose password is asked for is %s', async (x, lower, user) => {
  const env = Object.fromEntries(
    lower.map((word) => word.split('=')).map(([key = '', value = '']) => [envName(key as OptionKey), value]),
  );
  const config = await resolveConfig({ ...nowhere, env }, { x, deprecated: [] });
  expect(userWithoutPassword(config, 'pass')).toBe(user);
});

test('a typed password counts if none is set', async () => {
  const config = async (x: readonly string[]) => await resolveConfig(nowhere, { x, deprecated: [] });
  expect((await optionsOf(await config(['user=u']), 'typed')).sasl).toMatchObject({ password: 'typed' });
  expect((await optionsOf(await config(['user=u', 'pass=p']), 'typed')).sasl).toMatchObject({ password: 'p' });
});

test.each([
  [{ 'sasl.mechanism': 'PLAIN' }, 'set it with -X user=TEXT, WEIR_USER, or in the profile'],
  [{ user: 'u' }, 'set WEIR_PASS, or store it in the profile with: weir profile set pass'],
])('%j alone fails with a hint', async (values, hint) => {
  await expect(optionsFor(values)).rejects.toMatchObject({ code: 'CONFIG_INVALID', hints: [hint] });
});
