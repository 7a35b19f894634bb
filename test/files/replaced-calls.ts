import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

type Calls = typeof promises;

/**
 * Replaces calls of node:fs/promises while the tests of a file run, in the code under test as well: for what a file
 * system does seldom. Files share a worker, so that the real calls return at the end.
 */
export function replaceCalls(replaced: (real: Calls) => Partial<Calls>): void {
  const real = { ...promises };
  beforeAll(() => {
    Object.assign(promises, replaced(real));
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(promises, real);
    syncBuiltinESMExports();
  });
}
