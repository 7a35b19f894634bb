import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../src/files/lock.ts';
import { removeLeftovers } from '../../src/files/replace.ts';
import { temporaryDirectory } from '../world.ts';
import { replaceCalls } from './replaced-calls.ts';

/** What happens at the next calls of `link`; afterwards it works. */
const nextLinks: ((path: string) => Promise<void>)[] = [];

replaceCalls((real) => ({
  async link(from, to) {
    await nextLinks.shift()?.(String(to));
    await real.link(from, to);
  },
}));

const newPath = () => join(temporaryDirectory(), 'a.lock');

test('a file system without hard links has locks, too', async () => {
  const fail = async () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  const path = newPath();
  nextLinks.push(fail);
  const lock = await lockFile(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await expect(lockFile(path, undefined, { patienceMs: 0 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('a process that was faster on such a file system keeps its lock', async () => {
  const path = newPath();
  let first: Awaited<ReturnType<typeof lockFile>> | undefined;
  nextLinks.push(async () => {
    first = await lockFile(path);
    throw Object.assign(new Error('operation not supported'), { code: 'ENOTSUP' });
  });
  await expect(lockFile(path, undefined, { patienceMs: 0 })).rejects.toMatchObject({ code: 'LOCK_HELD' });
  expect(await first?.isOurs()).toBe(true);
  await first?.release();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('a lock whose file another process took for a leftover is taken all the same', async () => {
  const path = newPath();
  nextLinks.push(async () => await removeLeftovers(join(dirname(path), 'a')));
  const lock = await lockFile(path);
  expect(await lock.isOurs()).toBe(true);
  await lock.release();
  expect(readdirSync(dirname(path))).toEqual([]);
});
