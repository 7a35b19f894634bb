import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { kafkaToken } from '../../../../src/sign-in/identity/google/managed-kafka.ts';
import { type Answer, identityOn, lifetimeOf, startCloud } from '../cloud.ts';
import { failure, homeWith } from '../failure.ts';

const brokers = ['bootstrap.orders.europe-west1.managedkafka.demo-project.cloud.goog'];
const scope = 'https://www.googleapis.com/auth/cloud-platform';
const granted = { access_token: 'google-canary', expires_in: 3599, token_type: 'Bearer' };
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A machine with these files and variables, on which no metadata server answers. */
function google(files: Readonly<Record<string, object>>, more: Partial<Parameters<typeof identityOn>[1]> = {}) {
  const home = homeWith(
    Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])),
  );
  return identityOn('google', { brokers, home, ...more, env: { NO_GCE_CHECK: 'true', ...more.env } });
}

const named = { env: { GOOGLE_APPLICATION_CREDENTIALS: '~/key.json' } };

function json(part = ''): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

/** Whose token it is, and the access token in it. */
async function principal(identity: ReturnType<typeof google>): Promise<readonly unknown[]> {
  const { text } = await identity.get();
  const [header, claims, access = ''] = text.split('.');
  expect(json(header)).toEqual({ typ: 'JWT', alg: 'GOOG_OAUTH2_TOKEN' });
  return [(json(claims) as { readonly sub: string }).sub, Buffer.from(access, 'base64url').toString('utf8')];
}

test('a token has the three parts that the login handler of the service makes', () => {
  const access = {
    text: 'ya29.x',
    expiresAt: Date.parse('2026-01-01T01:00:00Z'),
    email: 'a@b.iam.gserviceaccount.com',
  };
  const [header, claims, token = ''] = kafkaToken(access, Date.parse('2026-01-01T00:00:00.500Z')).split('.');
  expect(json(header)).toEqual({ typ: 'JWT', alg: 'GOOG_OAUTH2_TOKEN' });
  expect(json(claims)).toEqual({ exp: 1_767_229_200, iat: 1_767_225_600, scope: 'kafka', sub: access.email });
  expect(Buffer.from(token, 'base64url').toString('utf8')).toBe(access.text);
});

describe('a token is got', () => {
  const account = (url: string) => ({
    type: 'service_account',
    client_email: 'sa@demo.iam.gserviceaccount.com',
    private_key_id: 'k1',
    private_key: pem,
    token_uri: `${url}/token`,
  });

  test('with the key of a service account', async () => {
    using cloud = await startCloud({ 'POST /token': granted });
    const identity = google({ 'key.json': account(cloud.url) }, named);
    expect(await principal(identity)).toEqual(['sa@demo.iam.gserviceaccount.com', 'google-canary']);
    expect((await identity.get()).secrets).toEqual(['google-canary']);
    const assertion = new URLSearchParams(cloud.asked[0]?.body).get('assertion') ?? '';
    const [header, claims, signature = ''] = assertion.split('.');
    expect(json(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(json(claims)).toMatchObject({ iss: 'sa@demo.iam.gserviceaccount.com', aud: `${cloud.url}/token`, scope });
    expect(lifetimeOf(json(claims))).toBe(3600);
    const check = createVerify('sha256').update(`${header}.${claims}`);
    expect(check.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(await identity.identify?.()).toMatch(/^sa@demo.*, from .*key.json, until 20/);
  });

  test('with the login of a person, whose address is in the id token', async () => {
    const id = `e30.${Buffer.from('{"email":"ana@example.com"}').toString('base64url')}.x`;
    using cloud = await startCloud({ 'POST /token': { ...granted, id_token: id } });
    const login = {
      type: 'authorized_user',
      client_id: 'c',
      client_secret: 's-canary',
      refresh_token: 'r-canary',
      token_uri: `${cloud.url}/token`,
    };
    const identity = google({ '.config/gcloud/application_default_credentials.json': login });
    expect(await principal(identity)).toEqual(['ana@example.com', 'google-canary']);
    expect(new URLSearchParams(cloud.asked[0]?.body).get('refresh_token')).toBe('r-canary');
  });

  const acting = '/v1/projects/-/serviceAccounts/app@demo.iam.gserviceaccount.com:generateAccessToken';
  const accessToken = { accessToken: 'acting-canary', expireTime: '2099-01-01T00:00:00Z' };

  test('for an identity of elsewhere that acts as a service account', async () => {
    using cloud = await startCloud({ 'POST /sts': granted, [`POST ${acting}`]: accessToken });
    const external = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${cloud.url}/sts`,
      service_account_impersonation_url: cloud.url + acting,
      credential_source: { file: '~/subject', format: { type: 'json', subject_token_field_name: 'token' } },
    };
    const identity = google({ 'key.json': external, subject: { token: 'subject-canary' } }, named);
    expect(await principal(identity)).toEqual(['app@demo.iam.gserviceaccount.com', 'acting-canary']);
    expect(Object.fromEntries(new URLSearchParams(cloud.asked[0]?.body))).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'subject-canary',
    });
    expect(cloud.asked[1]).toMatchObject({ headers: { authorization: 'Bearer google-canary' } });
    expect(JSON.parse(cloud.asked[1]?.body ?? '')).toEqual({ scope: [scope] });
  });

  test('for a service account that another one may act as', async () => {
    using cloud = await startCloud({ 'POST /token': granted, [`POST ${acting}`]: accessToken });
    const file = {
      type: 'impersonated_service_account',
      service_account_impersonation_url: cloud.url + acting,
      source_credentials: account(cloud.url),
    };
    expect(await principal(google({ 'key.json': file }, named))).toEqual([
      'app@demo.iam.gserviceaccount.com',
      'acting-canary',
    ]);
  });

  test('but not if the service refuses, whose reason has no token in it', async () => {
    const answer = { status: 403, error: { message: `${'x'.repeat(70)} google-canary may not` } };
    using cloud = await startCloud({ 'POST /token': granted, [`POST ${acting}`]: answer });
    const file = {
      type: 'impersonated_service_account',
      service_account_impersonation_url: cloud.url + acting,
      source_credentials: account(cloud.url),
    };
    expect(await failure(google({ 'key.json': file }, named))).toMatch(/x \*\*\* may.* \(403\)/);
  });

  test('for the service account of the machine, never through a proxy', async () => {
    const path = 'GET /computeMetadata/v1/instance/service-accounts/default';
    const flavor = { 'metadata-flavor': 'Google' };
    using cloud = await startCloud(
      { [`${path}/email`]: 'vm@demo.iam.gserviceaccount.com', [`${path}/token`]: granted },
      flavor,
    );
    const proxy = { option: '', env: { http_proxy: 'http://127.0.0.1:1' } };
    const env = { NO_GCE_CHECK: '', GCE_METADATA_HOST: new URL(cloud.url).host };
    const identity = google({}, { env, options: { proxy } });
    expect(await principal(identity)).toEqual(['vm@demo.iam.gserviceaccount.com', 'google-canary']);
    expect(cloud.asked.map(({ headers }) => headers['metadata-flavor'])).toEqual(['Google', 'Google']);
  });

  test('for whoever is logged in to gcloud', async () => {
    const token_expiry = new Date(Date.now() + 3_600_000).toISOString();
    const printed = {
      credential: { access_token: 'cli-canary', token_expiry },
      configuration: { properties: { core: { account: 'ana@example.com' } } },
    };
    const run = () => ({ exitCode: 0, stdout: JSON.stringify(printed) });
    expect(await principal(google({}, { run }))).toEqual(['ana@example.com', 'cli-canary']);
  });
});

describe('what does not work is named', () => {
  test('no identity anywhere: each place, and why it has none', async () => {
    expect(await failure(google({}))).toBe(
      [
        'unable to get a Google token: there are none',
        'file: oauth.assertion.key and GOOGLE_APPLICATION_CREDENTIALS are not set',
        'gcloud login for applications: there is no file ~/.config/gcloud/application_default_credentials.json',
        'metadata server: NO_GCE_CHECK is true',
        'gcloud: there is no program "gcloud"',
        'log in with: gcloud auth application-default login',
      ].join('\n'),
    );
  });

  const user = { type: 'authorized_user', client_id: 'c', client_secret: 'canary', refresh_token: 'r-canary' };
  const answers: readonly (readonly [string, Answer, RegExp])[] = [
    [
      'a refusal',
      { status: 400, error: 'invalid_grant', error_description: 'r-canary expired' },
      /invalid_grant: \*\*\* expired \(POST http:.*: 400\)/,
    ],
    ['a page', '<html>canary</html>', /is not a JSON object \(200, text\/html\)/],
    ['nobody named', granted, /does not say whose login it is/],
  ];
  test.each(answers)('an endpoint that answers with %s', async (_, answer, expected) => {
    using cloud = await startCloud({ 'POST /token': answer });
    expect(await failure(google({ 'key.json': { ...user, token_uri: `${cloud.url}/token` } }, named))).toMatch(
      expected,
    );
  });

  const files: readonly (readonly [string, Readonly<Record<string, object>>, RegExp])[] = [
    ['a file that is missing', {}, /key.json: no such file/],
    [
      'another type',
      { 'key.json': { type: 'gdch_service_account' } },
      /does not know credentials of the type gdch_service_account/,
    ],
    ['a field that is missing', { 'key.json': { type: 'service_account' } }, /it has no client_email/],
    [
      'a key that is none',
      { 'key.json': { type: 'service_account', client_email: 'a', token_uri: 'https://x', private_key: 'canary' } },
      /its private_key cannot be used/,
    ],
    ['an address without TLS', { 'key.json': { ...user, token_uri: 'http://evil.example/token' } }, /is not encrypted/],
    [
      'an account of AWS',
      {
        'key.json': {
          type: 'external_account',
          token_url: 'https://x',
          audience: 'a',
          subject_token_type: 't',
          service_account_impersonation_url: 'https://x/serviceAccounts/a@b.c:generateAccessToken',
          credential_source: { environment_id: 'aws1' },
        },
      },
      /weir knows only those with file or url/,
    ],
  ];
  test.each(files)('%s', async (_, given, expected) => {
    expect(await failure(google(given, named))).toMatch(expected);
  });

  test('an endpoint that is not a metadata server of Google', async () => {
    using cloud = await startCloud({
      'GET /computeMetadata/v1/instance/service-accounts/default/email': '<html>canary</html>',
    });
    const env = { NO_GCE_CHECK: '', GCE_METADATA_HOST: new URL(cloud.url).host };
    expect(await failure(google({}, { env }))).toMatch(
      /^metadata server: GET .* is not answered by a metadata server of Google \(200\)$/m,
    );
  });

  test('an address that is not one of the service gets nothing, unless a scope is set', async () => {
    const given = { brokers: ['x.managedkafka.demo.cloud.goog.evil.example'] };
    expect(await failure(google({}, given))).toContain('it is not an address of');
    await google({}, { ...given, options: { scope } }).checkPeer({ host: 'kafka.example', tls: true });
    const zoned = '::1%x.managedkafka.demo.cloud.goog';
    for (const host of ['kafka.example', zoned]) {
      const ofService = google({}, { options: { scope } });
      await expect(ofService.checkPeer({ host, tls: true })).rejects.toThrow('is not an address of');
    }
    expect(await failure(google({}, { brokers: [zoned] }))).toContain('it is not an address of');
  });
});
