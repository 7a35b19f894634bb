import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, startOf } from '../../src/files/process-id.ts';
import { launch, stop } from '../../src/sandbox/process.ts';
import { temporaryDirectory } from '../world.ts';

const sleeper = { file: 'sleep', args: ['60'], env: process.env };

test('a launched process writes to its log and is stopped by its id', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'logs', 'out.log');
  const id = await launch({
    file: 'sh',
    args: ['-c', 'echo hello; exec sleep 60'],
    cwd: directory,
    env: process.env,
    log,
  });
  expect(await isRunning(id)).toBe(true);
  await expect.poll(() => readFile(log, 'utf8')).toBe('hello\n');
  await stop(id, { graceMs: 60_000 });
  expect(await isRunning(id)).toBe(false);
  await stop(id, { graceMs: 60_000 });
});

test('a process that ignores SIGTERM is killed', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'out.log');
  const script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
  const id = await launch({ file: 'sh', args: ['-c', script], cwd: directory, env: process.env, log });
  await expect.poll(() => readFile(log, 'utf8')).toBe('ready\n');
  await stop(id, { graceMs: 100 });
  expect(await isRunning(id)).toBe(false);
});

test('a process with the same pid but another start time is neither considered running nor stopped', async () => {
  const foreign = spawn(sleeper.file, sleeper.args);
  await once(foreign, 'spawn');
  const pid = foreign.pid ?? 0;
  const id = { pid, startedAt: 'another time' };
  expect(await isRunning(id)).toBe(false);
  await stop(id, { graceMs: 0 });
  expect(await startOf(pid)).toBeDefined();
  foreign.kill('SIGKILL');
  await once(foreign, 'exit');
  expect(await startOf(pid)).toBeUndefined();
});

test('a program that does not exist cannot be launched', async () => {
  const directory = temporaryDirectory();
  const missing = { ...sleeper, file: join(directory, 'missing'), cwd: directory, log: join(directory, 'log') };
  await expect(launch(missing)).rejects.toThrow('unable to start');
});

test('the log of a process is private and kept from one start to the next', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'logs', 'out.log');
  const start = (word: string) =>
    launch({ file: 'sh', args: ['-c', `echo ${word} $OWN; exec sleep 60`], cwd: directory, env: { OWN: 'x' }, log });
  for (const word of ['one', 'two']) {
    const id = await start(word);
    await expect.poll(() => readFile(log, 'utf8')).toContain(`${word} x\n`);
    await stop(id, { graceMs: 0 });
  }
  expect(await readFile(log, 'utf8')).toBe('one x\ntwo x\n');
  const modes = [log, join(directory, 'logs')].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700]);
});

test.each([
  [60_000, 'ready\nstopping\n'],
  [0, 'ready\n'],
])('with %i ms to stop, a process writes %j', async (graceMs, text) => {
  const directory = temporaryDirectory();
  const log = join(directory, 'out.log');
  const script = "trap 'echo stopping; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
  const id = await launch({ file: 'sh', args: ['-c', script], cwd: directory, env: process.env, log });
  await expect.poll(() => readFile(log, 'utf8')).toBe('ready\n');
  await stop(id, { graceMs });
  expect([await readFile(log, 'utf8'), await isRunning(id)]).toEqual([text, false]);
});

test('a launched process has a session of its own, which Ctrl-C in the terminal does not reach', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'out.log');
  const id = await launch({ ...sleeper, cwd: directory, log });
  const stat = await readFile(`/proc/${id.pid}/stat`, 'utf8');
  const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  await stop(id, { graceMs: 0 });
  expect([Number(group), Number(session)]).toEqual([id.pid, id.pid]);
});
