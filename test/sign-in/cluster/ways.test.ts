import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { realHost } from '../../../src/host/host.ts';
import { issue, makeAuthority } from '../../../src/sandbox/certificates.ts';
import { browse } from '../../services/browser.ts';
import { audience, clients, type OpenId, startOpenId } from '../../services/openid.ts';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { emptyList } from './empty-list.ts';

/*
 * The table of docs/guides/sign-in.md: each way to get a token or a password, with each API. The brokers are a real Kafka,
 * which checks tokens and passwords; what reaches the Admin API and the registry is compared.
 */

type Env = Readonly<Record<string, string>>;

const { spawn } = realHost();

let openid: OpenId;
/** Grants what the brokers accept, to whoever asks. */
let granting: string;
let grantingTls: string;
/** The Admin API and the registry. */
let http: string;
const authorizations: (string | undefined)[] = [];
const home = temporaryDirectory();
const servers: { close(): unknown }[] = [];

beforeAll(async () => {
  openid = await startOpenId(Number(new URL(services().issuer).port));
  const now = Date.now();
  const authority = await makeAuthority('issuer', now);
  const [own, client] = await Promise.all([
    issue(authority, { name: 'localhost', use: 'server', hosts: ['127.0.0.1'] }, now),
    issue(authority, { name: 'client', use: 'client' }, now),
  ]);
  for (const [name, text] of Object.entries({ ca: authority.cert, cert: client.cert, key: client.key }))
    put(name, text);
  put('assertion.jwt', 'a.b.c');
  put('signing.pem', openid.clientKey);
  put('token', signed());
  put('pass', services().user.pass);
  const grant = (): string => JSON.stringify({ access_token: signed(), token_type: 'Bearer', expires_in: 60 });
  const json = { 'content-type': 'application/json' };
  const mutual = { key: own.key, cert: own.cert, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  granting = `http://127.0.0.1:${await listen(createServer((_, response) => response.writeHead(200, json).end(grant())))}`;
  const withTls = createTlsServer(mutual, (_, response) => response.writeHead(200, json).end(grant()));
  grantingTls = `https://127.0.0.1:${await listen(withTls)}`;
  const recording = createServer(({ headers, url }, response) => {
    authorizations.push(headers.authorization);
    response.writeHead(200, json).end(emptyList(url));
  });
  http = `127.0.0.1:${await listen(recording)}`;
  // The brokers have read the key of the issuer when they have seen a token with it.
  const isKnown = async () =>
    expect(await ask('cluster info', 'OAUTHBEARER', { OAUTH_TOKEN: signed() })).toEqual([0, '']);
  await vi.waitFor(isKnown, { timeout: 30_000, interval: 100 });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await openid[Symbol.asyncDispose]();
});

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function put(name: string, text: string): void {
  writeFileSync(join(home, name), text, { mode: 0o600 });
}

function signed(): string {
  const second = Math.floor(Date.now() / 1000);
  return openid.signed({
    iss: openid.issuer,
    sub: 'ana',
    aud: audience,
    scope: 'kafka',
    iat: second,
    exp: second + 600,
  });
}

/** The exit code and the errors of a command line. @param env options, without the prefix of their variables */
async function ask(line: string, mechanism: string, env: Env, world: World = {}): Promise<readonly [number, string]> {
  const all = {
    SASL_MECHANISM: mechanism,
    BROKERS: mechanism === 'OAUTHBEARER' ? services().oauth : services().sasl,
    ADMIN_HOSTS: http,
    REGISTRY_HOSTS: http,
    ...env,
  };
  const named = Object.entries(all).map(([name, value]) => [`WEIR_${name}`, value.replaceAll('~', home)]);
  const { exitCode, stderr } = await run(line, { home, env: Object.fromEntries(named), spawn, ...world });
  return [exitCode, stderr];
}

const lines = {
  brokers: 'cluster info --format json',
  'the Admin API': 'security user list --api admin --format json',
  'the schema registry': 'registry subject list --format json',
};
const apis = Object.keys(lines) as readonly (keyof typeof lines)[];

/** What the HTTP APIs are sent by one command. */
async function sent(api: keyof typeof lines, mechanism: string, env: Env): Promise<readonly (string | undefined)[]> {
  authorizations.length = 0;
  expect(await ask(lines[api], mechanism, env)).toEqual([0, '']);
  return [...authorizations];
}

const ofIssuer = (env: Env) => (): Env => ({ OAUTH_ISSUER: openid.issuer, ...env });
const ofEndpoint = (env: Env) => (): Env => ({ OAUTH_TOKEN_URL: `${granting}/token`, OAUTH_CLIENT_ID: 'c', ...env });
const person = { OAUTH_CLIENT_ID: clients.people.id, OAUTH_SCOPE: 'openid offline_access kafka' };

const ways: Readonly<Record<string, () => Env>> = {
  'client_credentials, a secret in the header': ofIssuer({
    OAUTH_CLIENT_ID: clients.basic.id,
    OAUTH_CLIENT_SECRET: clients.basic.secret,
  }),
  'client_credentials, a secret in the form': ofIssuer({
    OAUTH_CLIENT_ID: clients.post.id,
    OAUTH_CLIENT_SECRET: clients.post.secret,
  }),
  'client_credentials, a signed assertion': ofIssuer({
    OAUTH_CLIENT_ID: clients.signing.id,
    OAUTH_ASSERTION_KEY: '~/signing.pem',
  }),
  'client_credentials, an assertion from a file': ofEndpoint({ OAUTH_ASSERTION_FILE: '~/assertion.jwt' }),
  'client_credentials, a client certificate': () => ({
    OAUTH_TOKEN_URL: `${grantingTls}/token`,
    OAUTH_CLIENT_ID: 'c',
    OAUTH_TLS_CA: '~/ca',
    OAUTH_TLS_CERT: '~/cert',
    OAUTH_TLS_KEY: '~/key',
  }),
  jwt_bearer: ofEndpoint({ OAUTH_GRANT: 'jwt_bearer', OAUTH_ASSERTION_FILE: '~/assertion.jwt' }),
  device_code: ofIssuer({ OAUTH_GRANT: 'device_code', ...person }),
  authorization_code: ofIssuer({ OAUTH_GRANT: 'authorization_code', ...person }),
  'oauth.token': () => ({ OAUTH_TOKEN: signed() }),
  'oauth.token.file': () => ({ OAUTH_TOKEN_FILE: '~/token' }),
  'oauth.token.command': () => ({ OAUTH_TOKEN_COMMAND: 'cat ~/token' }),
};

describe.each(Object.entries(ways))('OAUTHBEARER, %s', (way, env) => {
  beforeAll(async () => {
    if (!way.endsWith('_code')) return;
    const open: World['spawn'] = async (_file, [url = '']) => {
      void browse(url, (at) => at.includes('/callback?'));
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    const terminal = { stdin: true, stderr: true };
    const [exitCode, stderr] = await ask('cluster auth login', 'OAUTHBEARER', env(), { spawn: open, terminal });
    expect(exitCode, stderr).toBe(0);
  });

  test.each(apis)('%s', async (api) => {
    const found = await sent(api, 'OAUTHBEARER', env());
    expect(found).toEqual(api === 'brokers' ? [] : [expect.stringMatching(/^Bearer ey/)]);
  });
});

const passwords: Readonly<Record<string, Env>> = {
  pass: { PASS: 'alice-secret' },
  'pass.file': { PASS_FILE: '~/pass' },
  'pass.command': { PASS_COMMAND: 'cat ~/pass' },
};

describe.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])('%s', (mechanism) => {
  describe.each(Object.entries(passwords))('%s', (_, env) => {
    test.each(apis)('%s', async (api) => {
      const found = await sent(api, mechanism, { USER: services().user.user, ...env });
      const basic = `Basic ${Buffer.from('alice:alice-secret').toString('base64')}`;
      expect(found).toEqual(api === 'brokers' ? [] : [basic]);
    });
  });
});
