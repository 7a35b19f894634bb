import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lockFile } from '../../src/files/lock.ts';
import { temporaryDirectory } from '../world.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const newPath = () => join(temporaryDirectory(), 'a.lock');

test('a lock is a private file that names its owner', async () => {
  const path = newPath();
  const lock = await lockFile(path, undefined, { command: 'weir x' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    ...{ pid: process.pid, host: hostname(), command: 'weir x', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  await lock.release();
  await lock.release();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('a lock has its owner from the moment it exists, so that nobody meets a lock of a killed process without one', async () => {
  const path = newPath();
  const probe = await open(join(dirname(path), 'probe'), 'w');
  const whenWritten = vi.spyOn(Object.getPrototypeOf(probe), 'writeFile').mockImplementationOnce(async function (
    this: FileHandle,
    ...written: unknown[]
  ) {
    expect(existsSync(path)).toBe(false);
    await this.write(String(written[0]));
  });
  await probe.close();
  const lock = await lockFile(path);
  expect(whenWritten).toHaveBeenCalledOnce();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await lock.release();
  expect(readdirSync(dirname(path))).toEqual(['probe']);
});

const since = '2026-01-02T03:04:05Z';

test.each<[Readonly<Record<string, unknown>> | string, string]>([
  ['', 'another weir'],
  ['not JSON', 'another weir'],
  ['null', 'another weir'],
  [{ pid: 7 }, 'another weir'],
  [{ pid: 7, since }, `process 7 (weir, since ${since})`],
  [{ pid: 7, since, command: 'weir x' }, `process 7 (weir x, since ${since})`],
  [{ pid: 7, since, host: hostname() }, `process 7 (weir, since ${since})`],
  [{ pid: 7, since, host: 'far' }, `process 7 on far (weir, since ${since})`],
  [{ pid: 0, since }, `a process (weir, since ${since})`],
  [{ pid: 1.5, since }, `a process (weir, since ${since})`],
  [{ pid: '7', since, command: 8 }, `a process (weir, since ${since})`],
  [{ pid: 7, since, command: 'x'.repeat(200) }, `process 7 (${'x'.repeat(100)}, since ${since})`],
])('the owner in %j is described as %s', async (written, holder) => {
  const path = newPath();
  writeFileSync(path, typeof written === 'string' ? written : JSON.stringify(written));
  await expect(lockFile(path, undefined, { patienceMs: 0 })).rejects.toMatchObject({
    ...{ exitCode: 6, code: 'LOCK_HELD', target: path, retryable: true },
    message: `unable to lock ${path}: held by ${holder}`,
    hints: ['repeat the command, or remove the file if no other weir is running'],
  });
  // The probe for the clock of the file system is gone, too.
  expect(readdirSync(dirname(path))).toEqual(['a.lock']);
});

test('a lock that is released is taken soon, and the end of the wait is reported', async () => {
  const path = newPath();
  const first = await lockFile(path);
  const events: string[] = [];
  let releasedAt = 0;
  const release = async (): Promise<void> => {
    await first.release();
    releasedAt = performance.now();
  };
  const second = lockFile(path, undefined, {
    onWait: () => {
      events.push('waits');
      setTimeout(() => void release(), 30);
      return () => events.push('over');
    },
  });
  const lock = await second;
  expect(events).toEqual(['waits', 'over']);
  // Measured in tenths of a second; a busy machine may take seconds.
  expect(performance.now() - releasedAt).toBeLessThan(20_000);
  await lock.release();
});

test('nothing is locked under a signal that has been aborted', async () => {
  const path = newPath();
  await expect(lockFile(path, AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
  expect(existsSync(path)).toBe(false);
});

test('a lock in a directory that does not exist is an error at once', async () => {
  const path = join(temporaryDirectory(), 'none', 'a.lock');
  await expect(lockFile(path)).rejects.toMatchObject({
    ...{
      exitCode: 1,
      message: `unable to write ${path}: the directory ${dirname(path)} does not exist`,
      cause: { code: 'ENOENT' },
    },
  });
});

test('a lock is touched every second until it is released', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const path = newPath();
  const lock = await lockFile(path);
  expect(vi.getTimerCount()).toBe(1);
  const { mtimeMs: before } = statSync(path);
  vi.advanceTimersByTime(999);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(statSync(path).mtimeMs).toBe(before);
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => expect(statSync(path).mtimeMs).toBeGreaterThan(before), 60_000);
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
  expect(vi.getTimerCount()).toBe(0);
});

test('a lock of nobody who can be looked up is waited for as long as patience lasts, with pauses', async () => {
  const path = newPath();
  writeFileSync(path, '{}');
  const { signal } = new AbortController();
  const looks = vi.spyOn(signal, 'throwIfAborted');
  const startedAt = performance.now();
  await expect(lockFile(path, signal, { patienceMs: 200 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
  expect(looks.mock.calls.length).toBeLessThan(50);
});
