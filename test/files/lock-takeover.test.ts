import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lockFile } from '../../src/files/lock.ts';
import { ownProcess } from '../../src/files/process-id.ts';
import { temporaryDirectory } from '../world.ts';
import { replaceCalls } from './replaced-calls.ts';

/** What another process does between the look at an abandoned lock and its removal. */
let meanwhile: (() => void) | undefined;
/** The time on the clock of the file system, in milliseconds since the epoch; undefined for the real one. */
let fileTime: number | undefined;

replaceCalls((real) => ({
  rename(from, to) {
    meanwhile?.();
    meanwhile = undefined;
    return real.rename(from, to);
  },
  async open(...words) {
    const file = await real.open(...words);
    const isProbe = fileTime !== undefined && String(words[0]).endsWith('.tmp');
    return isProbe ? Object.assign(file, { stat: async () => ({ mtimeMs: fileTime }) }) : file;
  },
}));

afterEach(() => {
  meanwhile = undefined;
  fileTime = undefined;
  vi.useRealTimers();
});

function writeLock(path: string, owner: Readonly<Record<string, unknown>>): string {
  const unknown = { id: 'x', space: '', pid: 1, startedAt: '', host: '', command: '', since: '' };
  const text = JSON.stringify({ ...unknown, ...owner });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  return text;
}

/** A lock whose owner has not touched it for a minute. */
function abandonedLock(): string {
  const path = join(temporaryDirectory(), 'a.lock');
  writeLock(path, {});
  const then = Date.now() / 1000 - 60;
  utimesSync(path, then, then);
  return path;
}

test('a lock that another process took over in the meantime is put back, and waited for', async () => {
  const path = abandonedLock();
  const own = await ownProcess();
  let text = '';
  let inode = 0;
  meanwhile = () => {
    rmSync(path);
    text = writeLock(path, { ...own, id: 'new owner' });
    inode = statSync(path).ino;
  };
  await expect(lockFile(path, undefined, { patienceMs: 50 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect([readFileSync(path, 'utf8'), statSync(path).ino]).toEqual([text, inode]);
});

test('a lock that its owner rewrote in the meantime is put back', async () => {
  const path = abandonedLock();
  const own = await ownProcess();
  let text = '';
  meanwhile = () => {
    text = writeLock(path, { ...own, id: 'new owner' });
  };
  await expect(lockFile(path, undefined, { patienceMs: 50 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a lock that another process removed in the meantime is taken', async () => {
  const path = abandonedLock();
  meanwhile = () => rmSync(path);
  const lock = await lockFile(path, undefined, { patienceMs: 50 });
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
});

test.each([
  [10_000, 'held'],
  [10_001, 'taken'],
])('a lock whose owner cannot be looked up and who touched it %i ms ago is %s', async (ageMs, outcome) => {
  // Both clocks stand still, and disagree by an hour.
  fileTime = Date.UTC(2026, 0, 1);
  vi.useFakeTimers({ toFake: ['Date'], now: fileTime + 3_600_000 });
  const path = join(temporaryDirectory(), 'a.lock');
  writeLock(path, {});
  const touched = (fileTime - ageMs) / 1000;
  utimesSync(path, touched, touched);
  const taking = lockFile(path, undefined, { patienceMs: 0 }).then(
    async (lock) => {
      await lock.release();
      return 'taken';
    },
    ({ code }) => (code === 'LOCK_HELD' ? 'held' : code),
  );
  expect(await taking).toBe(outcome);
});
