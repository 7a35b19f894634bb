import { type LockWait, lockFile } from '../files/lock.ts';
import { makeDirectory } from '../files/replace.ts';

/**
 * Runs `work` while no other process holds the lock of this path (`PATH.lock` beside it, whose directory is made).
 * It is waited for until the signal says stop.
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
