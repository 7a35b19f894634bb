import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { issue, makeAuthority } from '../../../src/sandbox/certificates.ts';
import { run, temporaryDirectory } from '../../world.ts';

/** What a token endpoint has received. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** A token endpoint without metadata, which grants everything. */
async function endpoint() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, form: Object.fromEntries(new URLSearchParams(body)) });
    const grant = { access_token: 'granted', token_type: 'Bearer', expires_in: 60 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const stop = (): void => void server.close();
  return { received, url, [Symbol.dispose]: stop };
}

type Env = Readonly<Record<string, string>>;

/** What a login sends. @param env options of OAuth, without their prefix */
async function sent(env: Env, files: Env = {}): Promise<Received> {
  using issuer = await endpoint();
  const home = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 });
  const named = Object.entries(env).map(([name, value]) => [`WEIR_OAUTH_${name}`, value.replace('~', home)]);
  const outcome = await run('cluster auth login', {
    env: { WEIR_SASL_MECHANISM: 'OAUTHBEARER', WEIR_OAUTH_TOKEN_URL: issuer.url, ...Object.fromEntries(named) },
    home,
  });
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  const [first, ...more] = issuer.received;
  expect(more).toEqual([]);
  return first ?? { headers: {}, form: {} };
}

const basic = (user: string, pass: string): string => `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`;

test('what a token is for is in the form, and the secret in the header', async () => {
  const about = { SCOPE: 'a b', AUDIENCE: 'kafka', RESOURCE: 'https://kafka.example' };
  const { form, headers } = await sent({ CLIENT_ID: 'c', CLIENT_SECRET: 's', ...about });
  expect(headers).toMatchObject({ authorization: basic('c', 's'), 'user-agent': 'weir' });
  expect(form).toEqual({
    grant_type: 'client_credentials',
    scope: 'a b',
    audience: 'kafka',
    resource: 'https://kafka.example',
  });
});

test('a secret in the form', async () => {
  const { form, headers } = await sent({ CLIENT_ID: 'c', CLIENT_SECRET: 's', CLIENT_AUTH: 'client_secret_post' });
  expect(headers.authorization).toBeUndefined();
  expect(form).toEqual({ grant_type: 'client_credentials', client_id: 'c', client_secret: 's' });
});

test('a secret in the header is encoded where it must be', async () => {
  const { headers } = await sent({ CLIENT_ID: 'a-b_c.d', CLIENT_SECRET: 'e:f%g h-i' });
  expect(headers.authorization).toBe(basic('a-b_c.d', 'e%3Af%25g+h-i'));
});

test('a secret from a file', async () => {
  const { headers } = await sent({ CLIENT_ID: 'c', CLIENT_SECRET_FILE: '~/secret' }, { secret: 'from-file\n' });
  expect(headers.authorization).toBe(basic('c', 'from-file'));
});

test('an assertion that something else has signed', async () => {
  const { form } = await sent({ CLIENT_ID: 'c', ASSERTION_FILE: '~/jwt' }, { jwt: 'a.b.c\n' });
  expect(form).toEqual({
    grant_type: 'client_credentials',
    client_id: 'c',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'a.b.c',
  });
});

test('an assertion that is exchanged for a token', async () => {
  const { form } = await sent({ GRANT: 'jwt_bearer', CLIENT_ID: 'c', ASSERTION_FILE: '~/jwt' }, { jwt: 'a.b.c' });
  expect(form).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    client_id: 'c',
    assertion: 'a.b.c',
  });
});

test('an assertion that is exchanged without a client', async () => {
  const { form, headers } = await sent({ GRANT: 'jwt_bearer', ASSERTION_FILE: '~/jwt' }, { jwt: 'a.b.c' });
  expect(form).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' });
  expect(headers.authorization).toBeUndefined();
});

const pem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test('an assertion that weir signs is for the token URL, also if there is an issuer', async () => {
  const metadata = { issuer: '' };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  metadata.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ISSUER: metadata.issuer, CLIENT_ID: 'c', ASSERTION_KEY: '~/key' };
  const { form, headers } = await sent(env, { key: pem() });
  server.close();
  expect(audienceOf(form)).toBe(`http://${headers.host}/token`);
});

function audienceOf({ client_assertion: assertion = '' }: Env): unknown {
  return JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8')).aud;
}

test.each([
  [{ CLIENT_ID: 'c', ASSERTION_FILE: '~/none' }, 'unable to read oauth.assertion.file: '],
  [{ CLIENT_ID: 'c', ASSERTION_KEY: '~/text' }, 'unable to use oauth.assertion.key: '],
  [{ CLIENT_ID: 'c', ASSERTION_FILE: '~/two' }, 'unable to use oauth.assertion.file: '],
  [
    { CLIENT_ID: 'c', CLIENT_AUTH: 'tls_client_auth' },
    'oauth.client_auth is tls_client_auth, but oauth.tls.cert is not set',
  ],
  [
    { GRANT: 'jwt_bearer', ASSERTION_FILE: '~/two', CLIENT_SECRET: 's' },
    'oauth.client_id is not set, and client_secret',
  ],
  [{ GRANT: 'jwt_bearer', ASSERTION_FILE: '~/two' }, 'unable to use oauth.assertion.file: '],
  [{ GRANT: 'jwt_bearer', CLIENT_ID: 'c' }, 'oauth.grant is jwt_bearer, but oauth.assertion.file is not set'],
  [{ CLIENT_SECRET: 's' }, 'unable to get a token: oauth.client_id is not set'],
])('with %j nothing is sent', async (env, message) => {
  using issuer = await endpoint();
  const home = temporaryDirectory();
  writeFileSync(join(home, 'text'), 'not a key-canary');
  writeFileSync(join(home, 'two'), 'one-canary\ntwo-canary\n');
  const named = Object.entries(env).map(([name, value]) => [`WEIR_OAUTH_${name}`, value.replace('~', home)]);
  const { stderr, exitCode } = await run('cluster auth login', {
    env: { WEIR_OAUTH_TOKEN_URL: issuer.url, ...Object.fromEntries(named) },
    home,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('canary');
  expect(issuer.received).toEqual([]);
});

/** An issuer with TLS, and a home directory with the files `ca`, `cert` and `key` of a client. */
async function tlsIssuer(answer: (url: string, certificateOf: string, issuer: string) => unknown) {
  const now = Date.now();
  const authority = await makeAuthority('issuer', now);
  const [own, client] = await Promise.all([
    issue(authority, { name: 'localhost', use: 'server', hosts: ['localhost', '127.0.0.1'] }, now),
    issue(authority, { name: 'client', use: 'client' }, now),
  ]);
  const tls = { key: own.key, cert: own.cert, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const server = createTlsServer(tls, ({ socket, url = '' }, response) => {
    const name = String((socket as TLSSocket).getPeerCertificate().subject?.CN ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(url, name, issuer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const home = temporaryDirectory();
  const files = { ca: authority.cert, cert: client.cert, key: client.key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 });
  const env = { WEIR_OAUTH_CLIENT_ID: 'c', WEIR_OAUTH_TLS_CA: join(home, 'ca') };
  const stop = (): void => void server.close();
  return { issuer, home, env, [Symbol.dispose]: stop };
}

const granted = { access_token: 'granted', token_type: 'Bearer', expires_in: 60 };

test('a key that is too short for its signatures is an error, and nothing is sent', async () => {
  using issuer = await endpoint();
  const home = temporaryDirectory();
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(home, 'key'), short, { mode: 0o600 });
  const env = {
    WEIR_OAUTH_TOKEN_URL: issuer.url,
    WEIR_OAUTH_CLIENT_ID: 'c',
    WEIR_OAUTH_ASSERTION_KEY: join(home, 'key'),
  };
  const { stderr, exitCode } = await run('cluster auth login', { env, home });
  expect([exitCode, stderr]).toEqual([
    4,
    expect.stringMatching(/^weir: unable to send a request to http:\S+: unsupported .* modulusLength/),
  ]);
  expect(issuer.received).toEqual([]);
});

test('a client certificate proves the client to an issuer with TLS', async () => {
  const names: string[] = [];
  using server = await tlsIssuer((_, name) => {
    names.push(name);
    return granted;
  });
  const { home, issuer } = server;
  const env = {
    ...server.env,
    WEIR_OAUTH_TOKEN_URL: `${issuer}/token`,
    WEIR_OAUTH_TLS_CERT: join(home, 'cert'),
    WEIR_OAUTH_TLS_KEY: join(home, 'key'),
  };
  const outcome = await run('cluster auth login', { env, home });
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  expect(names).toEqual(['client']);
});

test('a configured token URL is used by clients with a certificate as well', async () => {
  const asked: string[] = [];
  using server = await tlsIssuer((url, _, issuer) => {
    asked.push(url);
    const aliases = { token_endpoint: `${issuer}/other` };
    return url === '/token' ? granted : { issuer, token_endpoint: `${issuer}/other`, mtls_endpoint_aliases: aliases };
  });
  const { home, issuer } = server;
  const env = {
    ...server.env,
    WEIR_OAUTH_ISSUER: issuer,
    WEIR_OAUTH_TOKEN_URL: `${issuer}/token`,
    WEIR_OAUTH_TLS_CERT: join(home, 'cert'),
    WEIR_OAUTH_TLS_KEY: join(home, 'key'),
  };
  await run('cluster auth login', { env, home });
  expect(asked).toEqual(['/.well-known/openid-configuration', '/token']);
});

test.each([
  ['token_endpoint', {}],
  ['device_authorization_endpoint', {}],
  ['authorization_endpoint', { WEIR_OAUTH_INSECURE_HTTP: 'true' }],
])('an issuer with TLS whose %s has none gets nothing, not even on this machine', async (name, more) => {
  using plain = await endpoint();
  using server = await tlsIssuer((url, _, issuer) =>
    url === '/token' ? granted : { issuer, token_endpoint: `${issuer}/token`, [name]: plain.url },
  );
  const env = { ...server.env, WEIR_OAUTH_ISSUER: server.issuer, WEIR_OAUTH_CLIENT_SECRET: 'canary', ...more };
  const { stderr, exitCode } = await run('cluster auth login', { env, home: server.home });
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`its ${name} is not encrypted, unlike the issuer`)]);
  const own = await run('cluster auth login', { env: { ...env, WEIR_OAUTH_TOKEN_URL: plain.url }, home: server.home });
  // What the user has chosen is not the choice of the issuer.
  expect(own.exitCode).toBe(name === 'token_endpoint' ? 0 : 4);
  expect(plain.received).toHaveLength(name === 'token_endpoint' ? 1 : 0);
});
