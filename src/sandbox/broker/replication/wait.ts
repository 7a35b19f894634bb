import type { Cluster } from '../cluster-parts.ts';
import type { ConnectionFacts } from '../serve/handler.ts';
import type { Partition } from './partition.ts';

/** What to wait for. */
export interface Wait<T> {
  /** `check` is asked again whenever one of these changes. */
  readonly partitions: readonly Partition[];
  readonly timeoutMs: number;
  /** The wait ends, with what `late` gives, when this connection does. */
  readonly connection: ConnectionFacts;
  /** What the wait ends with; undefined: not yet. */
  check(): T | undefined;
  /** What it ends with when the time is over. */
  late(): T;
}

/** Ends with what `check` gives, at once where it gives something at once. */
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
      const found = wait.check();
      if (found !== undefined) end(() => found);
    };
    const cancel = cluster.clock.after(wait.timeoutMs, () => end(wait.late));
    const forget = wait.connection.onClose(() => end(wait.late));
    for (const { watchers } of wait.partitions) watchers.add(look);
  });
}
