import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/**
 * Runs `work` while no other process holds the lock of this path (`PATH.lock` beside it, whose directory is made).
 * A holder that was killed loses the lock after ten seconds. `waiting` is called once when it is taken.
 */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  waiting: () => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const release = await acquire(path, signal, waiting);
  try {
    return await work();
  } finally {
    await release().catch(() => undefined); // lost to another already: nothing is left to release
  }
}

async function acquire(path: string, signal: AbortSignal, waiting: () => void): Promise<() => Promise<void>> {
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await lock(path, {
        lockfilePath: `${path}.lock`,
        realpath: false,
        onCompromised: () => undefined,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    if (tries === 0) waiting();
    await delay(100, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
