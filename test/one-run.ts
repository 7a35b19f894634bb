import { AsyncLocalStorage } from 'node:async_hooks';

const runs = new AsyncLocalStorage<{ hasEnded: boolean }>();

/** Runs a command as a process would: what it leaves behind can ask whether it has ended. */
export async function asOneRun<T>(command: () => Promise<T>): Promise<T> {
  const run = { hasEnded: false };
  try {
    return await runs.run(run, command);
  } finally {
    run.hasEnded = true;
  }
}

/** Whether the calling code belongs to a command that has ended: its process would be gone. */
export function isLeftOver(): boolean {
  return runs.getStore()?.hasEnded ?? false;
}
