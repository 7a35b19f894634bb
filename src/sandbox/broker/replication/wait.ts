import type { Cluster, Partition } from '../cluster-parts.ts';
import type { ConnectionFacts } from '../serve/handler.ts';

/** The condition of a wait and its result. */
interface Wait<T> {
  /** The partitions whose changes trigger another `check`. */
  readonly partitions: readonly Partition[];
  readonly timeoutMs: number;
  /** The connection whose end also ends the wait, with the result of `late`. */
  readonly connection: ConnectionFacts;
  /** Returns the result; undefined to keep waiting. */
  check(): T | undefined;
  /** Returns the result after the timeout. */
  late(): T;
}

/** Waits for a result of `check`, which is returned synchronously if it is available immediately. */
export function waitFor<T>(cluster: Cluster, wait: Wait<T>): T | Promise<T> {
  const first = wait.check();
  if (first !== undefined) return first;
  if (wait.timeoutMs <= 0) return wait.late();
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (give: () => T): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      forget();
      for (const { watchers } of wait.partitions) watchers.delete(look);
      try {
        resolve(give());
      } catch (error) {
        reject(error);
      }
    };
    const look = (): void => {
      if (isOver) return;
      const answer = wait.check();
      if (answer !== undefined) end(() => answer);
    };
    const cancel = cluster.clock.after(wait.timeoutMs, () => end(wait.late));
    const forget = wait.connection.onClose(() => end(wait.late));
    for (const { watchers } of wait.partitions) watchers.add(look);
  });
}
