import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { judge, lockFile } from '../../src/files/lock.ts';
import { hidden, type OwnProcess, ownProcess } from '../../src/files/process-id.ts';
import { temporaryDirectory } from '../world.ts';

afterEach(() => {
  vi.useRealTimers();
  process.seteuid?.(process.getuid?.() ?? 0);
});

/** The lock of some owner, touched so many seconds ago. */
function foreignLock(secondsAgo: number, owner: Readonly<Record<string, unknown>> = {}): string {
  const path = join(temporaryDirectory(), 'a.lock');
  const written = {
    id: 'x',
    space: 'another boot',
    pid: 1,
    startedAt: '1',
    host: '',
    command: '',
    since: '',
    ...owner,
  };
  writeFileSync(path, JSON.stringify(written), { mode: 0o600 });
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
  return path;
}

async function self(): Promise<OwnProcess> {
  const own = await ownProcess();
  if (own === undefined) throw new Error('this machine has no /proc');
  return own;
}

/** Takes on the rights of a user that owns nothing, with the directory of `path` open to it. */
function becomeNobody(path: string, directoryMode: number): void {
  chmodSync(join(path, '..'), directoryMode);
  if (process.getuid?.() === 0) process.seteuid?.(65_534);
  else chmodSync(path, 0);
}

test('a lock is gone when it is released', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  expect([await lock.isOurs(), existsSync(path)]).toEqual([true, true]);
  await lock.release();
  expect(existsSync(path)).toBe(false);
});

test('a holder that cannot be looked up is waited for while it touches its lock, and reported once', async () => {
  const waits: string[] = [];
  const onWait = (holder: string) => {
    waits.push(holder);
    return () => waits.push('over');
  };
  const waiting = lockFile(foreignLock(0), undefined, { patienceMs: 100, onWait });
  await expect(waiting).rejects.toMatchObject({ exitCode: 6, code: 'LOCK_HELD', retryable: true });
  expect(waits).toEqual(['another weir', 'over']);
});

test('a holder that cannot be looked up and does not touch its lock any more loses it', async () => {
  const lock = await lockFile(foreignLock(60));
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
});

test('a holder on a machine with the same host name is not looked up here', async () => {
  const { pid, startedAt, space } = await self();
  const [, namespace] = space.split(' ');
  const twin = foreignLock(0, { host: hostname(), space: `another-boot ${namespace}`, pid: pid + 1, startedAt });
  await expect(lockFile(twin, undefined, { patienceMs: 50 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
});

test.each([
  ['its process has ended', 99_999_999, 'any'],
  ['another process has its pid', 1, '1@another-boot'],
])('a lock is taken at once when %s', async (_, pid, startedAt) => {
  const { space } = await self();
  const lock = await lockFile(foreignLock(0, { space, pid, startedAt }), undefined, { patienceMs: 0 });
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
});

test('a holder that runs keeps its lock, however long ago it touched it', async () => {
  const path = foreignLock(3600, { ...(await self()) });
  await expect(lockFile(path, undefined, { patienceMs: 50 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
});

test.each([
  ['runs', '5@boot', 'alive'],
  ['has ended', undefined, 'gone'],
  ['gave its pid to another', '6@boot', 'gone'],
  ['is hidden from this user', hidden, 'unknown'],
])('a holder that %s', (_, now, verdict) => {
  expect(judge('5@boot', now)).toBe(verdict);
});

test('the error names the process, its command and since when', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path, undefined, { command: 'weir profile create' });
  const second = lockFile(path, undefined, { patienceMs: 0 });
  const since = String.raw`since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
  await expect(second).rejects.toThrow(
    new RegExp(`^unable to lock ${path}: held by process ${process.pid} \\(weir profile create, ${since}\\)$`),
  );
  await lock.release();
});

test('what a lock file says of its holder cannot write to the terminal', async () => {
  const path = foreignLock(0, { command: '\u001b[2Jweir', since: 'now', host: 'far\naway' });
  await expect(lockFile(path, undefined, { patienceMs: 0 })).rejects.toThrow('on far?away (?[2Jweir, since now)');
});

test('waiting ends with the reason of the signal', async () => {
  const interrupt = new AbortController();
  const onWait = () => {
    interrupt.abort(new Error('Ctrl-C'));
    return undefined;
  };
  const waiting = lockFile(foreignLock(0), interrupt.signal, { patienceMs: Number.POSITIVE_INFINITY, onWait });
  await expect(waiting).rejects.toThrow('Ctrl-C');
});

test('a lock that this user may not read is waited for, then its owner is named', async () => {
  const path = foreignLock(0);
  becomeNobody(path, 0o777);
  await expect(lockFile(path, undefined, { patienceMs: 100 })).rejects.toThrow(
    `held by a process of user ${process.getuid?.()}`,
  );
});

test('a lock that this user may not read is taken when it is abandoned', async () => {
  const path = foreignLock(60);
  becomeNobody(path, 0o777);
  const lock = await lockFile(path, undefined, { patienceMs: 100 });
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
});

test('an abandoned lock that cannot be removed is an error at once', async () => {
  const path = foreignLock(60);
  if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534);
  becomeNobody(path, 0o555);
  await expect(lockFile(path)).rejects.toThrow(`unable to remove the abandoned lock ${path}: permission denied`);
  process.seteuid?.(process.getuid?.() ?? 0);
  chmodSync(join(path, '..'), 0o700);
});

/** Puts the lock of another process in place of the one at `path`. */
function takeOver(path: string): void {
  const other = foreignLock(3600);
  renameSync(other, path);
}

test('a lock that another process took over stays when the first is released', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  takeOver(path);
  expect(await lock.isOurs()).toBe(false);
  await lock.release();
  expect(readFileSync(path, 'utf8')).toContain('another boot');
});

test('a lock that another process took over is not touched', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  takeOver(path);
  const before = statSync(path).mtimeMs;
  vi.advanceTimersByTime(1_000);
  await lock.release();
  expect(statSync(path).mtimeMs).toBe(before);
});

test('a lock that is held long is touched again and again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  for (let time = 1; time <= 2; time += 1) {
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000), 60_000);
  }
  await lock.release();
});

test.each<[string, (path: string) => void]>([
  ['a directory', (path) => mkdirSync(path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to nothing', (path) => symlinkSync('nothing', path)],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
])('%s in its place is an error, not an endless wait', async (_, occupy) => {
  const path = join(temporaryDirectory(), 'a.lock');
  occupy(path);
  await expect(lockFile(path)).rejects.toMatchObject({
    message: `unable to lock ${path}: it is not a regular file`,
    exitCode: 1,
  });
});
