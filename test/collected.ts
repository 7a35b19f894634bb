import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Counts the objects that are still in memory after a full garbage collection. */
export async function stillAlive(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A dereferenced object stays alive until the end of the current turn.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  collect();
  return references.filter((reference) => reference.deref() !== undefined).length;
}
