import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../../src/sandbox/lock.ts';
import { temporaryDirectory } from '../world.ts';

const signal = new AbortController().signal;

test('only one caller works under a lock at a time, and each waiting caller is notified once', async () => {
  const directory = temporaryDirectory();
  let inside = 0;
  let most = 0;
  let waits = 0;
  const others = Promise.withResolvers<void>();
  const onWait = () => {
    waits += 1;
    if (waits === 2) others.resolve();
    return undefined;
  };
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await others.promise;
    await new Promise((resolve) => setTimeout(resolve, 20));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(join(directory, 'deep/x'), { signal, onWait }, work)));
  expect([most, waits]).toEqual([1, 2]);
  expect(await readdir(join(directory, 'deep'))).toEqual([]);
});

test('waiting for a lock ends when the signal aborts', async () => {
  const path = join(temporaryDirectory(), 'x');
  const interrupt = new AbortController();
  const onWait = () => {
    interrupt.abort(new Error('Ctrl-C'));
    return undefined;
  };
  await withLock(path, { signal }, async () => {
    const waiting = withLock(path, { signal: interrupt.signal, onWait }, async () => 1);
    await expect(waiting).rejects.toThrow('Ctrl-C');
  });
});

test('a lock is released when the work fails, and the next caller gets it', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'x');
  const failing = withLock(path, { signal }, async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await withLock(path, { signal }, async () => readdir(directory))).toEqual(['x.lock']);
});

test('a lock is waited for longer than other locks', async () => {
  const path = join(temporaryDirectory(), 'x');
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = withLock(path, { signal }, () => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  const onWait = () => {
    setTimeout(held.resolve, 50);
    return undefined;
  };
  expect(await withLock(path, { signal, onWait, patienceMs: 1 }, async () => 'second')).toBe('second');
  await first;
});
