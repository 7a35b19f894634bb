import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../src/clock.ts';
import type { SecretKey } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve/resolve.ts';
import type { Recipient } from '../../src/config/routes.ts';
import { type Deadline, startDeadline } from '../../src/deadline.ts';
import { CliError } from '../../src/errors.ts';
import { type Host, realHost } from '../../src/host.ts';
import { openSecrets, type Secrets } from '../../src/secrets/secrets.ts';
import { emptyDirectory, hostOf, profileFile, writeWhole } from '../config/sources/sources.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

const second = 1_000_000_000n;
const times = { dial: second, requestOverhead: second, retry: second, command: 600n * second, fetchMaxWait: second };

interface Given {
  readonly x?: readonly string[];
  /** The options of the profile. */
  readonly profile?: readonly string[];
  readonly configFile?: string;
  readonly home?: string;
  readonly host?: Partial<Host>;
  readonly deadline?: Deadline;
  readonly mayRun?: boolean;
}

/** The secrets of a configuration, with programs that really run, and the warnings. */
async function secretsOf(given: Given): Promise<Secrets & { readonly home: string; readonly warnings: string[] }> {
  const { x = [], home = emptyDirectory(), profile, configFile, mayRun = true } = given;
  if (profile !== undefined) writeWhole(configFile ?? join(home, '.config/weir/weir.yaml'), profileFile(...profile));
  const { runtime, spawn } = realHost();
  const host = hostOf({ home, runtime, spawn, ...given.host });
  const config = await resolveConfig(host, { x, deprecated: [], configFile });
  const deadline = given.deadline ?? startDeadline(times);
  if (given.deadline === undefined) deadline.dispose();
  const warnings: string[] = [];
  const secrets = openSecrets({ host, config, deadline, mayRun, warnOnce: (line) => void warnings.push(line) });
  return { ...secrets, home, warnings };
}

async function failure(work: Promise<unknown>): Promise<CliError> {
  const error = await work.then(
    (value) => new Error(`it succeeded: ${value}`),
    (reason: unknown) => reason,
  );
  if (error instanceof CliError) return error;
  throw error;
}

/** A program that counts its runs in a file beside it, and then runs the lines. */
function program(directory: string, lines: string): string {
  const path = join(directory, 'helper');
  writeFileSync(path, `#!/bin/sh\necho run >> "${path}.runs"\n${lines}\n`, { mode: 0o700 });
  return path;
}

function runsOf(path: string): number {
  return existsSync(`${path}.runs`) ? readFileSync(`${path}.runs`, 'utf8').split('\n').length - 1 : 0;
}

describe('a command', () => {
  test('gives its only line, and runs once for all that ask, until it is renewed', async () => {
    const home = emptyDirectory();
    const path = program(home, 'echo " s3cret with  spaces "');
    const secrets = await secretsOf({ home, profile: [`pass.command: ${path}`] });
    expect(runsOf(path)).toBe(0);
    const all = await Promise.all([
      secrets.get('pass', 'kafka'),
      secrets.get('pass', 'kafka'),
      secrets.get('pass', 'kafka'),
    ]);
    expect([...all, await secrets.get('pass', 'kafka')]).toEqual(Array(4).fill(' s3cret with  spaces '));
    expect(runsOf(path)).toBe(1);
    await Promise.all([secrets.renew('pass', 'kafka'), secrets.get('pass', 'kafka')]);
    expect(runsOf(path)).toBe(2);
  });

  test.each([
    ['echo a | cat', ['no shell runs pass.command (-X pass.command), so "|" is an argument: ']],
    ['sh -c "echo $((1 + 1)) | cat"', []],
  ])('that needs a shell gets a warning: %s', async (command, warnings) => {
    const secrets = await secretsOf({ x: [`pass.command=${command}`] });
    await secrets.get('pass', 'kafka');
    expect(secrets.warnings).toEqual(warnings.map((line) => expect.stringContaining(line)));
  });

  test('gets its words as a shell would split them, without a shell, and without the secrets of weir', async () => {
    const home = emptyDirectory();
    writeFileSync(join(home, 'args'), '#!/bin/sh\nprintf "[%s]" "$@"; echo "$WEIR_PASS"\n', { mode: 0o700 });
    const text = `~/args 'a b' "c \\"d\\"" e\\ f '' $HOME | "x"y C:\\dir`;
    const { get } = await secretsOf({ home, x: [`pass.command=${text}`] });
    expect(await get('pass', 'kafka')).toBe('[a b][c "d"][e f][][$HOME][|][xy][C:\\dir]');
  });

  test.each<[string, RegExp, number]>([
    ['sh -c "exit 0"', /it printed nothing$/, 4],
    ['printf "\\n"', /its output is not a secret: it is empty$/, 4],
    ['printf "canary\\ncanary\\n"', /its output is not a secret: it has more than one line$/, 4],
    ['printf "canary\\377\\n"', /its output is not a secret: it is not UTF-8 text$/, 4],
    ['sh -c "echo canary; echo canary >&2; exit 3"', /it failed with exit code 3$/, 4],
    ["sh -c 'echo canary; kill -9 $$'", /it failed with exit code 137$/, 4],
    ['head -c 100000 /dev/zero', /it printed more than 64 KiB$/, 4],
    ['no-such-program-of-weir', /there is no program "no-such-program-of-weir"$/, 2],
    ['/etc/passwd', /\/etc\/passwd is not a program that can be run$/, 2],
    ['./helper', /the path of the program is relative$/, 2],
  ])('%s fails without its output in the error', async (text, message, exitCode) => {
    const { get } = await secretsOf({ x: [`pass.command=${text}`] });
    const error = await failure(get('pass', 'kafka'));
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^unable to get pass from the command ["']/);
    expect(error).toMatchObject({ exitCode, target: 'pass' });
    const all = [error.message, ...error.hints, String((error.cause as Error | undefined)?.stack)].join('\n');
    expect(all.replace(text, '')).not.toContain('canary\n');
    expect(error.hints.join()).not.toContain('canary');
  });

  test('with what only a shell understands says so', async () => {
    const { get } = await secretsOf({ x: ['pass.command=grep -h nothing /dev/null | head -1'] });
    expect((await failure(get('pass', 'kafka'))).hints[0]).toBe(
      "no shell runs it: for pipes and variables, write sh -c '…'",
    );
  });

  test('that never ends is stopped after its limit, although its output stays open', async () => {
    const clock = createVirtualClock(1);
    const deadline = startDeadline(times, undefined, undefined, clock);
    const home = emptyDirectory();
    const path = program(home, 'sleep 1000 &\necho $! > "$0.pid"\nexec sleep 1000');
    const { get } = await secretsOf({ home, x: [`pass.command=${path}`], deadline });
    const failed = failure(get('pass', 'kafka'));
    await expect.poll(() => existsSync(`${path}.pid`), { timeout: 30_000 }).toBe(true);
    await clock.runFor(60_000);
    const error = await failed;
    expect(error).toMatchObject({ exitCode: 5, message: expect.stringMatching(/it did not end within 60s$/) });
    deadline.dispose();
    try {
      // With a terminal, it goes on.
      process.kill(Number(readFileSync(`${path}.pid`, 'utf8')));
    } catch {}
  });

  test('ends with the command that waits for it', async () => {
    const deadline = startDeadline(times, undefined, undefined, realClock);
    const home = emptyDirectory();
    const path = program(home, 'exec sleep 1000');
    const { get } = await secretsOf({ home, x: [`pass.command=${path}`], deadline });
    const failed = failure(get('pass', 'kafka'));
    await expect.poll(() => runsOf(path), { timeout: 30_000 }).toBe(1);
    deadline.abort(new CliError(130, 'interrupted'));
    expect(await failed).toMatchObject({ exitCode: 130 });
  });

  test('is not run for completion', async () => {
    const home = emptyDirectory();
    const path = program(home, 'echo s3cret');
    const { get } = await secretsOf({ home, x: [`pass.command=${path}`], mayRun: false });
    expect((await failure(get('pass', 'kafka'))).message).toMatch(/programs are not run here$/);
    expect(runsOf(path)).toBe(0);
  });
});

describe('a file', () => {
  test('is read for each sign-in, relative to the home directory too', async () => {
    const home = emptyDirectory();
    const path = join(home, 'token');
    writeFileSync(path, 'one\n', { mode: 0o600 });
    const { get, warnings } = await secretsOf({ home, profile: ['pass:', '  file: ~/token'] });
    expect(await get('pass', 'kafka')).toBe('one');
    // With the byte order mark of editors on Windows.
    writeFileSync(path, '\ufefftwo');
    expect(await get('pass', 'kafka')).toBe('two');
    expect(warnings).toEqual([]);
    chmodSync(path, 0o644);
    await get('pass', 'kafka');
    expect(warnings).toEqual([`other users can read ${path}, which has pass: run chmod 600 '${path}'`]);
  });

  test.each<[string, string | undefined, RegExp]>([
    ['that is missing', undefined, /: it does not exist$/],
    ['that is empty', '\n', /: it is empty$/],
    ['with two lines', 'canary\ncanary\n', /: it has more than one line$/],
    ['that is too large', 'canary'.repeat(20_000), /: larger than 64 KiB$/],
  ])('%s is an error without its text', async (_, text, message) => {
    const home = emptyDirectory();
    if (text !== undefined) writeFileSync(join(home, 'token'), text, { mode: 0o600 });
    const { get } = await secretsOf({ home, x: ['pass.file=~/token'] });
    const error = await failure(get('pass', 'kafka'));
    expect(error).toMatchObject({ exitCode: 4, message: expect.stringMatching(message) });
    expect(error.message).not.toContain('canary');
  });

  test('that is a pipe is read once for all that ask', async () => {
    const home = emptyDirectory();
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const { get } = await secretsOf({ home, x: ['pass.file=~/pipe'] });
    const all = [get('pass', 'kafka'), get('pass', 'kafka')];
    const writer = spawn('sh', ['-c', `echo s3cret > '${join(home, 'pipe')}'`]);
    expect([...(await Promise.all(all)), await get('pass', 'kafka')]).toEqual(['s3cret', 's3cret', 's3cret']);
    writer.kill();
  });

  test('that is a directory is an error', async () => {
    const { get } = await secretsOf({ x: ['pass.file=/tmp'] });
    expect((await failure(get('pass', 'kafka'))).message).toMatch(/: it is a directory$/);
  });
});

describe('a secret of the environment', () => {
  /** What a person is told. @param lines the options of a file */
  async function warnings(given: {
    readonly lines: readonly string[];
    readonly key?: SecretKey;
    readonly env?: Readonly<Record<string, string>>;
    readonly mode?: number;
    readonly isTerminal?: boolean;
    readonly flag?: '--config' | '--broker-config';
  }): Promise<readonly string[]> {
    const { lines, key = 'pass', env = { WEIR_PASS: 's3cret' }, mode = 0o644 } = given;
    const home = emptyDirectory();
    const path = join(home, 'x.yaml');
    const isBroker = given.flag === '--broker-config';
    writeWhole(path, isBroker ? `weir:\n  ${lines.join('\n  ')}\n` : profileFile(...lines));
    chmodSync(path, mode);
    const host = hostOf({ home, runtime: realHost().runtime, env });
    const stderr = { ...host.stderr, isTerminal: given.isTerminal ?? true };
    const named = isBroker ? { brokerConfigFile: path } : { configFile: path };
    const config = await resolveConfig(host, { x: [], deprecated: [], ...named });
    const deadline = startDeadline(times);
    deadline.dispose();
    const said: string[] = [];
    const warnOnce = (line: string): void => void said.push(line.replaceAll(path, 'FILE'));
    await openSecrets({ host: { ...host, stderr }, config, deadline, mayRun: true, warnOnce }).get(
      key,
      recipients[key] ?? 'kafka',
    );
    return said;
  }
  const far = ['brokers: [evil.example:9092]'];
  const recipients: Partial<Record<SecretKey, Recipient>> = { 'oauth.client_secret': 'issuer', 'admin.pass': 'admin' };

  test('that goes to a broker of a file that may be of someone else is warned of', async () => {
    expect(await warnings({ lines: far })).toEqual([
      'WEIR_PASS is sent to evil.example:9092, the brokers of FILE:6 (profile prod): --config names a file that other users can read, like one from someone else',
    ]);
    expect(await warnings({ lines: far, flag: '--broker-config' })).toEqual([
      expect.stringMatching(/^WEIR_PASS is sent to evil\.example:9092, .*: --broker-config names a file that may be/),
    ]);
    const secret = { key: 'oauth.client_secret', env: { WEIR_OAUTH_CLIENT_SECRET: 's3cret' } } as const;
    expect(await warnings({ lines: ['oauth.token_url: https://evil.example/token'], ...secret })).toHaveLength(1);
  });

  test.each([
    ['of the own file', { lines: far, mode: 0o600 }],
    ['of this machine', { lines: ['brokers: [localhost:9092]', 'admin.hosts: [localhost:1]'] }],
    ['of a variable', { lines: far, env: { WEIR_PASS: 's3cret', WEIR_BROKERS: 'b1.example:9092' } }],
    ['that another API has', { lines: ['registry.hosts: [evil.example]'], key: 'admin.pass' as const }],
    ['in a log that nobody reads', { lines: far, isTerminal: false }],
    ['if there is no secret', { lines: far, env: {} }],
  ])('is not, for an address %s', async (_, given) => {
    const env = { WEIR_PASS: 's3cret', WEIR_ADMIN_PASS: 's3cret' };
    expect(await warnings({ env, ...given })).toEqual([]);
  });
});

describe('a profile file says where a secret is only if it is of the user', () => {
  /** What a user gets, whose files the directory has; root gives them to somebody else first. */
  async function tried(
    change: (path: string) => unknown,
    { name, userOffset = 0 }: { readonly name?: string; readonly userOffset?: number } = {},
  ): Promise<string | CliError> {
    const own = process.getuid?.() ?? 0;
    const uid = own === 0 ? 54_321 : own;
    const home = emptyDirectory();
    const path = join(home, name ?? '.config/weir/weir.yaml');
    writeFileSync(join(home, 'token'), 's3cret', { mode: 0o600 });
    const runtime = { name: '', arch: '', uid: uid + userOffset };
    const configFile = name === undefined ? {} : { configFile: path };
    const secrets = await secretsOf({ home, profile: ['pass.file: ~/token'], ...configFile, host: { runtime } });
    if (own === 0) for (const one of ['', '.config', '.config/weir']) chownIfThere(join(home, one), uid);
    if (own === 0) chownIfThere(path, uid);
    change(path);
    return await secrets.get('pass', 'kafka').catch((error: unknown) => error as CliError);
  }
  const chownIfThere = (path: string, uid: number) => existsSync(path) && chownSync(path, uid, uid);

  test('not if others can write to it', async () => {
    expect(await tried((path) => chmodSync(path, 0o644))).toBe('s3cret');
    expect(await tried((path) => chmodSync(path, 0o666))).toMatchObject({ exitCode: 6, code: 'PROFILE_OPEN' });
  });

  test('not if others can write to its directory', async () => {
    const open = (path: string) => chmodSync(dirname(path), 0o777);
    expect(await tried(open)).toMatchObject({ exitCode: 6, code: 'PROFILE_OPEN' });
  });

  test('not if it belongs to someone else', async () => {
    const result = await tried(() => undefined, { userOffset: 1 });
    expect(result).toMatchObject({ exitCode: 6, code: 'PROFILE_FOREIGN' });
  });

  test('one that is named must also be private', async () => {
    expect(await tried(() => undefined, { name: 'other.yaml' })).toBe('s3cret');
    const result = await tried((path) => chmodSync(path, 0o644), { name: 'other.yaml' });
    expect(result).toMatchObject({ exitCode: 2, hints: [expect.stringContaining('chmod 600')] });
  });

  test.skipIf(process.getuid?.() !== 0)('root too must make one private, although it belongs to root', async () => {
    const home = emptyDirectory();
    writeFileSync(join(home, 'token'), 's3cret', { mode: 0o600 });
    const configFile = join(home, 'other.yaml');
    const { get } = await secretsOf({ home, profile: ['pass.file: ~/token'], configFile });
    chmodSync(configFile, 0o644);
    expect(await failure(get('pass', 'kafka'))).toMatchObject({
      exitCode: 2,
      hints: [expect.stringContaining('chmod 600')],
    });
    chmodSync(configFile, 0o600);
    expect(await get('pass', 'kafka')).toBe('s3cret');
  });

  test.each([
    ['.git', '--config'],
    ['.git', 'XDG_CONFIG_HOME'],
    ['.git', undefined],
    ['.hg', '--config'],
    ['.jj', '--config'],
    ['.svn', '--config'],
  ])('not beside %s, named by %s', async (mark, origin) => {
    const home = emptyDirectory();
    const clone = join(home, 'clone');
    const path = join(clone, origin === 'XDG_CONFIG_HOME' ? 'weir/weir.yaml' : 'deep/er.yaml');
    writeFileSync(join(home, 'token'), 's3cret', { mode: 0o600 });
    writeWhole(path, profileFile('pass.file: ~/token'));
    chmodSync(path, 0o600);
    mkdirSync(join(origin === undefined ? home : clone, mark));
    const env = origin === 'XDG_CONFIG_HOME' ? { XDG_CONFIG_HOME: clone } : {};
    const named = origin === 'XDG_CONFIG_HOME' ? {} : { configFile: path };
    const { get } = await secretsOf({ home, ...named, host: { env } });
    // A home directory whose files are in a repository is the user's own.
    if (origin === undefined) return expect(await get('pass', 'kafka')).toBe('s3cret');
    const message = expect.stringContaining(`${origin} names ${path}, in the repository ${clone}`);
    expect(await failure(get('pass', 'kafka'))).toMatchObject({ exitCode: 2, message });
  });
});

describe('what another file fills in', () => {
  interface Sources {
    readonly env?: Readonly<Record<string, string>>;
    readonly x?: readonly string[];
    /** The options of the profile file, which is the person's own unless it is `foreign`. */
    readonly profile?: readonly string[];
    readonly foreign?: boolean;
    /** The options of a broker configuration file that is named. */
    readonly broker?: readonly string[];
    /** Whether that is the file of the machine. */
    readonly isMachines?: boolean;
    readonly ask?: (secrets: Secrets) => Promise<unknown>;
  }

  /** The error of sending a password to the registry, or of what is asked instead; undefined if it may be sent. */
  async function refusal({ env = {}, x = [], profile = [], foreign = false, broker, ask, isMachines }: Sources) {
    const home = emptyDirectory();
    const profilePath = join(home, foreign ? 'weir.yaml' : '.config/weir/weir.yaml');
    writeWhole(profilePath, profileFile(...profile));
    if (foreign) chmodSync(profilePath, 0o644);
    const brokerPath = join(home, 'redpanda.yaml');
    if (broker !== undefined) writeWhole(brokerPath, `weir:\n  ${broker.join('\n  ')}\n`);
    const { runtime, spawn } = realHost();
    const host = hostOf({
      home,
      runtime,
      spawn,
      env: Object.fromEntries(Object.entries(env).map(([k, v]) => [`WEIR_${k}`, v])),
    });
    const config = await resolveConfig(host, {
      x,
      deprecated: [],
      configFile: foreign ? profilePath : undefined,
      brokerConfigFile: broker === undefined ? undefined : brokerPath,
    });
    const deadline = startDeadline(times);
    deadline.dispose();
    const used = isMachines ? { ...config, brokerFile: undefined } : config;
    const secrets = openSecrets({ host, config: used, deadline, mayRun: true, warnOnce: () => undefined });
    const asked = ask ?? ((all: Secrets) => all.get('pass', 'registry'));
    const error = await asked(secrets).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined || error instanceof CliError) return error;
    throw error;
  }

  const kafka = (all: Secrets): Promise<unknown> => all.get('pass', 'kafka');
  const issuer = (all: Secrets): Promise<unknown> => all.get('oauth.client_secret', 'issuer');
  const own = ['brokers: [b1.example]', 'user: alice', 'pass: s3cret'];
  const account = { USER: 'alice', PASS: 's3cret' };
  const ca = 'tls.ca: /tmp/ca.pem';
  const client = { OAUTH_CLIENT_ID: 'c', OAUTH_CLIENT_SECRET: 's3cret' };
  const evil = 'https://evil.example';

  test('is refused with both sources, and how to allow it', async () => {
    const error = await refusal({ profile: own, broker: ['registry.hosts: [evil.example]'] });
    expect(error).toMatchObject({ exitCode: 2, code: 'SECRET_REFUSED', target: 'registry.hosts' });
    expect(error?.message).toMatch(
      /^unable to use pass \(.*weir\.yaml:8 \(profile prod\)\) with registry\.hosts \(.*redpanda\.yaml:2 \(section weir\)\): --broker-config names a file that may be of someone else$/,
    );
    expect(error?.hints).toEqual([
      'if you trust it, say so with -X registry.hosts=evil.example:8081 or with WEIR_REGISTRY_HOSTS, or in your own profile',
      'no permissions make a broker configuration file yours: put what you trust into a profile',
    ]);
  });

  test('is refused with what else says which system is meant', async () => {
    const error = await refusal({
      env: { ...account, REGISTRY_HOSTS: 'r.example' },
      profile: ['brokers: [evil.example]'],
      foreign: true,
      ask: kafka,
    });
    expect(error?.message).toMatch(
      /^unable to use pass \(WEIR_PASS\) with brokers \(.*\): --config names a file that .*, and registry\.hosts \(WEIR_REGISTRY_HOSTS\) may mean another system$/,
    );
    // The profile in use is the one that is refused.
    expect(error?.hints[0]).toBe('if you trust it, say so with -X brokers=evil.example:9092 or with WEIR_BROKERS');
  });

  const msk = ['brokers: [b-1.x.kafka.eu-west-1.amazonaws.com:9098]', 'sasl.mechanism: AWS_MSK_IAM'];
  const identity = (all: Secrets): Promise<unknown> => all.mayIdentify();

  const withCertificate = [
    'sasl.mechanism: OAUTHBEARER',
    'oauth.issuer: https://i.example',
    'oauth.client_id: c',
    'oauth.tls.cert: /c',
    'oauth.tls.key: /k',
  ];
  const tokens = (all: Secrets): Promise<unknown> => all.mayUseTokens('kafka');

  test.each<[string, Sources]>([
    ['the certificate of the client', { broker: ['brokers: [evil.example]', ...withCertificate], ask: tokens }],
    ['the same of a foreign profile', { profile: withCertificate, foreign: true, ask: tokens }],
    ['its key, where it is read', { broker: ['oauth.tls.key: /k'], ask: (all) => all.mayUse('oauth.tls.key') }],
    ['its certificate', { profile: withCertificate, foreign: true, ask: (all) => all.mayUse('oauth.tls.cert') }],
    [
      'the assertion that a token was requested with',
      { profile: ['oauth.assertion.file: /jwt'], foreign: true, ask: tokens },
    ],
    [
      'the command for its secret',
      { profile: ['oauth.client_id: c', 'oauth.client_secret.command: op x'], foreign: true, ask: tokens },
    ],
    [
      'the command for the secret of a login that is kept',
      {
        profile: ['cloud.client_id: c', 'cloud.client_secret.command: op x'],
        foreign: true,
        ask: (all) => all.mayUseKept('cloud.client_secret'),
      },
    ],
  ])('is not used, also with a token that is kept: %s', async (_, sources) => {
    expect(await refusal(sources)).toMatchObject({ exitCode: 2, code: 'SECRET_UNAVAILABLE' });
  });

  test('is not the certificate of the machine, also if the file repeats who signs in with it', async () => {
    expect(await refusal({ broker: [...own, ...withCertificate], isMachines: true, ask: tokens })).toBeUndefined();
    expect(await refusal({ profile: withCertificate, ask: tokens })).toBeUndefined();
    const machine = { broker: [...own.slice(0, 1), ...withCertificate], isMachines: true, foreign: true, ask: tokens };
    expect(await refusal({ ...machine, profile: withCertificate })).toBeUndefined();
    const error = await refusal({ ...machine, profile: ['brokers: [evil.example]', ...withCertificate] });
    expect(error).toMatchObject({ code: 'SECRET_REFUSED', target: 'brokers' });
    expect(error?.message).toMatch(/^unable to use oauth\.\S+ \(.*redpanda\.yaml/);
  });

  test('does not decide what gets into a profile of the person', async () => {
    const keep = (all: Secrets): Promise<unknown> => all.mayKeep('the profile "x"', ['cloud', 'cloud-api']);
    for (const key of ['api_url', 'auth_url', 'legacy_url'])
      expect(await refusal({ broker: [`cloud.${key}: ${evil}`], ask: keep })).toMatchObject({ target: `cloud.${key}` });
    // Nothing gets out of a profile file that keeps what it says itself.
    expect(await refusal({ profile: [`cloud.api_url: ${evil}`], foreign: true, ask: keep })).toBeUndefined();
    expect(await refusal({ broker: [`cloud.api_url: ${evil}`], isMachines: true, ask: keep })).toBeUndefined();
    const broker = ['oauth.tls.cert: /c', 'oauth.tls.key: /k', 'cloud.client_secret: dummy'];
    const keys = broker.map((line) => line.replace(/:.*/, ''));
    for (const [isMachines, credentials] of [
      [false, keys],
      [true, []],
    ] as const) {
      const ask = async (all: Secrets) => expect((await all.refusals()).credentials).toEqual(credentials);
      await refusal({ broker, isMachines, ask });
    }
  });

  test('is nothing if the administrator says where a cloud identity goes', async () => {
    expect(await refusal({ broker: msk, ask: identity })).toMatchObject({ code: 'IDENTITY_REFUSED' });
    expect(await refusal({ broker: msk, isMachines: true, ask: identity })).toBeUndefined();
    const overridden: Sources = { profile: msk.slice(0, 1), foreign: true, broker: msk, isMachines: true };
    expect(await refusal({ ...overridden, ask: identity })).toMatchObject({ code: 'IDENTITY_REFUSED' });
  });

  test.each<[string, Sources]>([
    [
      'the brokers for a profile',
      { profile: ['user: alice', 'pass: s3cret'], broker: ['brokers: [evil.example]'], ask: kafka },
    ],
    ['a proxy', { profile: own, broker: ['globals.proxy: socks5h://evil.example:1'], ask: kafka }],
    ['no checks of certificates', { profile: own, broker: ['tls.insecure_skip_verify: true'], ask: kafka }],
    ['a CA', { profile: own, broker: [ca], ask: kafka }],
    ['the name in certificates', { profile: own, broker: ['tls.server_name: evil.example'], ask: kafka }],
    [
      'OAUTHBEARER, which sends a token to brokers that nobody wanted to have one',
      {
        profile: ['brokers: [b1.example]', 'oauth.token: t'],
        broker: ['sasl.mechanism: OAUTHBEARER'],
        ask: (all) => all.mayUseTokens('kafka'),
      },
    ],
    [
      'a registry of a profile, for the password of a file below it',
      {
        profile: ['registry.hosts: [evil.example]'],
        foreign: true,
        broker: ['brokers: [b1.example]', 'user: alice', 'pass: s3cret'],
      },
    ],
    [
      'brokers, for the login of a person that is kept',
      {
        env: { OAUTH_CLIENT_ID: 'c', OAUTH_ISSUER: 'https://i.example', OAUTH_GRANT: 'device_code' },
        profile: ['brokers: [evil.example]'],
        foreign: true,
        ask: (all) => all.mayUseTokens('kafka'),
      },
    ],
    ['PLAIN', { profile: own, broker: ['sasl.mechanism: PLAIN'], ask: kafka }],
    [
      'a proxy, for brokers of a variable',
      { env: { ...account, BROKERS: 'b1.example' }, broker: ['globals.proxy: socks5h://evil.example:1'], ask: kafka },
    ],
    [
      'a proxy, for brokers of a variable and a foreign profile',
      {
        env: { ...account, BROKERS: 'b1.example' },
        profile: ['globals.proxy: socks5h://evil.example:1'],
        foreign: true,
        ask: kafka,
      },
    ],
    [
      'a registry, for brokers of a variable',
      { env: { ...account, BROKERS: 'b1.example' }, profile: ['registry.hosts: [evil.example]'], foreign: true },
    ],
    [
      'a registry, for brokers of the own profile',
      { env: account, profile: ['brokers: [b1.example]'], broker: ['registry.hosts: [evil.example]'] },
    ],
    [
      'a registry, for credentials of flags',
      { x: ['user=u', 'pass=p', 'brokers=b1.example'], broker: ['registry.hosts: [evil.example]'] },
    ],
    [
      'a registry, for a password that is typed',
      {
        env: { USER: 'u' },
        profile: ['brokers: [b1.example]'],
        broker: ['registry.hosts: [evil.example]'],
        ask: (all) => all.mayGive('pass', 'registry'),
      },
    ],
    [
      'a registry, for tokens',
      {
        env: { ...client, OAUTH_ISSUER: 'https://i.example', BROKERS: 'b1.example' },
        profile: ['registry.hosts: [evil.example]'],
        foreign: true,
        ask: (all) => all.mayUseTokens('registry'),
      },
    ],
    [
      'the issuer for a profile',
      { profile: ['oauth.client_id: c', 'oauth.client_secret: s'], broker: [`oauth.token_url: ${evil}`], ask: issuer },
    ],
    [
      'a proxy to the issuer',
      {
        env: { ...client, OAUTH_ISSUER: 'https://i.example' },
        broker: ['globals.proxy: socks5h://evil.example:1'],
        ask: issuer,
      },
    ],
    [
      'the issuer for an assertion of a variable',
      {
        env: { OAUTH_ASSERTION_FILE: '/tmp/jwt' },
        profile: [`oauth.issuer: ${evil}`],
        foreign: true,
        ask: (all) => all.mayUse('oauth.assertion.file'),
      },
    ],
    [
      'the brokers, which announce where the Admin API is',
      {
        profile: ['admin.hosts: [a.example]', 'admin.user: boss', 'admin.pass: s3cret'],
        broker: ['brokers: [evil.example]'],
        ask: (all) => all.get('admin.pass', 'admin'),
      },
    ],
    [
      'a registry, for its own password in a variable',
      {
        env: { REGISTRY_PASS: 's' },
        profile: ['brokers: [b1.example]', 'registry.user: sr'],
        broker: ['registry.hosts: [evil.example]'],
        ask: (all) => all.get('registry.pass', 'registry'),
      },
    ],
    [
      'the issuer, for brokers of the own profile',
      { env: client, profile: ['brokers: [b1.example]'], broker: [`oauth.token_url: ${evil}`], ask: issuer },
    ],
    [
      'a proxy to the brokers that default ones announce',
      {
        profile: ['user: alice', 'pass: s3cret'],
        broker: ['globals.proxy: socks5h://evil.example:1'],
        ask: kafka,
      },
    ],
    [
      'no TLS, where the machine has it',
      {
        profile: ['tls.enabled: false'],
        foreign: true,
        broker: [...own, 'tls.enabled: true'],
        isMachines: true,
        ask: kafka,
      },
    ],
    [
      'brokers, where the machine has others, although the file repeats who signs in there',
      {
        env: { PASS: 's3cret' },
        profile: ['brokers: [evil.example]', 'user: alice'],
        foreign: true,
        broker: own.slice(0, 2),
        isMachines: true,
        ask: kafka,
      },
    ],
    [
      'a registry, for the token of a certificate, beside a secret of its own',
      {
        profile: ['oauth.issuer: https://i.example', 'oauth.client_id: c', 'oauth.tls.cert: /c', 'oauth.tls.key: /k'],
        broker: ['registry.hosts: [evil.example]', 'oauth.client_secret: dummy'],
        ask: (all) => all.mayUseTokens('registry'),
      },
    ],
    [
      'brokers, for the extensions of the profile beside a token of its own',
      {
        profile: ['oauth.extensions: code=s3cret'],
        broker: ['brokers: [evil.example]', 'oauth.token: dummy'],
        ask: (all) => all.mayUseTokens('kafka'),
      },
    ],
    [
      'an issuer, for the certificate of the profile',
      {
        profile: ['oauth.tls.cert: /c', 'oauth.tls.key: /k'],
        broker: [`oauth.token_url: ${evil}`],
        ask: (all) => all.mayUse('oauth.tls.cert'),
      },
    ],
    [
      'where a token of the control plane goes',
      {
        env: { CLOUD_CLIENT_SECRET: 's' },
        broker: [`cloud.api_url: ${evil}`],
        ask: (all) => all.get('cloud.client_secret', 'cloud'),
      },
    ],
  ])('is refused: %s', async (_, sources) => {
    expect(await refusal(sources)).toMatchObject({ exitCode: 2, code: 'SECRET_REFUSED' });
  });

  test.each<[string, Sources]>([
    ['everything in the broker file', { broker: [...own, ca, 'registry.hosts: [r.example]'] }],
    [
      'credentials in variables, addresses and TLS in one file',
      {
        env: account,
        broker: ['brokers: [b1.example]', 'registry.hosts: [r.example]', 'registry.tls.ca: /tmp/ca.pem'],
      },
    ],
    [
      'the same in a foreign profile',
      {
        env: account,
        profile: ['registry.hosts: [r.example]', 'registry.tls.insecure_skip_verify: true'],
        foreign: true,
      },
    ],
    [
      'the same with flags',
      {
        x: ['user=u', 'pass=p'],
        broker: ['brokers: [b1.example]', 'globals.proxy: socks5h://p.example:1'],
        ask: kafka,
      },
    ],
    [
      'a variable with addresses of the own profile',
      {
        env: account,
        profile: ['brokers: [b1.example]', 'registry.hosts: [r.example]', 'registry.tls.ca: /tmp/ca.pem'],
      },
    ],
    [
      'addresses that override those of the file',
      { x: ['registry.hosts=r.example'], profile: own, broker: ['registry.hosts: [evil.example]'] },
    ],
    [
      'the default addresses of this machine, where nobody announces others',
      { env: account, broker: ['registry.tls.insecure_skip_verify: true', 'globals.proxy: socks5h://evil.example:1'] },
    ],
    [
      'a mechanism that does not send the password',
      { profile: own, broker: ['sasl.mechanism: SCRAM-SHA-512'], ask: kafka },
    ],
    ['checks that are explicitly on', { profile: own, broker: ['tls.insecure_skip_verify: false'], ask: kafka }],
    [
      'a registry of the own profile, for the password of the file below it',
      { profile: ['registry.hosts: [r.example]'], broker: ['brokers: [b1.example]', 'user: alice', 'pass: s3cret'] },
    ],
    [
      'the Admin API of this machine, and brokers, for a password of a variable',
      { env: account, broker: ['brokers: [b1.example]'], ask: (all) => all.get('pass', 'admin') },
    ],
    [
      'a registry that has a secret of its own',
      { env: { ...account, REGISTRY_PASS: 'r' }, profile: own, broker: ['admin.hosts: [evil.example]'], ask: kafka },
    ],
    [
      'a registry, for a token beside extensions, which only brokers get',
      {
        profile: ['oauth.extensions: code=s3cret'],
        broker: ['registry.hosts: [r.example]', 'oauth.token: dummy'],
        ask: (all) => all.mayUseTokens('registry'),
      },
    ],
    ['TLS off, as it is without the file', { profile: own, broker: ['tls.enabled: false'], ask: kafka }],
    [
      'the brokers of the machine, which the file repeats',
      { profile: own.slice(0, 1), foreign: true, broker: own, isMachines: true, ask: kafka },
    ],
  ])('is used: %s', async (_, sources) => {
    expect(await refusal(sources)).toBeUndefined();
  });
});
