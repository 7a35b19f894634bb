import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { command, entry } from '../../src/cli/command.ts';
import { lockFile } from '../../src/files/lock.ts';
import type { Signal } from '../../src/host/host.ts';
import { row, truth } from '../../src/shape/shape.ts';
import { writeWhole } from '../config/sources/sources.ts';
import { endGraceNever } from '../grace.ts';
import { holdLimit } from '../held-limit.ts';
import { run, temporaryDirectory, type World } from '../world.ts';

/** A home whose profile file another command has locked. */
async function lockedHome(profiles = 'version: 1\n'): Promise<{ home: string; release(): Promise<void> }> {
  const home = temporaryDirectory();
  const file = join(home, '.config/weir/weir.yaml');
  writeWhole(file, profiles);
  const lock = await lockFile(`${file}.lock`, undefined, { command: 'weir profile edit' });
  return { home, release: lock.release };
}

// Loading on the first run must not use up the time.
beforeAll(async () => {
  expect(await run('profile create x')).toMatchObject({ exitCode: 0 });
});

const limited = 'current_profile: p\nprofiles:\n  - name: p\n    options:\n      globals.command_timeout: 10h\n';

test.each<[string, string, World, string, string]>([
  ['by a flag', '-X globals.command_timeout=10h', {}, '', '-X globals.command_timeout'],
  ['by a variable', '', { env: { WEIR_GLOBALS_COMMAND_TIMEOUT: '10h' } }, '', 'WEIR_GLOBALS_COMMAND_TIMEOUT'],
  ['in the profile', '', {}, limited, '\\S+weir.yaml:5 \\(profile p\\)'],
])('a command about profiles waits for a lock as long as set %s, then names the holder', async (...row) => {
  const [, flags, world, profiles, origin] = row;
  const { home, release } = await lockedHome(profiles || undefined);
  const limit = holdLimit();
  let expiring: NodeJS.Timeout | undefined;
  // Again and again: the limit of a profile applies only when its file has been read.
  const onStderr = (text: string) => {
    if (text.includes('waiting for a lock')) expiring ??= setInterval(limit.expire, 10);
  };
  const { stderr, exitCode } = await run(`profile create x -v ${flags}`, { ...world, home, onStderr });
  clearInterval(expiring);
  expect(stderr).toMatch(
    new RegExp(
      `the command timed out \\(globals.command_timeout=10h from ${origin}\\) while waiting for a lock held by ` +
        `process ${process.pid} \\(weir profile edit, since .*Z\\)`,
    ),
  );
  expect(exitCode).toBe(5);
  await release();
});

test('Ctrl-C ends the wait for a lock at once', async () => {
  const { home, release } = await lockedHome();
  let kill: (signal: Signal) => void = () => {};
  const onStart = (send: typeof kill) => {
    kill = send;
  };
  const onStderr = (text: string) => void (text.includes('waiting for a lock') && kill('SIGINT'));
  endGraceNever();
  const { exitCode } = await run('profile create x -v', { home, onStart, onStderr });
  expect(exitCode).toBe(130);
  await release();
});

function waiting(wait: () => Promise<unknown>) {
  const wanted = command({
    summary: 'Wait',
    examples: [
      ['One', 'wait'],
      ['Two', 'wait -v'],
    ],
    changes: 'reads',
    result: row({ done: truth }),
    async run() {
      await wait();
      return { done: true };
    },
    show: { text: () => 'done\n' },
  });
  return [entry('wait', 'Wait', async () => wanted)];
}

test('a command that reads no configuration has the limit, too', async () => {
  const commands = waiting(() => new Promise(() => {}));
  const { stderr, exitCode } = await run('wait -X globals.command_timeout=20ms', { commands });
  expect([exitCode, stderr]).toEqual([
    5,
    expect.stringContaining('timed out (globals.command_timeout=20ms from -X globals.command_timeout)'),
  ]);
});

test.each([
  ['profile delete p', '[y/N]'],
  ['profile set pass', 'pass of profile'],
])('a limit that was set ends the question of "%s"', async (line, question) => {
  const home = temporaryDirectory();
  writeWhole(join(home, '.config/weir/weir.yaml'), 'current_profile: p\nprofiles:\n  - name: p\n');
  const limit = holdLimit();
  const stdin = new Readable({ read() {} });
  const onStderr = (text: string) => {
    if (text.includes(question)) setTimeout(limit.expire);
  };
  const terminal = { stdin: true, stdout: true, stderr: true };
  const outcome = await run(`${line} ${limit.option}`, { home, stdin, onStderr, terminal });
  expect(outcome).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('from -X globals.command_timeout)') });
});

const endless = () => new Readable({ read() {} });

test.each([
  ['cloud login -X cloud.client_id=x --client-secret-stdin'],
  ['cloud login -X cloud.client_id=x --client-secret-file pipe'],
  ['profile set pass --file pipe'],
  ['topic list -X brokers=b -X tls.ca=pipe'],
  ['cloud network create --file -'],
  ['transform deploy --file pipe --name a --input-topic b --output-topic c'],
])('N2: the limit of "%s" applies to input that does not end', async (line) => {
  const home = temporaryDirectory();
  execFileSync('mkfifo', [join(home, 'pipe')]);
  writeWhole(join(home, '.config/weir/weir.yaml'), 'current_profile: p\nprofiles:\n  - name: p\n');
  const world = { home, cwd: home, stdin: endless() };
  const { stderr, exitCode } = await run(`${line} -X globals.command_timeout=500ms`, world);
  const input = line.includes('pipe') ? join(home, 'pipe') : 'standard input';
  const message = `timed out (globals.command_timeout=500ms from -X globals.command_timeout) while waiting for ${input}`;
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining(message)]);
  // Nothing waits for a writer any more.
  if (line.includes('pipe')) closeSync(openSync(join(home, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK));
});

test('SIGTERM ends the wait for input that does not end at once', async () => {
  let kill: (signal: Signal) => void = () => {};
  const onStart = (send: typeof kill) => {
    kill = send;
  };
  const stdin = new Readable({ read: () => kill('SIGTERM') });
  endGraceNever();
  const { exitCode } = await run('cloud login -X cloud.client_id=x --client-secret-stdin', { stdin, onStart });
  expect(exitCode).toBe(143);
});

test.each(['profile list', 'completion bash', 'sandbox list', 'version', 'help exit-codes', 'config show'])(
  'an unknown -X key is an error of "%s"',
  async (line) => {
    const { stderr, exitCode } = await run(`${line} -X brokres=b:1`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('unknown option "brokres" in -X')]);
    expect(stderr).toContain('did you mean brokers?');
  },
);

test('a wrong -X is reported together with what else is wrong', async () => {
  const home = temporaryDirectory();
  writeFileSync(join(home, 'w.yaml'), 'current_profile: none\n');
  const { stderr } = await run(['profile', 'list', '-X', 'brokres=b:1', '--config', 'w.yaml'], { home, cwd: home });
  expect(stderr).toContain('unknown option "brokres" in -X');
  expect(stderr).toContain('current_profile none: no such profile');
});
