import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browse } from '../../services/browser.ts';
import { clients, type Intercept, type OpenId, startOpenId } from '../../services/openid.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { emptyList } from './empty-list.ts';

let openid: OpenId;
beforeAll(async () => {
  openid = await startOpenId();
});
beforeEach(() => openid.intercept(undefined));
afterAll(() => openid[Symbol.asyncDispose]());

/** The environment of a program. The brokers are not asked. */
function env(changes: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    WEIR_SASL_MECHANISM: 'OAUTHBEARER',
    WEIR_OAUTH_ISSUER: openid.issuer,
    WEIR_OAUTH_CLIENT_ID: clients.basic.id,
    WEIR_OAUTH_CLIENT_SECRET: clients.basic.secret,
    WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
    ...changes,
  };
}

/** Logs in, and fails if a secret is shown. */
async function login(changes: Readonly<Record<string, string>> = {}, flags = '', world: World = {}) {
  const outcome = await run(`cluster auth login ${flags}`, { ...world, env: env(changes) });
  for (const secret of [clients.basic.secret, 'token-canary']) {
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(secret);
  }
  return outcome;
}

/** Answers one endpoint. */
function at(path: string, answer: ReturnType<Intercept>): Intercept {
  return ({ url = '' }) => (url.startsWith(path) ? answer : undefined);
}

const json = { 'content-type': 'application/json' };

describe('an issuer', () => {
  test.each<[string, string, ReturnType<Intercept>, readonly [exitCode: number, why: RegExp]]>([
    [
      'answers HTML instead of JSON',
      '/token',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>sign in, token-canary</html>' },
      [4, /unable to get a token: the response of POST \S+\/token is not a JSON object \(text\/html\)/],
    ],
    [
      'redirects',
      '/token',
      { status: 302, headers: { location: 'https://evil.example/token?x=token-canary' }, body: '' },
      [
        4,
        /unable to get a token: POST \S+\/token redirects to https:\/\/evil\.example, and weir follows no redirect with a secret/,
      ],
    ],
    [
      'grants no token',
      '/token',
      { status: 200, headers: json, body: '{"token_type":"Bearer"}' },
      [4, /unable to get a token: the response of \S+\/token is not valid/],
    ],
    [
      'grants a token that cannot be sent',
      '/token',
      { status: 200, headers: json, body: '{"token_type":"Bearer","access_token":"token-canary\\n"}' },
      [4, /contains a token with spaces, control characters/],
    ],
    [
      'grants another kind of token',
      '/token',
      { status: 200, headers: json, body: '{"token_type":"mac","access_token":"token-canary"}' },
      [4, /unable to get a token: the response of \S+\/token is not valid/],
    ],
    [
      'refuses the client',
      '/token',
      { status: 401, headers: json, body: '{"error":"invalid_client","error_description":"unknown"}' },
      [4, /unable to get a token: invalid_client: unknown \(POST \S+\/token: 401\)/],
    ],
    [
      'repeats the secret that it refuses',
      '/token',
      {
        status: 401,
        headers: json,
        body: JSON.stringify({
          error: clients.basic.secret,
          error_description: `${clients.basic.secret} is wrong${'!'.repeat(100_000)}`,
        }),
      },
      [4, /unable to get a token: \*\*\*: \*\*\* is wrong!{580,600}… \(POST \S+\/token: 401\)/],
    ],
    [
      'is overloaded',
      '/token',
      { status: 503, body: 'busy' },
      [5, /the server gave no reason \(POST \S+\/token: 503\)/],
    ],
    [
      'grants a token that is too large to be stored',
      '/token',
      {
        status: 200,
        headers: json,
        body: JSON.stringify({ token_type: 'Bearer', access_token: 'x'.repeat(300_000) }),
      },
      [4, /contains a token of more than 262144 bytes/],
    ],
    [
      'grants a refresh token that is too large to be stored',
      '/token',
      {
        status: 200,
        headers: json,
        body: JSON.stringify({ token_type: 'Bearer', access_token: 'x', refresh_token: 'x'.repeat(300_000) }),
      },
      [4, /contains a token of more than 262144 bytes/],
    ],
    [
      'answers too much',
      '/token',
      { status: 200, headers: json, body: JSON.stringify({ access_token: 'x'.repeat(1_100_000) }) },
      [5, /is larger than 1048576 bytes/],
    ],
    [
      'does not answer',
      '/token',
      'hang',
      [5, /POST \S+\/token timed out after 300ms \(globals.request_timeout_overhead/],
    ],
    [
      'has no metadata',
      '/.well-known/',
      { status: 404, body: '' },
      [4, /unable to read the metadata of the issuer: there is none/],
    ],
    [
      'calls itself something else',
      '/.well-known/',
      {
        status: 200,
        headers: json,
        body: '{"issuer":"https://other.example","token_endpoint":"https://other.example/t"}',
      },
      [4, /unable to read the metadata of the issuer http:\S+: it calls itself https:\/\/other\.example/],
    ],
  ])('that %s is reported with the step, and no secret is shown', async (_, path, answer, [exitCode, why]) => {
    openid.intercept(at(path, answer));
    const limits = answer === 'hang' ? { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '300ms' } : {};
    for (const flags of ['', '-vv --trace - --format json']) {
      const outcome = await login(limits, flags);
      expect(outcome.stderr).toMatch(why);
      expect(outcome.exitCode).toBe(exitCode);
    }
  });

  const refusing = (error: string): ReturnType<Intercept> => ({
    status: 400,
    headers: json,
    body: JSON.stringify({ error }),
  });
  test.each<[string, Readonly<Record<string, string>>, Intercept, string]>([
    [
      'no secret',
      { WEIR_OAUTH_CLIENT_SECRET: '' },
      at('/token', refusing('invalid_client')),
      'weir sent no proof of the client',
    ],
    ['a scope', { WEIR_OAUTH_SCOPE: 'nope' }, at('/token', refusing('invalid_scope')), 'check oauth.scope (nope)'],
    [
      'a grant',
      {},
      at('/token', refusing('unsupported_grant_type')),
      'allow client_credentials for the client at the issuer',
    ],
    [
      'a wrong token URL',
      { WEIR_OAUTH_ISSUER: '', WEIR_OAUTH_TOKEN_URL: '{issuer}/token' },
      at('/token', { status: 404, body: '' }),
      'check oauth.token_url\n',
    ],
    [
      'the address of the metadata',
      { WEIR_OAUTH_ISSUER: '{issuer}/.well-known/openid-configuration' },
      at('/.well-known', { status: 404, body: '' }),
      'leave out /.well-known/openid-configuration at the end of oauth.issuer',
    ],
    [
      'TLS, which it does not use',
      { WEIR_OAUTH_ISSUER: '{secure}' },
      at('/nowhere', undefined),
      'check the port; an issuer without TLS begins with http:// (oauth.issuer, oauth.token_url)',
    ],
  ])('that refuses %s is reported with what to do about it', async (_, changes, intercept, hint) => {
    openid.intercept(intercept);
    const filled = Object.entries(changes).map(([key, value]) => [
      key,
      value.replace('{issuer}', openid.issuer).replace('{secure}', openid.issuer.replace('http:', 'https:')),
    ]);
    const { stderr } = await login(Object.fromEntries(filled));
    expect(stderr).toContain(`hint: ${hint}`);
  });

  test.each([
    [
      'https://x.example/a;touch$IFS/tmp/x',
      "if you trust it, set -X 'oauth.issuer=https://x.example/a;touch$IFS/tmp/x'",
    ],
    ['https://x.example/a; touch /tmp/x #', undefined],
    ['https://user@x.example', undefined],
    [`https://x.example/${'too-long-to-be-shown'.repeat(5)}`, undefined],
  ])('that calls itself %s gets no command of its own into a hint', async (issuer, hint) => {
    openid.intercept(at('/.well-known/', { status: 200, headers: json, body: JSON.stringify({ issuer }) }));
    const { stderr, exitCode } = await login();
    expect(exitCode).toBe(4);
    expect(/hint: (if you trust it.*)/.exec(stderr)?.[1]).toBe(hint);
  });

  test.each([undefined, 5, 'file:///etc/passwd', 'token', {}])('with the token endpoint %j is refused', async (url) => {
    const metadata = { issuer: openid.issuer, token_endpoint: url };
    openid.intercept(at('/.well-known/', { status: 200, headers: json, body: JSON.stringify(metadata) }));
    const { stderr, exitCode } = await login();
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      `unable to read the metadata of the issuer ${openid.issuer}: its token_endpoint is not a URL`,
    );
  });

  test('with methods that are not a list gets the secret in the header', async () => {
    const token_endpoint = `${openid.issuer}/token`;
    const metadata = { issuer: openid.issuer, token_endpoint, token_endpoint_auth_methods_supported: {} };
    openid.intercept(at('/.well-known/', { status: 200, headers: json, body: JSON.stringify(metadata) }));
    expect(await login()).toMatchObject({ exitCode: 0 });
  });

  test('with an endpoint that is not encrypted is refused', async () => {
    const metadata = { issuer: openid.issuer, token_endpoint: 'http://far.example/token' };
    openid.intercept(at('/.well-known/', { status: 200, headers: json, body: JSON.stringify(metadata) }));
    const { stderr, exitCode } = await login();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('an endpoint of the issuer is http://far.example, which is not encrypted');
  });

  test('that leads the browser to an address that is not encrypted is refused', async () => {
    const far = 'http://far.example/auth';
    const metadata = { issuer: openid.issuer, token_endpoint: `${openid.issuer}/token`, authorization_endpoint: far };
    openid.intercept(at('/.well-known/', { status: 200, headers: json, body: JSON.stringify(metadata) }));
    const { stderr, exitCode } = await login({ WEIR_OAUTH_GRANT: 'authorization_code' });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('the server returned no login page')]);
  });

  test('with an endpoint on this machine gets the secret without a proxy, whatever its name', async () => {
    const token_endpoint = `${openid.issuer}/token`;
    const issuer = openid.issuer.replace('127.0.0.1', 'localhost');
    openid.intercept(
      at('/.well-known/', { status: 200, headers: json, body: JSON.stringify({ issuer, token_endpoint }) }),
    );
    // Nothing listens there.
    const outcome = await login({ WEIR_OAUTH_ISSUER: issuer, http_proxy: 'http://127.0.0.1:1' });
    expect(outcome).toMatchObject({ exitCode: 0 });
  });

  test('on another machine that is not encrypted is refused before anything is sent', async () => {
    const { stderr, exitCode } = await login({ WEIR_OAUTH_ISSUER: 'http://far.example' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('oauth.issuer is http://far.example, which is not encrypted');
    expect(stderr).toContain('-X oauth.insecure_http=true');
  });

  test('of which a revoked client asks for a token refuses it', async () => {
    await using other = await startOpenId();
    other.revoke(clients.basic.id);
    const { stderr, exitCode } = await login({ WEIR_OAUTH_ISSUER: other.issuer });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/unable to get a token: invalid_client: /);
  });
});

describe('a person', () => {
  const person = (grant: string, more: Readonly<Record<string, string>> = {}) => ({
    WEIR_OAUTH_GRANT: grant,
    WEIR_OAUTH_CLIENT_ID: clients.people.id,
    WEIR_OAUTH_CLIENT_SECRET: '',
    WEIR_OAUTH_SCOPE: 'openid offline_access kafka',
    ...more,
  });

  /** Opens what weir opens. */
  function browser(isDone: (url: string) => boolean) {
    const pages: Promise<string>[] = [];
    const spawn: World['spawn'] = async (_file, [url = '']) => {
      pages.push(browse(url, isDone));
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    return { pages, spawn };
  }

  test('logs in with a browser that returns to this machine, and is renewed without one', async () => {
    const home = temporaryDirectory();
    const { pages, spawn } = browser((url) => url.includes('/callback?'));
    const terminal = { stdin: true, stderr: true };
    const outcome = await login(person('authorization_code'), '--format json', { home, spawn, terminal });
    expect(outcome).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(
        /^the token will be sent to localhost:9092 \(brokers, built in\)\nopen http:\S+\/auth\?/,
      ),
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ subject: 'ana', has_token: true, renewable: true });
    expect(await pages[0]).toContain('You can close this page');
    const again = await run('cluster auth status --format json', { home, env: env(person('authorization_code')) });
    expect(JSON.parse(again.stdout)).toMatchObject({ subject: 'ana', has_token: true });
  });

  test('logs in with a browser on any machine', async () => {
    const { spawn } = browser(() => false);
    const terminal = { stdin: true, stderr: true };
    const outcome = await login(person('device_code'), '--format json', { spawn, terminal });
    expect(outcome).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^the token will be .*\nopen http:\S+ and check the code \S+/),
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ subject: 'ana', has_token: true });
  });
});

describe('an API over HTTP', () => {
  /** A server that refuses the first token, and answers the others with an empty list. */
  async function server() {
    const seen: (string | undefined)[] = [];
    const started = createServer(({ headers, url }, response) => {
      seen.push(headers.authorization);
      const isFirst = seen.every((one) => one === seen[0]);
      response.writeHead(isFirst ? 401 : 200, json).end(isFirst ? '{"message":"no","code":401}' : emptyList(url));
    });
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(started.address() as AddressInfo).port}`;
    const stop = (): void => void started.close();
    return { seen, address, [Symbol.dispose]: stop };
  }

  test.each([
    ['registry subject list', 'WEIR_REGISTRY_HOSTS'],
    ['security user list --api admin', 'WEIR_ADMIN_HOSTS'],
  ])('gets the token as well: weir %s, and another one if it is refused', async (line, variable) => {
    using api = await server();
    const outcome = await run(`${line} -vv --trace -`, { env: env({ [variable]: api.address }) });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    const tokens = [...new Set(api.seen)];
    expect(tokens).toEqual([expect.stringMatching(/^Bearer ey/), expect.stringMatching(/^Bearer ey/)]);
    for (const token of tokens) expect(outcome.stderr).not.toContain(token?.slice('Bearer '.length));
  });

  test('with credentials of its own gets those', async () => {
    using api = await server();
    await run('registry subject list', {
      env: env({ WEIR_REGISTRY_HOSTS: api.address, WEIR_REGISTRY_USER: 'u', WEIR_REGISTRY_PASS: 'p' }),
    });
    expect(api.seen[0]).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  test('that is turned off gets none', async () => {
    using api = await server();
    await run('registry subject list -X registry.user=', { env: env({ WEIR_REGISTRY_HOSTS: api.address }) });
    expect(api.seen[0]).toBeUndefined();
  });
});

describe('a configured token', () => {
  test('that expires after the end of time has no expiry', async () => {
    const token = `e30.${Buffer.from('{"exp":1e15}').toString('base64url')}.x`;
    const world = { env: { WEIR_SASL_MECHANISM: 'OAUTHBEARER', WEIR_OAUTH_TOKEN: token } };
    const { stdout, exitCode } = await run('cluster auth status --format json', world);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ expires_at: null });
  });

  const given = (from: Readonly<Record<string, string>>) => ({ WEIR_SASL_MECHANISM: 'OAUTHBEARER', ...from });

  test.each([
    ['registry', 'registry subject list'],
    ['admin', 'security user list --api admin'],
  ])('of the %s API comes from its command again when a server refuses it, and only once', async (api, line) => {
    const seen: (string | undefined)[] = [];
    const started = createServer(({ headers, url }, response) => {
      seen.push(headers.authorization);
      const isGood = headers.authorization === 'Bearer two';
      response.writeHead(isGood ? 200 : 401, json).end(isGood ? emptyList(url) : '{"message":"no","code":401}');
    });
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const name = api.toUpperCase();
    const env = {
      [`WEIR_${name}_HOSTS`]: `127.0.0.1:${(started.address() as AddressInfo).port}`,
      [`WEIR_${name}_TOKEN_COMMAND`]: 'print-token',
    };
    const printing =
      (tokens: string[]): NonNullable<World['spawn']> =>
      async () => ({
        exitCode: 0,
        stdout: `${tokens.shift() ?? 'none'}\n`,
        stderr: '',
      });
    const outcome = await run(line, { env, spawn: printing(['one', 'two']) });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(seen).toEqual(['Bearer one', 'Bearer two']);
    seen.length = 0;
    expect(await run(line, { env, spawn: printing(['bad', 'bad']) })).toMatchObject({ exitCode: 4 });
    expect(seen).toEqual(['Bearer bad']);
    started.close();
  });

  test('from a file is read again when a server refuses it', async () => {
    const home = temporaryDirectory();
    const file = join(home, 'token');
    writeFileSync(file, 'one\n', { mode: 0o600 });
    const seen: (string | undefined)[] = [];
    const started = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      writeFileSync(file, 'two\n', { mode: 0o600 });
      const isOld = headers.authorization === 'Bearer one';
      response.writeHead(isOld ? 401 : 200, json).end(isOld ? '{}' : '[]');
    });
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const at = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${(started.address() as AddressInfo).port}` };
    const outcome = await run('registry subject list', { env: given({ ...at, WEIR_OAUTH_TOKEN_FILE: file }), home });
    started.close();
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(seen).toEqual(['Bearer one', 'Bearer two']);
  });
});
