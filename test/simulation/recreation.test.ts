import { expect, test } from 'vitest';
import { type RecreatedUnder, runRecreation } from './recreation.ts';

/** The number of fixed seeds for each. */
const seeds = 12;

test.each<RecreatedUnder>(['producer', 'reader', 'classic', 'consumer'])(
  'a topic that is deleted and created again under a %s loses and confuses no records',
  async (under) => {
    const failures: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      for (const failure of await runRecreation(seed, under)) failures.push(`seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  },
);
