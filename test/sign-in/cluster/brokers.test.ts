import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { audience, clients, type OpenId, shortScope, startOpenId } from '../../services/openid.ts';
import { services } from '../../services/services.ts';
import { type Outcome, run, temporaryDirectory } from '../../world.ts';

let openid: OpenId;
beforeAll(async () => {
  openid = await startOpenId(Number(new URL(services().issuer).port));
});
afterAll(() => openid[Symbol.asyncDispose]());

type Env = Readonly<Record<string, string>>;

/** The environment of a program that gets tokens with its secret. */
function withSecret(brokers: string, client: { readonly id: string; readonly secret: string } = clients.basic): Env {
  return {
    WEIR_BROKERS: brokers,
    WEIR_SASL_MECHANISM: 'oauthbearer',
    WEIR_OAUTH_ISSUER: openid.issuer,
    WEIR_OAUTH_CLIENT_ID: client.id,
    WEIR_OAUTH_CLIENT_SECRET: client.secret,
  };
}

/** The environment of someone with a token. */
function withToken(token: string): Env {
  return { WEIR_BROKERS: services().oauth, WEIR_SASL_MECHANISM: 'OAUTHBEARER', WEIR_OAUTH_TOKEN: token };
}

const second = (from = 0): number => Math.floor(Date.now() / 1000) + from;

/** The claims of a good token, and changes to them. */
function claims(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const times = { iat: second(), exp: second(600) };
  return { iss: openid.issuer, sub: 'ana', aud: audience, scope: 'kafka', jti: 'a', ...times, ...changes };
}

const asked = (): number => openid.asked.filter(({ path }) => path === '/token').length;

/** Waits until the brokers have read the present key of the issuer, which they do when they first see a token with it. */
async function untilKnown(brokers = services().oauth): Promise<void> {
  const good = { ...withToken(openid.signed(claims())), WEIR_BROKERS: brokers };
  const isKnown = async () => expect(await run('topic list', { env: good })).toMatchObject({ exitCode: 0 });
  await vi.waitFor(isKnown, { timeout: 30_000, interval: 100 });
}

/** Fails if the output has a secret. */
function checkSecrets({ stdout, stderr }: Outcome, ...secrets: readonly string[]): void {
  for (const secret of [clients.basic.secret, clients.post.secret, ...secrets]) {
    expect(`${stdout}${stderr}`).not.toContain(secret);
  }
}

describe('a program', () => {
  beforeEach(() => untilKnown());

  test('verifies no password with a mechanism that the listener does not offer, and says so once', async () => {
    const users = ['a', 'b'].map((name) => `mendfile-${name}: {password: {env: USER_PASSWORD}}`).join(', ');
    const env = { ...withSecret(services().oauth), USER_PASSWORD: 'user-secret' };
    const files = (text: string) => ({ env, stdin: `weir: 1\n${text}` });
    expect(await run('apply - --yes', files(`users: {${users}}\n`))).toMatchObject({ exitCode: 0 });
    expect(await run('diff - --verify-passwords', files(`users: {${users}}\n`))).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `warning: 2 passwords not tried with SCRAM-SHA-256, which the listener does not offer
the cluster is as in the files
`,
    });
    await run('apply - --yes --prune', files("owns: {users: ['mendfile-*']}\n"));
  });

  test.each([
    ['a secret in the header', () => withSecret(services().oauth)],
    ['a secret in the form', () => withSecret(services().oauth, clients.post)],
    [
      'an assertion that it signs',
      () => {
        const key = join(temporaryDirectory(), 'key.pem');
        writeFileSync(key, openid.clientKey, { mode: 0o600 });
        const { WEIR_OAUTH_CLIENT_SECRET: _, ...env } = withSecret(services().oauth);
        return { ...env, WEIR_OAUTH_CLIENT_ID: clients.signing.id, WEIR_OAUTH_ASSERTION_KEY: key };
      },
    ],
  ])('gets a token with %s', async (_, env) => {
    expect(await run('cluster info --format json', { env: env() })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('gets one token for all commands, in a file that only its owner can read', async () => {
    const home = temporaryDirectory();
    const env = withSecret(services().oauth);
    await untilKnown(services().brief);
    const before = asked();
    const outcomes = await Promise.all([1, 2, 3].map(() => run('topic list', { env, home })));
    outcomes.push(await run('topic list -vv --trace -', { env, home }));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ exitCode: 0 });
    expect(asked() - before).toBe(1);
    const directory = join(home, '.local/state/weir/oauth');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.json'));
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    for (const outcome of outcomes) checkSecrets(outcome, token.text);
    // Another cluster gets another token.
    await run('topic list', { env: { ...env, WEIR_BROKERS: services().brief }, home });
    expect(asked() - before).toBe(2);
  });

  test('gets a new token after the issuer has replaced its keys', async () => {
    const home = temporaryDirectory();
    const env = withSecret(services().oauth);
    expect(await run('topic list', { env, home })).toMatchObject({ exitCode: 0 });
    openid.rotate();
    // The brokers accept the old key until they see the new one, and see that only when they need it.
    expect(await run('topic list', { env, home: temporaryDirectory() })).toMatchObject({ exitCode: 0 });
    expect(await run('topic list', { env, home })).toMatchObject({ exitCode: 0 });
  });
});

/** Lines that arrive one by one for some seconds. */
async function* slowly(lines: readonly string[], eachMs: number): AsyncGenerator<string> {
  for (const line of lines) {
    await delay(eachMs);
    yield `${line}\n`;
  }
}

/** The requests in a trace. */
function tracedIn(path: string): readonly { readonly api: string; readonly error?: string }[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Writes and reads records for some seconds; returns what was read, and the traces. */
async function longRun(env: Env, topic: string, home: string) {
  const lines = Array.from({ length: 120 }, (_, at) => `${topic} ${at}`);
  const traces = ['produce', 'consume'].map((verb) => join(home, `${verb}.json`));
  const [produced, consumed] = await Promise.all([
    run(`topic produce ${topic} --trace ${traces[0]}`, {
      env,
      home,
      stdin: Readable.from(slowly(lines, 50), { objectMode: false }),
    }).then((outcome) => {
      // The other one would wait for its records.
      if (outcome.exitCode !== 0) throw new Error(`produce ended with ${outcome.exitCode}: ${outcome.stderr}`);
      return outcome;
    }),
    run(`topic consume ${topic} -o start -n ${lines.length} -f '%v\\n' --fetch-max-wait 200ms --trace ${traces[1]}`, {
      env: { ...env, WEIR_GLOBALS_COMMAND_TIMEOUT: '60s' },
      home,
    }),
  ]);
  expect([produced.exitCode, consumed.exitCode], `${produced.stderr}${consumed.stderr}`).toEqual([0, 0]);
  expect(consumed.stdout.trimEnd().split('\n')).toEqual(lines);
  return traces.map(tracedIn);
}

/** How often a session was renewed on its connection. */
function renewals(requests: ReturnType<typeof tracedIn>): number {
  const count = (name: string): number =>
    requests.filter(({ api, error }) => api === name && error === undefined).length;
  return count('SaslHandshake') - count('ApiVersions');
}

describe('a session that ends during a long run is renewed on its connection, and no record is lost or doubled', () => {
  beforeAll(async () => {
    await untilKnown();
    await untilKnown(services().brief);
  });
  const home = (): string => temporaryDirectory();
  const password = (mechanism: string): Env => ({
    WEIR_BROKERS: services().brief,
    WEIR_SASL_MECHANISM: mechanism,
    WEIR_USER: services().user.user,
    WEIR_PASS: services().user.pass,
  });

  test.concurrent.each([
    ['PLAIN', () => password('PLAIN')],
    ['SCRAM-SHA-256', () => password('SCRAM-SHA-256')],
    ['SCRAM-SHA-512', () => password('SCRAM-SHA-512')],
    ['OAUTHBEARER', () => withSecret(services().brief)],
  ])('with %s', async (mechanism, env) => {
    const topic = `brief-${mechanism.toLowerCase()}`;
    await run(`topic create ${topic}`, { env: { WEIR_BROKERS: services().plaintext } });
    const traces = await longRun(env(), topic, home());
    for (const requests of traces) expect(renewals(requests)).toBeGreaterThan(0);
  });

  test.concurrent('with tokens of three seconds, which are renewed as well', async ({ expect: check }) => {
    const topic = 'brief-tokens';
    await run(`topic create ${topic}`, { env: { WEIR_BROKERS: services().plaintext } });
    const env = { ...withSecret(services().oauth), WEIR_OAUTH_SCOPE: shortScope };
    const traces = await longRun(env, topic, home());
    for (const requests of traces) check(renewals(requests)).toBeGreaterThan(0);
  });
});

describe('a token that the brokers refuse', () => {
  beforeEach(() => untilKnown());

  test.each<[string, () => string, RegExp]>([
    ['has expired', () => openid.signed(claims({ exp: second(-60) })), /invalid_token; it expired 1m\S* ago/],
    [
      'is not valid yet',
      () => openid.signed(claims({ nbf: second(300) })),
      /invalid_token; it is not valid for another \S+: compare the clocks of this machine and of the issuer/,
    ],
    ['is for another audience', () => openid.signed(claims({ aud: 'https://other.example' })), /invalid_token/],
    ['is from another issuer', () => openid.signed(claims({ iss: 'https://other.example' })), /invalid_token/],
    ['is opaque', () => 'opaque-canary-0123456789', /invalid_token|Authentication failed/],
    ['is very long', () => openid.signed(claims({ exp: second(-60), pad: 'x'.repeat(100_000) })), /invalid_token/],
    ['is longer than they read', () => `a.${'x'.repeat(300_000)}.b`, /the token has 300004 bytes, and brokers read/],
  ])('because it %s is explained and never shown', async (_, make, why) => {
    const token = make();
    for (const flags of ['', '--format json', '-vv --trace -']) {
      const outcome = await run(`topic list ${flags}`, { env: withToken(token) });
      expect(outcome.exitCode).toBe(4);
      expect(outcome.stderr).toMatch(why);
      checkSecrets(outcome, token, token.slice(-40));
    }
  });

  test('says what it claims', async () => {
    const { stderr } = await run('topic list', {
      env: withToken(openid.signed(claims({ aud: 'https://other.example' }))),
    });
    expect(stderr).toContain(
      `hint: the token was issued by ${openid.issuer} for the audience https://other.example to ana with the scope kafka until `,
    );
  });
});

describe('an issuer where nobody listens', () => {
  const env = () => ({ ...withSecret(services().oauth), WEIR_OAUTH_ISSUER: 'http://127.0.0.1:1' });

  test('is asked once, and is not taken for a broker', async () => {
    const { stderr, exitCode } = await run('topic list', { env: env() });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('-X oauth.issuer=URL');
    expect(stderr).not.toMatch(/gave up|sandbox start|brokers/);
  });

  test('fails the token in a checkup, and nothing else', async () => {
    const { stdout } = await run('doctor --format json', { env: env() });
    const checks: Readonly<Record<string, string>>[] = JSON.parse(stdout).checks;
    const ofKafka = checks.filter(({ api }) => api === 'kafka');
    const found = Object.fromEntries(ofKafka.map(({ step, status, detail }) => [step, { status, detail }]));
    expect(found).toMatchObject({
      token: { status: 'failed' },
      api_versions: { status: 'ok' },
      sasl: { status: 'skipped', detail: 'token failed' },
      metadata: { status: 'skipped', detail: 'token failed' },
    });
  });
});

describe('doctor', () => {
  beforeEach(() => untilKnown());
  afterEach(() => openid.intercept(undefined));

  test('shows what the token claims, and passes', async () => {
    const { stdout, exitCode } = await run('doctor --format json', { env: withSecret(services().oauth) });
    const checks: readonly Readonly<Record<string, unknown>>[] = JSON.parse(stdout).checks;
    expect(checks.find(({ step }) => step === 'token')).toMatchObject({
      api: 'kafka',
      target: openid.issuer,
      status: 'ok',
      detail: expect.stringContaining(`issued by ${openid.issuer} for the audience ${audience} to reports`),
    });
    expect(checks.find(({ step }) => step === 'sasl')).toMatchObject({ status: 'ok', detail: 'OAUTHBEARER' });
    expect(exitCode).toBe(0);
  });

  test.each([
    [3, undefined],
    [-3630, 'behind'],
    [3630, 'ahead of'],
  ])('warns if the clock of the issuer is off by %ds: %s', async (seconds, off) => {
    const token = openid.signed(claims());
    openid.intercept(({ url }) => {
      if (url !== '/token') return undefined;
      const date = new Date(Date.now() + seconds * 1000).toUTCString();
      const body = JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 300 });
      return { status: 200, headers: { date, 'content-type': 'application/json' }, body };
    });
    const { stdout, exitCode } = await run('doctor --format json', { env: withSecret(services().oauth) });
    const checks: readonly Readonly<Record<string, unknown>>[] = JSON.parse(stdout).checks;
    const found = checks.find(({ step }) => step === 'token');
    expect(exitCode).toBe(0);
    if (off === undefined) return expect(found).toMatchObject({ status: 'ok', hints: [] });
    expect(found).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(new RegExp(`; the clock of the issuer is 1h\\S* ${off} that of this machine$`)),
      hints: ['set the clocks of this machine, the issuer and the brokers by NTP'],
    });
  });

  test('tells the refusal of the brokers from a wrong clock', async () => {
    const token = openid.signed(claims({ nbf: second(300) }));
    const outcome = await run('doctor --format json', { env: withToken(token) });
    const checks: readonly Readonly<Record<string, unknown>>[] = JSON.parse(outcome.stdout).checks;
    expect(checks.find(({ step }) => step === 'token')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/it is not valid for another/),
    });
    expect(checks.find(({ step }) => step === 'sasl')).toMatchObject({
      status: 'failed',
      error_code: 'SASL_AUTHENTICATION_FAILED',
    });
    expect(outcome.exitCode).toBe(10);
    checkSecrets(outcome, token);
  });
});
