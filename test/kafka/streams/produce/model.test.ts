import { expect, test } from 'vitest';
import { runSeed } from './model/run.ts';

/** `node test/kafka/streams/produce/model/soak.ts FROM COUNT` runs more. */
const seeds = 300;

test('under any mix of faults every record is written once, in order and reported, or its fate is reported as unknown', async () => {
  const ends = { lossless: 0, withLosses: 0, undecided: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { problems, error, lost } = await runSeed(seed);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    if (error !== undefined) ends.undecided += 1;
    else if (lost > 0) ends.withLosses += 1;
    else ends.lossless += 1;
  }
  // The faults are severe enough to show all three, and the producer mostly succeeds.
  expect(ends.withLosses).toBeGreaterThan(seeds / 50);
  expect(ends.undecided).toBeGreaterThan(0);
  expect(ends.undecided).toBeLessThan(seeds / 8);
});
