import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { run, temporaryDirectory, type World } from '../../world.ts';

let home = '';
const weir = (line: string | readonly string[], world: World = {}) =>
  run(line, { home, env: { NO_COLOR: '1' }, ...world });
const file = () => readFileSync(join(home, '.config/weir/weir.yaml'), 'utf8');

beforeEach(async () => {
  home = temporaryDirectory();
  await weir('profile create prod');
});

/** A terminal: what is typed, and whether each key is echoed. */
function terminal(typed: readonly string[]) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const world: World = {
    stdin,
    terminal: { stdin: true, stderr: true, stdout: true },
    onStderr(text) {
      if (!text.endsWith(': ')) return;
      // Otherwise the terminal would echo what is typed as soon as the question appears.
      expect(modes).toEqual([true]);
      for (const keys of typed) stdin.write(keys);
    },
  };
  return { modes, world };
}

describe('a password', () => {
  test('on the command line gets a warning', async () => {
    const warning =
      'warning: other users of this machine can see pass: give the key alone, and weir prompts for the value\n';
    for (const words of ['set pass=abc', 'set pass abc', 'set kafka_api.sasl.password=abc', 'create two -s pass=abc'])
      expect(await weir(`profile ${words}`)).toMatchObject({ stderr: warning, exitCode: 0 });
    expect((await weir('profile set user=ana')).stderr).toBe('');
  });

  test('is asked for by its key alone, and not shown', async () => {
    const { modes, world } = terminal(['hunx', '\u007f', 'ter2é\r']);
    const outcome = await weir('profile set pass', world);
    expect(outcome).toEqual({
      stdout: 'Profile "prod" updated successfully.\n',
      stderr: 'pass of profile "prod": \n',
      exitCode: 0,
    });
    expect(modes).toEqual([true, false]);
    expect(file()).toContain('pass: hunter2é\n');
  });

  test('is asked for among other settings', async () => {
    await weir('profile set user=alice pass tls.enabled=true', terminal(['s3cret\n']).world);
    expect(file()).toMatch(/user: alice\n +pass: s3cret\n +tls.enabled: true/);
  });

  test.each([
    'profile set pass.command pass show x',
    'profile set pass.command=pass show x',
    'profile set pass.command=x pass',
  ])('is not asked for, and not stored, if a command is not quoted: %s', async (line) => {
    const { stderr, exitCode } = await weir(line);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("hint: quote a command: weir profile set 'pass.command=PROGRAM ARGUMENT…'");
  });

  test('of a new profile without a terminal is for profile set', async () => {
    const { stderr } = await weir('profile create two --set pass');
    expect(stderr).toContain(
      'hint: leave it out, and then: weir profile set --profile two pass --stdin (or --file FILE, --keychain)',
    );
  });

  test('Ctrl-C at the prompt ends the command by the signal, and the terminal echoes keys again', async () => {
    const { modes, world } = terminal(['abc', '\u0003']);
    const before = file();
    const outcome = await weir('profile set pass', world);
    const stderr = 'pass of profile "prod": \nweir: canceled: nothing was changed\n';
    expect(outcome).toEqual({ exitCode: 130, stdout: '', stderr });
    expect(modes).toEqual([true, false]);
    expect(file()).toBe(before);
  });

  test('is empty, or the end of input: nothing is changed', async () => {
    for (const keys of ['\r', '\u0004']) {
      const outcome = await weir('profile set pass', terminal([keys]).world);
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is missing: nothing was typed') });
    }
  });

  test('comes from standard input or a file, without the line end after it', async () => {
    await weir('profile set pass --stdin', { stdin: 'from stdin \r\n' });
    expect(file()).toContain('pass: "from stdin "\n');
    writeFileSync(join(home, 'secret.txt'), 'from-file\n');
    await weir('profile set pass --file secret.txt', { cwd: home });
    expect(file()).toContain('pass: from-file\n');
  });

  test.each([
    ['profile set pass', '', 'the pass of profile "prod" is missing, and there is no terminal'],
    ['profile set pass --stdin', 'two\nlines\n', 'it has more than one line'],
    ['profile set pass --stdin', 'two\0parts\n', 'it has more than one line'],
    ['profile set pass --stdin --file x', '', '--stdin and --file are mutually exclusive'],
    ['profile set pass --file nowhere', '', 'unable to read the file given with --file'],
    ['profile set user=a pass=b --stdin', '', '--stdin and --file need exactly one KEY'],
  ])('%s with %j on standard input is a usage error', async (line, stdin, message) => {
    const outcome = await weir(line, { stdin });
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(message);
  });

  test.each(['user', 'brokers', 'tls.key'])('is the only kind of option that is asked for, unlike %s', async (key) => {
    const { modes, world } = terminal(['typed\r']);
    const before = file();
    const outcome = await weir(`profile set ${key}`, world);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('missing value of');
    expect({ modes, file: file() }).toEqual({ modes: [], file: before });
  });

  test('is asked for by profile create, too', async () => {
    await weir('profile create other --set user=u --set pass', terminal(['asked\n']).world);
    expect(file()).toContain('pass: asked\n');
  });
});

describe('a slip', () => {
  test.each([
    'profile set user pass=s3cret',
    'profile set user password=s3cret',
    'profile set user=alice,pass=s3cret',
    'profile set "user=alice pass=s3cret"',
    'profile set sasl.mechanism=PLAIN,pass=s3cret',
    'profile create new --set user=alice,pass=s3cret',
    'topic list -X user pass=s3cret',
    'topic list -X user=alice,pass=s3cret',
    'topic list -X "user alice pass=s3cret"',
    'topic list -X user:pass:s3cret=',
    'topic list -X "brokers=b pass=s3cret"',
    'topic list -X tls.enabled=pass=s3cret',
    'topic list -X cloud.api_url=https://u:s3cret@b.example',
    'pass=s3cret',
    'profile pass=s3cret',
    'config show pass=s3cret',
  ])('%s is an error that does not repeat the secret', async (line) => {
    const before = file();
    for (const more of ['', ' --format json', ' -vv']) {
      const { stdout, stderr, exitCode } = await weir(line + more);
      expect(exitCode).toBe(2);
      expect(stdout + stderr).not.toContain('s3cret');
    }
    expect(file()).toBe(before);
  });

  test('two settings in the place of one are recognized', async () => {
    const { stderr } = await weir('profile set user pass=s3cret');
    expect(stderr).toContain('hint: did you mean two settings?');
    expect((await weir('profile set user pass')).stderr).toContain('did you mean two settings?');
  });

  test('a value that contains "=" is a single setting', async () => {
    expect((await weir(['profile', 'set', 'pass', 'a=b c'])).exitCode).toBe(0);
    expect(file()).toContain('pass: a=b c\n');
    expect((await weir(['profile', 'set', 'pass=user=x,pass=y'])).exitCode).toBe(0);
  });
});

test('an invalid value is shown, with the invalid part', async () => {
  const message = async (line: string) => (await weir(line)).stderr.split('\n')[0];
  expect(await message('topic list -X brokers=a:1,b:99999')).toBe(
    'weir: invalid port "99999" in -X brokers: a port must be a number from 1 to 65535',
  );
  expect(await message('profile set globals.dial_timeout=soon')).toMatch(
    /^weir: invalid duration "soon" for globals\.dial_timeout in the arguments: /,
  );
  expect(await message(`topic list -X tls.enabled=${'x'.repeat(300)}`)).toMatch(/"x{79}…" in -X tls\.enabled/);
});
