import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { lockFile } from '../../src/files/lock.ts';
import { temporaryDirectory } from '../world.ts';

const stranger = JSON.stringify({ id: 'x', space: 'another machine', pid: '1', started: '1' });

/** A lock of an owner that cannot be looked up, touched so many seconds ago. */
function strangersLock(secondsAgo: number): string {
  const path = join(temporaryDirectory(), 'a.lock');
  writeFileSync(path, stranger);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
  return path;
}

test('a lock is gone when it is let go', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  expect([await lock.isOurs(), existsSync(path)]).toEqual([true, true]);
  await lock.release();
  expect(existsSync(path)).toBe(false);
});

test('a holder that cannot be looked up is waited for while it touches its lock, and told of once', async () => {
  let waits = 0;
  const waiting = lockFile(strangersLock(0), undefined, { patienceMs: 100, onWait: () => (waits += 1) });
  await expect(waiting).rejects.toMatchObject({ exitCode: 6, retryable: true });
  expect(waits).toBe(1);
});

test('a holder that cannot be looked up and does not touch its lock any more loses it', async () => {
  const path = strangersLock(60);
  const lock = await lockFile(path);
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
});

test('a lock that is held long is touched again and again', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  const lock = await lockFile(path);
  utimesSync(path, 1, 1);
  await vi.waitFor(() => expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000), { timeout: 20_000 });
  await lock.release();
});

test('a directory in its place is an error, not an endless wait', async () => {
  const path = join(temporaryDirectory(), 'a.lock');
  mkdirSync(path);
  await expect(lockFile(path)).rejects.toThrow(`unable to write ${path}: `);
});
