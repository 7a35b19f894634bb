import { type LockWait, lockBeside } from '../files/lock.ts';

/**
 * Runs `work` while holding the lock file `PATH.lock`, whose directory is created if necessary.
 * Waits for the lock until the signal aborts.
 */
export async function withLock<T>(path: string, wait: LockWait, work: () => Promise<T>): Promise<T> {
  await using _lock = await lockBeside(path, { ...wait, patienceMs: Number.POSITIVE_INFINITY });
  return await work();
}
