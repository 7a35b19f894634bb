import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many of the objects are still in memory after a full collection. */
export async function stillAlive(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // An object that was looked at stays until the end of the turn.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  collect();
  return references.filter((reference) => reference.deref() !== undefined).length;
}
