import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, launch, startInPs, startInStat, startOf, stop } from '../../src/sandbox/process.ts';
import { temporaryDirectory } from '../world.ts';

const sleeper = { file: 'sleep', args: ['60'], env: process.env };

/** A line of /proc/PID/stat with these fields. */
function statLine(name: string, state: string, threads: number, ticks: number): string {
  const middle = Array.from({ length: 16 }, () => '0').join(' ');
  return `42 (${name}) ${state} ${middle} ${threads} 0 ${ticks} 0 0\n`;
}

test.each([
  ['a running process', statLine('java', 'S', 9, 777), '777@boot'],
  ['a name with spaces and parentheses', statLine('a) b (c', 'R', 1, 777), '777@boot'],
  ['a zombie', statLine('java', 'Z', 1, 777), undefined],
  ['a zombie whose threads still end', statLine('java', 'Z', 3, 777), '777@boot'],
])('the start in the stat line of %s', (_, line, start) => {
  expect(startInStat(line, 'boot')).toBe(start);
});

test.each([
  ['Ss   Sat Nov 21 10:16:00 2026    \n', 'Sat Nov 21 10:16:00 2026'],
  ['Z    Sat Nov 21 10:16:00 2026\n', undefined],
  ['', undefined],
])('the start in what ps prints, %j, is %s', (text, start) => {
  expect(startInPs(text)).toBe(start);
});

test('a launched process writes to its log and is stopped by its own id', async () => {
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
  await stop(id, { graceMs: 5000 });
  expect(await isRunning(id)).toBe(false);
  await stop(id, { graceMs: 5000 });
});

test('a process that ignores the request to end is killed', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'out.log');
  const script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
  const id = await launch({ file: 'sh', args: ['-c', script], cwd: directory, env: process.env, log });
  await expect.poll(() => readFile(log, 'utf8')).toBe('ready\n');
  await stop(id, { graceMs: 100 });
  expect(await isRunning(id)).toBe(false);
});

test('a process with the same pid but another start is neither running nor stopped', async () => {
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
