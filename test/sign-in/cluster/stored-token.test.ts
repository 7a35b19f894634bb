import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { showHostPort } from '../../../src/net/address.ts';
import { browse } from '../../services/browser.ts';
import { clients, type OpenId, startOpenId } from '../../services/openid.ts';
import { authenticateAnswer, handshakeAnswer } from '../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

let openid: OpenId;
let server: Server;
const seen: (string | undefined)[] = [];
beforeAll(async () => {
  openid = await startOpenId();
  // A registry that takes every token.
  server = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  openid.intercept(undefined);
  seen.length = 0;
});
afterAll(async () => {
  server.close();
  await openid[Symbol.asyncDispose]();
});

type Env = Readonly<Record<string, string>>;

function env(changes: Env = {}): Env {
  return {
    WEIR_SASL_MECHANISM: 'OAUTHBEARER',
    WEIR_OAUTH_ISSUER: openid.issuer,
    WEIR_OAUTH_CLIENT_ID: clients.basic.id,
    WEIR_OAUTH_CLIENT_SECRET: clients.basic.secret,
    WEIR_REGISTRY_HOSTS: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...changes,
  };
}

const person = (changes: Env = {}): Env =>
  env({
    WEIR_OAUTH_GRANT: 'authorization_code',
    WEIR_OAUTH_CLIENT_ID: clients.people.id,
    WEIR_OAUTH_CLIENT_SECRET: '',
    WEIR_OAUTH_SCOPE: 'openid offline_access kafka',
    ...changes,
  });

const asked = (): number => openid.asked.filter(({ path }) => path === '/token').length;
const list = (home: string, of: Env = env()) => run('registry subject list', { env: of, home });

/** Logs a person in. */
async function login(home: string): Promise<void> {
  const spawn: World['spawn'] = async (_file, [url = '']) => {
    void browse(url, (at) => at.includes('/callback?'));
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const terminal = { stdin: true, stderr: true };
  const outcome = await run('cluster auth login', { env: person(), home, spawn, terminal });
  expect(outcome.exitCode, outcome.stderr).toBe(0);
}

/** The file with the only token. */
function fileIn(home: string): string {
  const directory = join(home, '.local/state/weir/oauth');
  const [name = ''] = readdirSync(directory).filter((one) => one.endsWith('.token.json'));
  return join(directory, name);
}

/** Lets the stored token be old: so much of its life is over, in parts of one. */
function age(home: string, part: number): void {
  const record = JSON.parse(readFileSync(fileIn(home), 'utf8'));
  const life = 300_000;
  const issuedAt = Date.now() - life * part;
  writeFileSync(
    fileIn(home),
    JSON.stringify({ ...record, token: { ...record.token, issuedAt, expiresAt: issuedAt + life } }),
  );
  chmodSync(fileIn(home), 0o600);
}

describe('a stored token', () => {
  test.each([
    [0.79, 0],
    [0.81, 1],
    [1.1, 1],
  ])('of which %d of the life is over is replaced %d times', async (part, times) => {
    const home = temporaryDirectory();
    await list(home);
    age(home, part);
    const before = asked();
    expect(await list(home)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asked() - before).toBe(times);
  });

  test('that cannot be replaced is used until it expires', async () => {
    const home = temporaryDirectory();
    await list(home);
    openid.intercept(({ url }) => (url === '/token' ? { status: 503, body: '' } : undefined));
    age(home, 0.9);
    const used = await list(home);
    expect(used).toMatchObject({ exitCode: 0 });
    expect(used.stderr).toContain(
      'using the present token until it expires: unable to get a token: the server gave no reason',
    );
    age(home, 1.1);
    expect(await list(home, env({ WEIR_GLOBALS_RETRY_TIMEOUT: '0s' }))).toMatchObject({ exitCode: 5 });
  });

  test('is not used for another scope, audience, client or cluster', async () => {
    const home = temporaryDirectory();
    await list(home);
    const before = asked();
    for (const changes of [
      { WEIR_OAUTH_SCOPE: 'kafka' },
      { WEIR_OAUTH_AUDIENCE: 'x' },
      {
        WEIR_OAUTH_CLIENT_ID: clients.post.id,
        WEIR_OAUTH_CLIENT_SECRET: clients.post.secret,
        WEIR_OAUTH_CLIENT_AUTH: 'client_secret_post',
      },
      { WEIR_BROKERS: 'b1.example:9092' },
    ]) {
      expect(await list(home, env(changes))).toMatchObject({ exitCode: 0 });
    }
    expect(asked() - before).toBe(4);
  });

  test('is not used after what the program proves its identity with has changed', async () => {
    const home = temporaryDirectory();
    await list(home);
    const { WEIR_OAUTH_CLIENT_SECRET: _, ...rest } = env();
    const secretFile = join(home, 'secret');
    writeFileSync(secretFile, clients.basic.secret, { mode: 0o600 });
    const fromFile = { ...rest, WEIR_OAUTH_CLIENT_SECRET_FILE: secretFile };
    for (const [changed, exitCode] of [
      [env({ WEIR_OAUTH_CLIENT_SECRET: 'wrong' }), 4],
      [{ ...rest, WEIR_OAUTH_CLIENT_SECRET_FILE: join(home, 'missing') }, 2],
      [fromFile, 0],
    ] as const) {
      expect(await list(home, changed)).toMatchObject({ exitCode });
    }
    const record = readFileSync(fileIn(home), 'utf8');
    expect(record).not.toContain(clients.basic.secret);
    const before = asked();
    expect(await list(home, fromFile)).toMatchObject({ exitCode: 0 });
    expect(asked()).toBe(before);
    writeFileSync(secretFile, 'x'.repeat(clients.basic.secret.length), { mode: 0o600 });
    expect(await list(home, fromFile)).toMatchObject({ exitCode: 4 });
    expect(asked()).toBe(before + 1);
  });

  test('in a file with another name or other addresses is ignored', async () => {
    const home = temporaryDirectory();
    await list(home);
    const record = readFileSync(fileIn(home), 'utf8');
    const before = asked();
    writeFileSync(fileIn(home), record.replace('localhost:9092', 'evil.example:9092'));
    expect(await list(home)).toMatchObject({ exitCode: 0 });
    renameSync(fileIn(home), fileIn(home).replace(/[0-9a-f]{24}/, 'f'.repeat(24)));
    expect(await list(home)).toMatchObject({ exitCode: 0 });
    expect(asked() - before).toBe(2);
  });
});

describe('the status', () => {
  const status = async (home: string, of: Env, line = 'cluster auth status --format json') => {
    const outcome = await run(line, { env: of, home });
    return [outcome.exitCode, JSON.parse(outcome.stdout)] as const;
  };

  test('of a person without a login says so, or whose login there is', async () => {
    const home = temporaryDirectory();
    const nobody = { problem: `not logged in to ${openid.issuer}; log in with: weir cluster auth login` };
    expect(await status(home, person())).toEqual([4, expect.objectContaining(nobody)]);
    await login(home);
    expect(await status(home, person())).toEqual([0, expect.objectContaining({ problem: null, has_token: true })]);
    const elsewhere = {
      has_token: false,
      problem: expect.stringMatching(/^the login is for brokers=localhost:9092, but/),
    };
    expect(await status(home, person({ WEIR_BROKERS: 'b1.example:9092' }))).toEqual([
      4,
      expect.objectContaining(elsewhere),
    ]);
  });

  test('of a configured token says where it is, and whether it has expired, without running a command', async () => {
    const home = temporaryDirectory();
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const file = join(home, 'token');
    writeFileSync(file, `${part({})}.${part({ exp: Math.floor(Date.now() / 1000) - 600 })}.x`, { mode: 0o600 });
    const given = { WEIR_SASL_MECHANISM: 'OAUTHBEARER' };
    const [exitCode, row] = await status(home, { ...given, WEIR_OAUTH_TOKEN_FILE: file });
    expect(exitCode).toBe(4);
    expect(row).toMatchObject({ token_from: `the file "${file}" (WEIR_OAUTH_TOKEN_FILE)`, kept_since: null });
    expect(row.problem).toMatch(/^it expired 10m\S* ago; put another token into the file /);
    const ran = join(home, 'ran');
    expect(await status(home, { ...given, WEIR_OAUTH_TOKEN_COMMAND: `touch ${ran}` })).toEqual([
      0,
      expect.objectContaining({ token_from: `the command "touch ${ran}" (WEIR_OAUTH_TOKEN_COMMAND)` }),
    ]);
    expect(existsSync(ran)).toBe(false);
  });

  test('without OAuth says what is missing', async () => {
    expect(await status(temporaryDirectory(), {})).toEqual([
      4,
      expect.objectContaining({
        grant: null,
        renewable: false,
        problem:
          'sasl.mechanism is not set, so that no OAuth token is used; oauth.client_id and oauth.issuer are not set',
      }),
    ]);
  });
});

test('a token that others can read or change is closed, and one of another user is refused', async () => {
  const home = temporaryDirectory();
  await list(home);
  const [file, directory] = [fileIn(home), join(fileIn(home), '..')];
  chmodSync(directory, 0o777);
  chmodSync(file, 0o666);
  await list(home);
  expect([file, directory].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  const { stderr, exitCode } = await run('cluster auth status', { env: env(), home, uid: 54_321 });
  expect([exitCode, stderr]).toEqual([
    6,
    expect.stringMatching(/^weir: unable to use \S+\/oauth: it belongs to .* the login\n/),
  ]);
});

test.each<[string, Env]>([
  ['cluster auth logout', {}],
  ['cluster auth logout --all', { WEIR_BROKERS: 'another.example:9092' }],
])('%s waits for a renewal, and removes its token', async (line, changes) => {
  const home = temporaryDirectory();
  await list(home);
  const [file, record] = [fileIn(home), readFileSync(fileIn(home))];
  const [directory, lock] = [dirname(file), `${file}.lock`];
  writeFileSync(lock, '{}');
  utimesSync(lock, new Date('2100-01-01'), new Date('2100-01-01'));
  // Who waits for the lock of an unknown machine compares the clock of the file system by a file beside the lock.
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const watcher = watch(directory, (_, name) => name?.startsWith(`.${basename(lock)}.`) && resolve());
  const leaving = run(line, { env: env(changes), home });
  await Promise.race([waits, leaving]);
  watcher.close();
  expect(existsSync(file)).toBe(true);
  writeFileSync(file, record, { mode: 0o600 });
  rmSync(lock);
  expect(await leaving).toMatchObject({ exitCode: 0, stdout: 'The token was removed.\n' });
  expect(existsSync(file)).toBe(false);
});

test('what a killed command has left beside a token goes with the next renewal', async () => {
  const home = temporaryDirectory();
  await list(home);
  age(home, 1.1);
  const left = join(dirname(fileIn(home)), `.${basename(fileIn(home))}.${randomUUID()}.tmp`);
  writeFileSync(left, 'a token');
  await list(home);
  expect(existsSync(left)).toBe(false);
});

test('a file that cannot be read does not keep the others', async () => {
  const home = temporaryDirectory();
  await list(home);
  const damaged = join(fileIn(home), '..', `${'f'.repeat(24)}.token.json`);
  writeFileSync(damaged, ' '.repeat(1_100_000), { mode: 0o600 });
  const planned = await run('cluster auth logout --all --dry-run', { env: env(), home });
  expect(planned).toMatchObject({ exitCode: 0, stdout: 'The token would be removed.\n' });
  const outcome = await run('cluster auth logout --all', { env: env(), home });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'The token was removed.\n' });
  expect(existsSync(damaged)).toBe(false);
});

test('an issuer that is too busy to tell its addresses is asked again', async () => {
  let refusals = 1;
  openid.intercept(({ url }) => {
    const isRefused = url?.startsWith('/.well-known/') && refusals-- > 0;
    return isRefused ? { status: 503, headers: { 'retry-after': '0' }, body: '' } : undefined;
  });
  expect(await list(temporaryDirectory())).toMatchObject({ exitCode: 0 });
  expect(refusals).toBeLessThan(1);
});

test('a broker that refuses every token gets two', async () => {
  await using broker = await startScriptedBroker({
    SaslHandshake: handshakeAnswer(0, ['OAUTHBEARER']),
    SaslAuthenticate: authenticateAnswer(58, '{"status":"invalid_token"}'),
  });
  const before = asked();
  const brokers = { WEIR_BROKERS: showHostPort(broker.address) };
  const { stderr, exitCode } = await run('topic list', { env: env(brokers), home: temporaryDirectory() });
  expect(exitCode).toBe(4);
  expect(stderr).toContain('the broker refuses the token: invalid_token');
  expect(asked() - before).toBe(2);
  expect(broker.of('SaslAuthenticate')).toHaveLength(2);
});

describe('the login of a person', () => {
  test('is renewed without the person', async () => {
    const home = temporaryDirectory();
    await login(home);
    age(home, 1.1);
    const before = asked();
    expect(await list(home, person())).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asked() - before).toBe(1);
    // The issuer may have replaced the refresh token as well.
    age(home, 1.1);
    expect(await list(home, person())).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('ends at the issuer as well with a logout, and a warning says if it does not', async () => {
    const home = temporaryDirectory();
    await login(home);
    const [file, record] = [fileIn(home), readFileSync(fileIn(home))];
    openid.intercept(({ url }) => (url === '/token/revocation' ? { status: 503, body: '' } : undefined));
    const warned = await run('cluster auth logout', { env: person(), home });
    expect(warned).toMatchObject({ exitCode: 0, stdout: 'The token was removed.\n' });
    expect(warned.stderr).toContain('the issuer may still accept the login, which is only removed here: unable to end');
    openid.intercept(undefined);
    writeFileSync(file, record, { mode: 0o600 });
    const outcome = await run('cluster auth logout', { env: person(), home });
    expect(outcome).toEqual({ exitCode: 0, stdout: 'The token was removed.\n', stderr: '' });
    writeFileSync(file, record, { mode: 0o600 });
    age(home, 1.1);
    expect((await list(home, person())).stderr).toContain(`the login to ${openid.issuer} has expired`);
  });

  test('that the issuer has ended is asked for again', async () => {
    const home = temporaryDirectory();
    await login(home);
    age(home, 1.1);
    const body = '{"error":"invalid_grant","error_description":"grant request is invalid"}';
    openid.intercept(({ url }) => (url === '/token' ? { status: 400, body } : undefined));
    const { stderr, exitCode } = await list(home, person());
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`the login to ${openid.issuer} has expired`);
    expect(stderr).toContain('hint: log in again with: weir cluster auth login');
  });

  test('is not sent to another cluster', async () => {
    const home = temporaryDirectory();
    await login(home);
    const { stderr, exitCode } = await list(home, person({ WEIR_BROKERS: 'evil.example:9092' }));
    expect(exitCode).toBe(4);
    expect(stderr).toContain('the login is for brokers=localhost:9092, but brokers is evil.example:9092');
    expect(seen).toEqual([]);
  });

  test('is needed before the first command', async () => {
    const { stderr, exitCode } = await list(temporaryDirectory(), person());
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`unable to get a token: not logged in to ${openid.issuer}`);
  });

  test('takes nothing but the answer to its own request', async () => {
    let page = new URL('http://none.example');
    let visits: Promise<readonly number[]> | undefined;
    const visit = async (): Promise<readonly number[]> => {
      const back = page.searchParams.get('redirect_uri') ?? '';
      const state = page.searchParams.get('state') ?? '';
      const refusal = { error: 'access_denied', error_description: 'no', iss: openid.issuer, state };
      const good = `${back}?${new URLSearchParams(refusal)}`;
      return [
        await statusOf(`${back}?code=x&state=y`),
        await statusOf(good.replace('/callback', '/other')),
        await statusOf(good, 'evil.example'),
        await statusOf(good),
      ];
    };
    const spawn: World['spawn'] = async (_file, [url = '']) => {
      page = new URL(url);
      visits = visit();
      return { exitCode: 0, stdout: '', stderr: '' };
    };
    const terminal = { stdin: true, stderr: true };
    const outcome = await run('cluster auth login', { env: person(), home: temporaryDirectory(), spawn, terminal });
    expect(await visits).toEqual([404, 404, 404, 200]);
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    expect(outcome.exitCode).toBe(4);
    expect(outcome.stderr).toContain('unable to log in: access_denied: no');
  });
});

/** The status of an answer. @param host what the request calls the server */
function statusOf(url: string, host = new URL(url).host): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });
}
