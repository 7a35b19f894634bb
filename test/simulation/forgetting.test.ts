import { expect, test } from 'vitest';
import { runExpiry, runForgetting, runNewEpoch } from './forgetting.ts';

/** The number of fixed seeds for each. */
const seeds = 40;

test.each([
  [
    'a broker that has forgotten the producer, and takes any first sequence number, loses and repeats nothing',
    runForgetting,
  ],
  ['what is written twice after a long outage is announced, and nothing that cannot be', runExpiry],
  ['under a new epoch, only the batches that were sent again are uncertain', runNewEpoch],
] as const)('%s', async (_what, runSeed) => {
  const failures: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const failure of await runSeed(seed)) failures.push(`seed ${seed}: ${failure}`);
  }
  expect(failures).toEqual([]);
});
