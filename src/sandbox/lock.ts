import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/**
 * Runs `work` while no other process holds the lock of this directory, which is made when it is missing.
 * A holder that was killed loses the lock after ten seconds. `waiting` is called once when it is taken.
 */
export async function withLock<T>(
  directory: string,
  signal: AbortSignal,
  waiting: () => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const release = await acquire(directory, signal, waiting);
  try {
    return await work();
  } finally {
    await release().catch(() => undefined); // already lost or its directory removed: nothing is left to release
  }
}

async function acquire(directory: string, signal: AbortSignal, waiting: () => void): Promise<() => Promise<void>> {
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await lock(directory, {
        lockfilePath: `${directory}.lock`,
        realpath: false,
        onCompromised: () => undefined,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    if (tries === 0) waiting();
    await delay(100, undefined, { signal });
  }
}
