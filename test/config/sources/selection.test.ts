import { expect, test } from 'vitest';
import { checkProfileName, readAssignments } from '../../../src/config/sources/assignments.ts';
import { earlyValue, warnOfUnknownVariables } from '../../../src/config/sources/environment.ts';
import { type ConfigArguments, selectProfile } from '../../../src/config/sources/selection.ts';
import { errorsOf, hostOf } from './sources.ts';

const select = (given: Partial<ConfigArguments>, env: Record<string, string> = {}, home = '/home/me') =>
  selectProfile(hostOf({ home, cwd: '/work', env }), { x: [], deprecated: [], ...given });

test('without flags and variables there are the default files, and no profile is named', () => {
  expect(select({})).toEqual({
    configFile: { path: '/home/me/.config/weir/weir.yaml', origin: undefined },
    brokerConfigFile: { path: '/etc/redpanda/redpanda.yaml', origin: undefined },
    profile: undefined,
  });
  expect(selectProfile({ ...hostOf({}), home: undefined }, { x: [], deprecated: [] }).configFile).toBeUndefined();
});

const env = { WEIR_CONFIG: '~/c', WEIR_BROKER_CONFIG: 'b', WEIR_PROFILE: 'p' };

test('variables name files and the profile', () => {
  expect(select({}, env)).toEqual({
    configFile: { path: '/home/me/c', origin: 'WEIR_CONFIG' },
    brokerConfigFile: { path: '/work/b', origin: 'WEIR_BROKER_CONFIG' },
    profile: { name: 'p', origin: 'WEIR_PROFILE' },
  });
});

test('flags take precedence over variables, and empty variables are ignored', () => {
  expect(select({ configFile: 'x', brokerConfigFile: '/y', profile: 'z' }, env)).toEqual({
    configFile: { path: '/work/x', origin: '--config' },
    brokerConfigFile: { path: '/y', origin: '--broker-config' },
    profile: { name: 'z', origin: '--profile' },
  });
  expect(select({}, { WEIR_CONFIG: '', WEIR_BROKER_CONFIG: '', WEIR_PROFILE: '' })).toEqual(select({}));
});

test.each([
  ['--config', { configFile: '' }],
  ['--broker-config', { brokerConfigFile: '' }],
  ['--profile', { profile: '' }],
])('an empty %s is an error', (flag, given) => {
  expect(() => select(given)).toThrow(
    expect.objectContaining({ exitCode: 2, code: 'CONFIG_INVALID', target: flag, message: `${flag} is empty` }),
  );
});

test.each<[readonly string[], Record<string, string>, bigint | undefined]>([
  [[], {}, undefined],
  [[], { WEIR_GLOBALS_COMMAND_TIMEOUT: '1s' }, 1_000_000_000n],
  [['globals.command_timeout=2s'], { WEIR_GLOBALS_COMMAND_TIMEOUT: '1s' }, 2_000_000_000n],
  [['globals.command_timeout=2s', 'Globals.Command_Timeout=3s', 'user=x'], {}, 3_000_000_000n],
  [['globals.command_timeout=soon'], { WEIR_GLOBALS_COMMAND_TIMEOUT: '1s' }, undefined],
  [['nonsense'], { WEIR_GLOBALS_COMMAND_TIMEOUT: '' }, undefined],
])('the early value of a timeout in %j and %j is %s', (words, variables, value) => {
  expect(earlyValue('globals.command_timeout', words, variables)).toBe(value);
});

test('unknown variables are named in order, with the closest one if there is one', async () => {
  const variables = { WEIR_USR: '1', WEIR_BROKERZ: '2', WEIR_SOMETHING_ELSE: '3', WEIR_USER: 'u', WEIR_PROFILE: 'p' };
  expect(await warnOfUnknownVariables({ ...variables, OTHER: 'x' })).toEqual([
    'ignored WEIR_BROKERZ: unknown variable (did you mean WEIR_BROKERS?)',
    'ignored WEIR_SOMETHING_ELSE: unknown variable',
    'ignored WEIR_USR: unknown variable (did you mean WEIR_USER?)',
  ]);
  expect(await warnOfUnknownVariables({ WEIR_USER: 'u', WEIRD: 'x' })).toEqual([]);
});

test('variables of rpk are named with their counterparts, unless these are set', async () => {
  const rpk = {
    RPK_BROKERS: 'a',
    RPK_REGISTRY_HOSTS: 'b',
    RPK_CLOUD_TOKEN: 'c',
    RPK_PUBLIC_API_URL: 'd',
    RPK_USER: 'e',
  };
  expect(await warnOfUnknownVariables({ ...rpk, REDPANDA_SASL_PASSWORD: 'f', WEIR_USER: 'u' })).toEqual([
    'ignored REDPANDA_SASL_PASSWORD, a variable of rpk: use WEIR_PASS',
    'ignored RPK_BROKERS, a variable of rpk: use WEIR_BROKERS',
    'ignored RPK_CLOUD_TOKEN, a variable of rpk: use WEIR_CLOUD_TOKEN',
    'ignored RPK_REGISTRY_HOSTS, a variable of rpk: use WEIR_REGISTRY_HOSTS',
  ]);
  expect(await warnOfUnknownVariables({ RPK_BROKERS: 'a', WEIR_USR: '1' })).toEqual([
    'ignored WEIR_USR: unknown variable (did you mean WEIR_USER?)',
    'ignored RPK_BROKERS, a variable of rpk: use WEIR_BROKERS',
  ]);
});

test.each([
  ['p', undefined],
  ['a b', undefined],
  ['x'.repeat(100), undefined],
  ['x'.repeat(101), 'it is longer than 100 characters'],
  ['', 'it is empty'],
  [' ', 'it is empty'],
  [' p', 'it begins or ends with a space'],
  ['p ', 'it begins or ends with a space'],
  ['-p', 'it begins with a dash'],
  ['a\u202eb', 'it contains control characters'],
  ['a\nb', 'it contains control characters'],
])('the profile name %j: %s', (name, fault) => {
  if (fault === undefined) expect(() => checkProfileName(name)).not.toThrow();
  else expect(() => checkProfileName(name)).toThrow(`invalid profile name: ${fault}`);
});

test('assignments set options, and the description, protection and prompt of the profile', async () => {
  const words = ['User=a', 'tls.enabled=T', 'brokers=a, b', 'prompt=red', 'description=x=y', 'protected=1', 'user=b'];
  expect(await readAssignments(words, '--set', new Map())).toMatchObject({
    ...{ description: 'x=y', protected: true },
    options: new Map<string, unknown>([
      ['user', 'b'],
      ['tls.enabled', true],
      ['brokers', ['a', 'b']],
      ['globals.prompt', 'red'],
    ]),
  });
  expect(await readAssignments(['protected=false'], '--set', new Map())).toMatchObject({ protected: false });
  expect(await readAssignments([], '--set', new Map())).toMatchObject({ protected: undefined, description: undefined });
});

test('every wrong assignment is reported', async () => {
  const words = [
    '=x',
    'name=x',
    'usr=x',
    'protected=maybe',
    'tls.enabled=maybe',
    'user=a,pass=b',
    'pass=user=a,pass=b',
  ];
  const errors = await errorsOf(readAssignments(words, '--set', new Map()));
  expect(errors.map(({ message }) => message)).toEqual([
    'invalid KEY=VALUE in --set: there is no "=", or no key before it',
    'unable to set the name of a profile like an option',
    'unknown option "usr" in --set',
    'invalid boolean "maybe" for protected in --set: use true or false',
    'invalid boolean "maybe" for tls.enabled in --set: not a boolean (use true or false)',
    'the value of user in --set looks like another setting',
  ]);
});
