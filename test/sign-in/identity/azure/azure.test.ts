import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issue, makeAuthority } from '../../../../src/sandbox/certificates.ts';
import { audience, type OpenId, startOpenId } from '../../../services/openid.ts';
import { services } from '../../../services/services.ts';
import { run } from '../../../world.ts';
import { type Answer, identityOn, lifetimeOf, startCloud } from '../cloud.ts';
import { failure, homeWith } from '../failure.ts';

const brokers = ['demo.servicebus.windows.net'];
const granted = { token_type: 'Bearer', expires_in: 3599, access_token: 'azure-canary' };
const tokenLine = 'POST /contoso/oauth2/v2.0/token';
const imdsLine = 'GET /metadata/identity/oauth2/token';

/** A machine with these variables, on which no other endpoint answers. */
function azure(env: Readonly<Record<string, string>>, more: Partial<Parameters<typeof identityOn>[1]> = {}) {
  return identityOn('azure', {
    brokers,
    env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:9', ...env },
    ...more,
  });
}

function client(cloud: { readonly url: string }) {
  return { AZURE_TENANT_ID: 'contoso', AZURE_CLIENT_ID: 'c1', AZURE_AUTHORITY_HOST: cloud.url };
}

describe('a token is got', () => {
  test('with the secret of a client', async () => {
    using cloud = await startCloud({ [tokenLine]: granted });
    const env = { ...client(cloud), AZURE_CLIENT_SECRET: 'secret-canary' };
    const identity = azure(env, { brokers: ['Demo.servicebus.windows.net.'] });
    expect(await identity.get()).toMatchObject({ text: 'azure-canary' });
    expect(Object.fromEntries(new URLSearchParams(cloud.asked[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c1',
      client_secret: 'secret-canary',
      scope: 'https://demo.servicebus.windows.net/.default',
    });
    expect(await identity.identify?.()).toMatch(/^from the environment \(AZURE_CLIENT_SECRET of the client c1\): /);
  });

  test('with the certificate of a client, which signs the assertion', async () => {
    using cloud = await startCloud({ [tokenLine]: granted });
    const authority = await makeAuthority('test', Date.now());
    const { cert, key } = await issue(authority, { name: 'client', use: 'client' }, Date.now());
    const home = homeWith({ 'client.pem': `${key}\n${cert}` });
    await azure({ ...client(cloud), AZURE_CLIENT_CERTIFICATE_PATH: '~/client.pem' }, { home }).get();
    const form = new URLSearchParams(cloud.asked[0]?.body);
    const [header = '', claims = '', signature = ''] = form.get('client_assertion')?.split('.') ?? [];
    const certificate = new X509Certificate(cert);
    const thumbprint = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
    const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    expect(parsed(header)).toEqual({ alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint });
    expect(parsed(claims)).toMatchObject({ aud: `${cloud.url}/contoso/oauth2/v2.0/token`, iss: 'c1', sub: 'c1' });
    expect(lifetimeOf(parsed(claims))).toBe(600);
    const padding = { padding: 6, saltLength: 32 };
    const publicKey = { key: createPublicKey(cert), ...padding };
    expect(verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
  });

  test('for the service account of a pod', async () => {
    using cloud = await startCloud({ [tokenLine]: granted });
    const home = homeWith({ token: 'federated-canary\n' });
    await azure({ ...client(cloud), AZURE_FEDERATED_TOKEN_FILE: join(home, 'token') }).get();
    expect(Object.fromEntries(new URLSearchParams(cloud.asked[0]?.body))).toMatchObject({
      client_assertion: 'federated-canary',
    });
  });

  test('for the managed identity of the machine, whose endpoint writes numbers as text', async () => {
    using cloud = await startCloud({ [imdsLine]: { ...granted, expires_in: '86399' } });
    const identity = azure(
      { AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url },
      { options: { clientId: 'user-assigned' } },
    );
    const { expiresAt = 0 } = await identity.get();
    expect(expiresAt - Date.now()).toBeGreaterThan(80_000_000);
    expect(cloud.asked[0]).toMatchObject({
      line: `${imdsLine}?api-version=2018-02-01&resource=https%3A%2F%2Fdemo.servicebus.windows.net&client_id=user-assigned`,
      headers: { metadata: 'true' },
    });
  });

  test('for the managed identity of a service', async () => {
    using cloud = await startCloud({ 'GET /msi': granted });
    await azure({ IDENTITY_ENDPOINT: `${cloud.url}/msi`, IDENTITY_HEADER: 'header-canary' }).get();
    expect(cloud.asked[0]?.headers['x-identity-header']).toBe('header-canary');
  });

  test('for whoever is logged in to the Azure CLI', async () => {
    const seen: string[] = [];
    const run = (words: readonly string[]) => {
      seen.push(words.join(' '));
      const expires_on = Math.floor(Date.now() / 1000) + 3600;
      return { exitCode: 0, stdout: JSON.stringify({ accessToken: 'cli-canary', expires_on }) };
    };
    expect((await azure({ AZURE_TENANT_ID: 'contoso' }, { run }).get()).text).toBe('cli-canary');
    expect(seen).toEqual([
      'az account get-access-token --output json --resource https://demo.servicebus.windows.net --tenant contoso',
    ]);
  });
});

describe('what does not work is named', () => {
  test('no identity anywhere: each place, and why it has none', async () => {
    expect(await failure(azure({}))).toMatch(
      /^unable to get an Azure token: there are none\nenvironment: AZURE_CLIENT_SECRET and AZURE_CLIENT_CERTIFICATE_PATH are not set\nworkload identity: AZURE_FEDERATED_TOKEN_FILE is not set\nmanaged identity: .*connection refused\nAzure CLI: there is no program "az"\nlog in with: az login$/,
    );
  });

  const secret = { AZURE_CLIENT_SECRET: 'secret-canary' };
  const refusals: readonly (readonly [string, Answer, RegExp])[] = [
    [
      'a refusal, without the secret',
      { status: 401, error: 'invalid_client', error_description: 'AADSTS7000215: secret-canary is wrong' },
      /invalid_client: AADSTS7000215: \*\*\* is wrong \(POST http:.*: 401\)/,
    ],
    ['a page', '<html>canary</html>', /is not a JSON object \(200, text\/html\)/],
    ['no token', {}, /contains none/],
  ];
  test.each(refusals)('an endpoint that answers with %s', async (_, answer, expected) => {
    using cloud = await startCloud({ [tokenLine]: answer });
    expect(await failure(azure({ ...client(cloud), ...secret }))).toMatch(expected);
  });

  const managed: readonly (readonly [string, Answer, RegExp])[] = [
    ['a page', '<html>canary</html>', /is not a JSON object \(200, text\/html\)/],
    [
      'no identity',
      { status: 400, error: 'invalid_request' },
      /^managed identity: GET .* answers 400: no identity is assigned$/m,
    ],
    ['an error that passes', 500, /^unable to get an identity: GET http:.* answers 500$/],
    ['nothing', 'hang', /^managed identity: no answer from http:/m],
  ];
  test.each(managed)('a metadata endpoint that answers with %s', async (_, answer, expected) => {
    using cloud = await startCloud({ [imdsLine]: answer });
    const env = { AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url };
    expect(await failure(azure(env, { patience: 300_000_000n }))).toMatch(expected);
  });

  test.each([
    ['a secret without a tenant', secret, /from the environment: AZURE_TENANT_ID is not set/],
    [
      'an endpoint elsewhere',
      { IDENTITY_ENDPOINT: 'http://evil.example/x', IDENTITY_HEADER: 'canary' },
      /is not an address of this machine/,
    ],
    [
      'an endpoint whose name begins like a link-local address',
      { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://169.254.evil.example' },
      /is not an address of this machine/,
    ],
    ['an authority without TLS', { ...secret, ...client({ url: 'http://evil.example' }) }, /is not encrypted/],
  ])('%s', async (_, env, expected) => {
    expect(await failure(azure(env))).toMatch(expected);
  });

  test('an address that is not one of Event Hubs gets nothing, unless a scope is set', async () => {
    const given = { brokers: ['demo.servicebus.windows.net.evil.example'] };
    expect(await failure(azure({}, given))).toContain('it is not an address of Event Hubs');
    const options = { scope: 'https://x/.default' };
    await azure({}, { ...given, options }).checkPeer({ host: 'kafka.example', tls: true });
    await azure({}, { brokers: [...brokers, 'a.example'], options }).checkPeer({ host: 'kafka.example', tls: true });
    const hosts = ['kafka.example', '::1%x.servicebus.windows.net'];
    for (const host of hosts)
      await expect(azure({}, { options }).checkPeer({ host, tls: true })).rejects.toThrow(
        'is not an address of Event Hubs',
      );
    const zoned = azure({}, { brokers: ['::1%x.servicebus.windows.net'] });
    expect(await failure(zoned)).toContain('it is not an address of Event Hubs');
  });
});

test('an identity does not sign in to the schema registry and the Admin API', async () => {
  using cloud = await startCloud({ 'GET /subjects': [], 'GET /v1/brokers': [], [imdsLine]: granted });
  const options = {
    'registry.hosts': cloud.url,
    'admin.hosts': cloud.url,
    'sasl.mechanism': 'OAUTHBEARER',
    'oauth.grant': 'azure',
  };
  const x = Object.entries(options).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
  const world = { env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url } };
  await run(['registry', 'subject', 'list', ...x], world);
  await run(['cluster', 'brokers', 'list', ...x], world);
  const sent = cloud.asked.map(({ line, headers }) => [line, headers.authorization]);
  expect(sent).toEqual(expect.arrayContaining([[expect.stringMatching('GET /subjects'), undefined]]));
  expect(sent.filter(([, authorization]) => authorization !== undefined)).toEqual([]);
  expect(sent.map(([line]) => line)).not.toContain(imdsLine);
});

describe('a real Kafka', () => {
  let openid: OpenId;
  beforeAll(async () => {
    openid = await startOpenId(Number(new URL(services().issuer).port));
  });
  afterAll(() => openid[Symbol.asyncDispose]());

  test('takes the token of a scripted managed identity, if its issuer has signed it', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: openid.issuer, sub: 'vm', aud: audience, scope: 'kafka', jti: 'a', iat: now, exp: now + 600 };
    using cloud = await startCloud({ [imdsLine]: { access_token: openid.signed(claims), expires_in: '600' } });
    const options = {
      brokers: services().oauth,
      'sasl.mechanism': 'OAUTHBEARER',
      'oauth.grant': 'azure',
      'oauth.scope': 'x',
    };
    const x = Object.entries(options).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
    const world = { env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url } };
    const isKnown = async () => expect(await run(['topic', 'list', ...x], world)).toMatchObject({ exitCode: 0 });
    await vi.waitFor(isKnown, { timeout: 30_000, interval: 100 });
    const { stdout } = await run(['doctor', '--format', 'json', ...x], world);
    const check = JSON.parse(stdout).checks.find(({ step }: { readonly step: string }) => step === 'token');
    expect(check).toMatchObject({
      status: 'ok',
      target: 'Azure',
      detail: expect.stringMatching(/^from the managed identity of the system: .* to vm/),
    });
  });
});
