import { type LockWait, lockFile } from '../files/lock.ts';
import { makeDirectory } from '../files/replace.ts';

/**
 * Runs `work` while holding the lock file `PATH.lock`, whose directory is created if necessary.
 * Waits for the lock until the signal aborts.
 */
export async function withLock<T>(path: string, wait: LockWait, work: () => Promise<T>): Promise<T> {
  await makeDirectory(path);
  const lock = await lockFile(`${path}.lock`, wait.signal, { ...wait, patienceMs: Number.POSITIVE_INFINITY });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
