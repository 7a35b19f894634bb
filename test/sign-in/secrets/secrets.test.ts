import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../../src/clock.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { type Deadline, startDeadline } from '../../../src/deadline.ts';
import { CliError } from '../../../src/errors.ts';
import { type Host, realHost } from '../../../src/host/host.ts';
import { openSecrets, type Secrets } from '../../../src/sign-in/secrets/secrets.ts';
import { emptyDirectory, hostOf, profileFile, writeWhole } from '../../config/sources/sources.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';

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
    const all = await Promise.all([secrets.get('pass'), secrets.get('pass'), secrets.get('pass')]);
    expect([...all, await secrets.get('pass')]).toEqual(Array(4).fill(' s3cret with  spaces '));
    expect(runsOf(path)).toBe(1);
    await Promise.all([secrets.renew('pass'), secrets.get('pass')]);
    expect(runsOf(path)).toBe(2);
  });

  test.each([
    ['echo a | cat', ['no shell runs pass.command (-X pass.command), so "|" is an argument: ']],
    ['sh -c "echo $((1 + 1)) | cat"', []],
  ])('that needs a shell gets a warning: %s', async (command, warnings) => {
    const secrets = await secretsOf({ x: [`pass.command=${command}`] });
    await secrets.get('pass');
    expect(secrets.warnings).toEqual(warnings.map((line) => expect.stringContaining(line)));
  });

  test('gets its words as a shell would split them, without a shell, and without the secrets of weir', async () => {
    const home = emptyDirectory();
    writeFileSync(join(home, 'args'), '#!/bin/sh\nprintf "[%s]" "$@"; echo "$WEIR_PASS"\n', { mode: 0o700 });
    const text = `~/args 'a b' "c \\"d\\"" e\\ f '' $HOME | "x"y C:\\dir`;
    const { get } = await secretsOf({ home, x: [`pass.command=${text}`] });
    expect(await get('pass')).toBe('[a b][c "d"][e f][][$HOME][|][xy][C:\\dir]');
  });

  test.each<[string, RegExp, number]>([
    ['sh -c "exit 0"', /it printed nothing$/, 4],
    ['printf "\\n"', /its output is not a secret: it is empty$/, 4],
    ['printf "canary\\ncanary\\n"', /its output is not a secret: it has more than one line$/, 4],
    ['printf "canary\\377\\n"', /its output is not a secret: it is not UTF-8 text$/, 4],
    ['sh -c "echo canary; echo first >&2; echo no key >&2; exit 3"', /it failed with exit code 3: no key$/, 4],
    ['cat ~/no-such-file', /it failed with exit code 1: .*No such file/, 4],
    ["sh -c 'echo canary; kill -9 $$'", /it failed with exit code 137$/, 4],
    ['head -c 100000 /dev/zero', /it printed more than 64 KiB$/, 4],
    ['no-such-program-of-weir', /there is no program "no-such-program-of-weir"$/, 2],
    ['/etc/passwd', /\/etc\/passwd is not a program that can be run$/, 2],
    ['./helper', /the path of the program is relative$/, 2],
  ])('%s fails without its output in the error', async (text, message, exitCode) => {
    const { get } = await secretsOf({ x: [`pass.command=${text}`] });
    const error = await failure(get('pass'));
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^unable to get pass from the command ["']/);
    expect(error).toMatchObject({ exitCode, target: 'pass' });
    const all = [error.message, ...error.hints, String((error.cause as Error | undefined)?.stack)].join('\n');
    expect(all.replace(text, '')).not.toContain('canary\n');
    expect(error.hints.join()).not.toContain('canary');
  });

  test('with what only a shell understands says so', async () => {
    const { get } = await secretsOf({ x: ['pass.command=grep -h nothing /dev/null | head -1'] });
    expect((await failure(get('pass'))).hints[0]).toBe(
      "no shell runs it, so ~, * and $NAME are not expanded: for pipes and variables, write sh -c '…'",
    );
  });

  test('that never ends is stopped after its limit, although its output stays open', async () => {
    const clock = createVirtualClock(1);
    const deadline = startDeadline(times, undefined, undefined, clock);
    const home = emptyDirectory();
    const path = program(home, 'sleep 1000 &\necho $! > "$0.pid"\nexec sleep 1000');
    const { get } = await secretsOf({ home, x: [`pass.command=${path}`], deadline });
    const failed = failure(get('pass'));
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
    const failed = failure(get('pass'));
    await expect.poll(() => runsOf(path), { timeout: 30_000 }).toBe(1);
    deadline.abort(new CliError(130, 'interrupted'));
    expect(await failed).toMatchObject({ exitCode: 130 });
  });

  test('is not run for completion', async () => {
    const home = emptyDirectory();
    const path = program(home, 'echo s3cret');
    const { get } = await secretsOf({ home, x: [`pass.command=${path}`], mayRun: false });
    expect((await failure(get('pass'))).message).toMatch(/programs are not run here$/);
    expect(runsOf(path)).toBe(0);
  });
});

describe('a file', () => {
  test('is read for each sign-in, relative to the home directory too', async () => {
    const home = emptyDirectory();
    const path = join(home, 'token');
    writeFileSync(path, 'one\n', { mode: 0o600 });
    const { get, warnings } = await secretsOf({ home, profile: ['pass:', '  file: ~/token'] });
    expect(await get('pass')).toBe('one');
    // With the byte order mark of editors on Windows.
    writeFileSync(path, '\ufefftwo');
    expect(await get('pass')).toBe('two');
    expect(warnings).toEqual([]);
    chmodSync(path, 0o644);
    await get('pass');
    expect(warnings).toEqual([`other users can read ${path}, which has pass: run chmod 600 '${path}'`]);
  });

  test.each<[string, string | undefined, number, RegExp]>([
    ['that is missing', undefined, 2, /^unable to read .*token \(pass\.file\): no such file$/],
    ['that is empty', '\n', 4, /: it is empty$/],
    ['with two lines', 'canary\ncanary\n', 4, /: it has more than one line$/],
    ['that is too large', 'canary'.repeat(20_000), 4, /: larger than 64 KiB$/],
  ])('%s is an error without its text', async (_, text, exitCode, message) => {
    const home = emptyDirectory();
    if (text !== undefined) writeFileSync(join(home, 'token'), text, { mode: 0o600 });
    const { get } = await secretsOf({ home, x: ['pass.file=~/token'] });
    const error = await failure(get('pass'));
    expect(error).toMatchObject({ exitCode, message: expect.stringMatching(message) });
    expect(error.message).not.toContain('canary');
  });

  test('that is a pipe is read once for all that ask', async () => {
    const home = emptyDirectory();
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const { get } = await secretsOf({ home, x: ['pass.file=~/pipe'] });
    const all = [get('pass'), get('pass')];
    const writer = spawn('sh', ['-c', `echo s3cret > '${join(home, 'pipe')}'`]);
    expect([...(await Promise.all(all)), await get('pass')]).toEqual(['s3cret', 's3cret', 's3cret']);
    writer.kill();
  });

  test('that is a directory is an error', async () => {
    const { get } = await secretsOf({ x: ['pass.file=/tmp'] });
    expect((await failure(get('pass'))).message).toMatch(/: it is a directory$/);
  });
});

describe('a program is started', () => {
  /** What a user gets, whose files the directory has; root gives them to somebody else first. */
  async function tried(
    change: (path: string) => unknown,
    { name, userOffset = 0 }: { readonly name?: string; readonly userOffset?: number } = {},
  ): Promise<string | CliError> {
    const own = process.getuid?.() ?? 0;
    const uid = own === 0 ? 54_321 : own;
    const home = emptyDirectory();
    const path = join(home, name ?? '.config/weir/weir.yaml');
    const runtime = { name: '', arch: '', uid: uid + userOffset };
    const configFile = name === undefined ? {} : { configFile: path };
    const secrets = await secretsOf({ home, profile: ['pass.command: echo s3cret'], ...configFile, host: { runtime } });
    const chownIfThere = (one: string) => existsSync(one) && chownSync(one, uid, uid);
    if (own === 0) for (const one of [home, join(home, '.config'), dirname(path), path]) chownIfThere(one);
    change(path);
    return await secrets.get('pass').catch((error: unknown) => error as CliError);
  }

  test.each([
    ['of the user', () => undefined],
    ['that others can read', (path: string) => chmodSync(path, 0o644)],
    ['in a working copy', (path: string) => mkdirSync(join(dirname(path), '.git'))],
  ])('from a profile file %s, also a named one', async (_, change) => {
    expect(await tried(change)).toBe('s3cret');
    expect(await tried(change, { name: 'repo/weir.yaml' })).toBe('s3cret');
  });

  test('not from one that others can write', async () => {
    const error = await tried((path) => chmodSync(path, 0o666));
    expect(error).toMatchObject({
      exitCode: 6,
      code: 'PROFILE_OPEN',
      hints: [expect.stringMatching(/^close it: chmod go-w/)],
    });
    expect((error as CliError).message).toMatch(
      /^unable to use .*weir\.yaml: other users can change the profile file, which chooses pass\.command$/,
    );
  });

  test('not from one in a directory where others can write', async () => {
    const open = (path: string) => chmodSync(dirname(path), 0o777);
    expect(await tried(open)).toMatchObject({ exitCode: 6, code: 'PROFILE_OPEN' });
  });

  test('not from one of someone else', async () => {
    const result = await tried(() => undefined, { userOffset: 1 });
    expect(result).toMatchObject({ exitCode: 6, code: 'PROFILE_FOREIGN' });
  });
});

test('a file that others can write names the file of a secret: only programs are not taken from it', async () => {
  const home = emptyDirectory();
  const configFile = join(home, 'repo.yaml');
  writeFileSync(join(home, 'token'), 's3cret', { mode: 0o600 });
  const { get } = await secretsOf({ home, profile: ['pass.file: ~/token'], configFile });
  chmodSync(configFile, 0o666);
  expect(await get('pass')).toBe('s3cret');
});
