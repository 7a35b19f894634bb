import { lockFile } from '../files/lock.ts';
import { makeDirectory } from '../files/replace.ts';

/**
 * Runs `work` while no other process holds the lock of this path (`PATH.lock` beside it, whose directory is made).
 * It is waited for until the signal says stop; `waiting` is called once when it is taken.
 */
export async function withLock<T>(
  path: string,
  signal: AbortSignal,
  waiting: () => void,
  work: () => Promise<T>,
): Promise<T> {
  await makeDirectory(path);
  const lock = await lockFile(`${path}.lock`, signal, { patienceMs: Number.POSITIVE_INFINITY, onWait: waiting });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
