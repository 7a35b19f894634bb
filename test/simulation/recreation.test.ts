import { expect, test } from 'vitest';
import { type RecreatedUnder, runRecreation } from './recreation.ts';

test.each<readonly [under: RecreatedUnder, seeds: number]>([
  ['producer', 20],
  ['reader', 6],
  ['classic', 6],
  ['consumer', 6],
])('a topic that is deleted and created again under a %s loses and confuses no records', async (under, seeds) => {
  const failures: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const failure of await runRecreation(seed, under)) failures.push(`seed ${seed}: ${failure}`);
  }
  expect(failures).toEqual([]);
});
