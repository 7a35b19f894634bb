import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNameCache, type KnownNames } from '../../../src/commands/complete/name-cache.ts';
import { temporaryDirectory } from '../../world.ts';

const signal = new AbortController().signal;
const known: KnownNames = { names: ['a', 'b c'], readAt: 5, failedAt: 7 };

function cacheIn(directory: string) {
  const path = join(directory, 'complete', 'key.topics.json');
  return { path, cache: createNameCache(path) };
}

test('keeps names in a file that only its owner can read', async () => {
  const { path, cache } = cacheIn(temporaryDirectory());
  expect(cache.read()).toBeUndefined();
  await cache.write(known);
  await cache.write(known);
  expect(cache.read()).toEqual(known);
  expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(join(path, '..'))).toEqual(['key.topics.json']);
});

test.each(['', '{"names":["a"', 'null', '[]', '{"names":"a","readAt":1}', '{"names":[1],"readAt":1}'])(
  'treats the damaged file %j as missing',
  (text) => {
    const { path, cache } = cacheIn(temporaryDirectory());
    mkdirSync(join(path, '..'));
    writeFileSync(path, text);
    expect(cache.read()).toBeUndefined();
  },
);

test('ignores times that are not numbers, and a directory in place of the file', () => {
  const { path, cache } = cacheIn(temporaryDirectory());
  mkdirSync(join(path, '..'));
  writeFileSync(path, '{"names":["a"],"readAt":"now","failedAt":null}');
  expect(cache.read()).toEqual({ names: ['a'], readAt: undefined, failedAt: undefined });
  const other = cacheIn(temporaryDirectory());
  mkdirSync(other.path, { recursive: true });
  expect(other.cache.read()).toBeUndefined();
});

test('reads a file of at most 64 MiB', () => {
  const { path, cache } = cacheIn(temporaryDirectory());
  mkdirSync(join(path, '..'));
  writeFileSync(path, '{"names":["a"]}'.padEnd(64 << 20));
  expect(cache.read()).toMatchObject({ names: ['a'] });
  writeFileSync(path, ' ', { flag: 'a' });
  expect(cache.read()).toBeUndefined();
});

test('only one process refreshes a file at a time, and others can see that', async () => {
  const { cache } = cacheIn(temporaryDirectory());
  const work: string[] = [];
  expect(await cache.isRefreshing()).toBe(false);
  await cache.refreshing(signal, async () => {
    expect(await cache.isRefreshing()).toBe(true);
    await expect(cache.refreshing(signal, async () => void work.push('second'))).rejects.toThrow('held by');
    work.push('first');
  });
  expect(work).toEqual(['first']);
  expect(await cache.isRefreshing()).toBe(false);
});

test('a refresh removes files that are older than a week and what killed processes left', async () => {
  const { path, cache } = cacheIn(temporaryDirectory());
  const directory = join(path, '..');
  mkdirSync(directory);
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000);
  for (const [name, age] of [
    ['old.topics.json', 7.1],
    ['newer.topics.json', 6.9],
    ['.old.topics.json.01234567-89ab-cdef-0123-456789abcdef.tmp', 7.1],
    ['.key.topics.json.01234567-89ab-cdef-0123-456789abcdef.tmp', 0],
  ] as const) {
    writeFileSync(join(directory, name), '{}');
    utimesSync(join(directory, name), days(age), days(age));
  }
  await cache.refreshing(signal, () => cache.write(known));
  expect(readdirSync(directory).toSorted()).toEqual(['key.topics.json', 'newer.topics.json']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(known);
});
