import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importRpk } from '../../../src/config/profile/rpk-import.ts';
import { emptyDirectory, writeWhole } from '../sources/sources.ts';

async function importText(text: string) {
  const path = join(emptyDirectory(), 'rpk.yaml');
  writeWhole(path, text);
  const { profiles, current, lost } = await importRpk(path);
  return {
    current,
    profiles: profiles.map(({ name, description, options }) => ({
      name,
      description,
      options: Object.fromEntries(options),
    })),
    lost: lost.map((line) => line.replace(path, 'FILE')),
  };
}

const whole = `version: 6
globals:
    prompt: 'bg-blue "%n"'
    no_default_cluster: false
    command_timeout: 0s
    dial_timeout: 5s
    kafka_protocol_request_client_id: ""
current_profile: cloud
current_cloud_auth_org_id: o1
current_cloud_auth_kind: sso
profiles:
    - name: cloud
      description: in the cloud
      prompt: red "%n"
      from_cloud: true
      cloud_cluster: {cluster_id: c1, auth_org_id: o1, auth_kind: client-credentials}
      kafka_api:
        brokers: [seed.example:9092]
        tls: {}
        sasl: {user: token, password: t, mechanism: CLOUD-OIDC}
      admin_api: {addresses: []}
    - name: local
      description: ""
      prompt: ""
      kafka_api: {brokers: ["127.0.0.1:9092"]}
      admin_api: {addresses: ["127.0.0.1:9644"]}
      schema_registry: {addresses: ["127.0.0.1:8081"], tls: {ca_file: /ca}}
      license_check: {last_update: 1}
cloud_auth:
    - {name: mine, org_id: o1, kind: client-credentials, client_id: id, client_secret: s3cret, auth_token: t0ken}
`;

describe('a whole rpk.yaml', () => {
  test('is imported with its profiles, their common settings and the cloud credentials', async () => {
    const { profiles, current } = await importText(whole);
    expect(current).toBe('cloud');
    expect(profiles).toEqual([
      {
        name: 'cloud',
        description: 'in the cloud',
        options: {
          'globals.prompt': 'red "%n"',
          'globals.dial_timeout': '5s',
          brokers: ['seed.example:9092'],
          'tls.enabled': true,
          'cloud.client_id': 'id',
          'cloud.client_secret': 's3cret',
        },
      },
      {
        name: 'local',
        description: undefined,
        options: {
          'globals.prompt': 'bg-blue "%n"',
          'globals.dial_timeout': '5s',
          brokers: ['127.0.0.1:9092'],
          'admin.hosts': ['127.0.0.1:9644'],
          'registry.hosts': ['127.0.0.1:8081'],
          'registry.tls.enabled': true,
          'registry.tls.ca': '/ca',
        },
      },
    ]);
  });

  test('lists what could not be imported, without secrets', async () => {
    const { lost } = await importText(whole);
    expect(lost).toEqual([
      'profile cloud: the login to the cloud cluster it was created from; run: weir cloud login, and then: weir cloud cluster select c1',
      'profile cloud: the Admin API address, which rpk derives from the brokers and weir does not: set admin.hosts',
      'cloud login mine: the token; log in again with: weir cloud login',
    ]);
    expect(lost.join()).not.toMatch(/s3cret|t0ken/);
  });
});

test('settings without a profile become one', async () => {
  expect(await importText('globals: {no_default_cluster: true}\n')).toEqual({
    current: 'rpk',
    profiles: [{ name: 'rpk', description: undefined, options: { 'globals.no_default_cluster': true } }],
    lost: [],
  });
});

const login = '{org_id: o1, kind: client-credentials, client_id: id, client_secret: s3cret';
const selected = 'current_cloud_auth_org_id: o1\ncurrent_cloud_auth_kind: client-credentials\n';
const credentials = { 'cloud.client_id': 'id', 'cloud.client_secret': 's3cret' };

test('a login without a profile becomes one, and its token is lost', async () => {
  expect(await importText(`${selected}cloud_auth:\n  - ${login}, refresh_token: t0ken}\n`)).toEqual({
    current: 'rpk',
    profiles: [{ name: 'rpk', description: undefined, options: credentials }],
    lost: ['cloud login o1: the token; log in again with: weir cloud login'],
  });
});

test.each<[string, string, object]>([
  ['the login that the file selects', `${selected}cloud_auth: [${login}}]`, credentials],
  ['no login of another organization', `${selected}cloud_auth: [${login.replace('o1', 'o2')}}]`, {}],
  ['no login of another kind', `${selected}cloud_auth: [${login.replace('client-c', 'c')}}]`, {}],
  ['no login without a secret', `${selected}cloud_auth: [${login.replace(', client_secret: s3cret', '')}}]`, {}],
  ['no login without an id', `${selected}cloud_auth: [${login.replace('client_id: id, ', '')}}]`, {}],
])('a profile without a cloud cluster has %s', async (_, text, options) => {
  const { profiles, lost } = await importText(`${text}\nprofiles: [{name: p}]\n`);
  expect(profiles).toEqual([{ name: 'p', description: undefined, options }]);
  expect(lost).toEqual([]);
});

test('a profile without a name is lost, and the selection of a profile that does not exist', async () => {
  const text = 'current_profile: b\nprofiles:\n  - name: a\n  - description: x\n  - name: ""\n';
  expect(await importText(text)).toEqual({
    current: undefined,
    profiles: [{ name: 'a', description: undefined, options: {} }],
    lost: ['FILE:4: a profile without a name', 'FILE:5: a profile without a name'],
  });
});

test('settings for all profiles that say "not set" are left out, and a wrong one is lost', async () => {
  const text = `globals:
  prompt: ""
  no_default_cluster: false
  command_timeout: "0"
  dial_timeout: 0s
  request_timeout_overhead: 7
  retry_timeout: 8s
  fetch_max_wait: 9ms
  kafka_protocol_request_client_id: mine
`;
  expect(await importText(text)).toEqual({
    current: 'rpk',
    profiles: [
      {
        ...{ name: 'rpk', description: undefined },
        options: {
          'globals.retry_timeout': '8s',
          'globals.fetch_max_wait': '9ms',
          'globals.streaming_protocol_request_client_id': 'mine',
        },
      },
    ],
    lost: [
      'invalid duration "7" for globals.request_timeout_overhead in FILE (globals.request_timeout_overhead): missing unit after "7" (use ns, us, ms, s, m or h)',
    ],
  });
});

test.each(['version: 1\n', 'version: 6\n', '{}\n'])('%j has nothing to import', async (text) => {
  expect(await importText(text)).toEqual({ profiles: [], current: undefined, lost: [] });
});

test('a file that is newer than weir is imported, and what may be lost is said', async () => {
  const text =
    'version: 7\ncurrent_profile: a\nprofiles: [{name: a, kafka_api: {brokers: [b:1]}, admin_api: {addresses: [b:2]}}]\n';
  expect(await importText(text)).toMatchObject({
    current: 'a',
    profiles: [{ name: 'a' }],
    lost: ['keys that version 7 of rpk.yaml may have added: weir knows the versions up to 6'],
  });
});

test.each([
  ['version: 0\n', /invalid version 0/],
  ['version: 1.5\n', /invalid version 1\.5/],
  ['- a\n', /:1: this is not an rpk.yaml/],
])('%s is refused', async (text, message) => {
  await expect(importText(text)).rejects.toThrow(message);
});

test('a missing file is an error that shows how to name one', async () => {
  await expect(importRpk('/nonexistent/rpk.yaml')).rejects.toMatchObject({
    ...{ exitCode: 2, target: '/nonexistent/rpk.yaml', hints: ['specify it with --from-rpk=FILE'] },
    message: 'unable to read /nonexistent/rpk.yaml: no such file',
  });
});

test.each([
  ['token:eyJ', { 'oauth.token': 'eyJ' }, []],
  ['eyJ', { 'oauth.token': 'eyJ' }, []],
  ['[REDACTED]', {}, ['profile a: the token, which rpk does not print; set it with: weir profile set oauth.token']],
])('with OAUTHBEARER, the password of rpk is a token: %s', async (password, options, lost) => {
  const sasl = `{password: "${password}", mechanism: OAUTHBEARER}`;
  const imported = await importText(`profiles: [{name: a, kafka_api: {sasl: ${sasl}}}]`);
  expect(imported.profiles[0]?.options).toEqual({ 'sasl.mechanism': 'OAUTHBEARER', ...options });
  expect(imported.lost).toEqual(lost);
});
