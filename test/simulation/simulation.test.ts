import { describe, expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';
import { kinds } from './scenario.ts';

/** `npm run soak -- simulation` runs any number; these are the same every time. */
const seedsOfKind = 100;
const perTest = 20;

async function failuresOf(kind: (typeof kinds)[number], from: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let seed = from; seed < from + perTest; seed += 1) {
    const report = await runSeed(seed, kind);
    if (report.failures.length === 0) continue;
    failures.push(`npm run soak -- simulation --seed ${seed} --kind ${kind}: ${report.failures.join('; ')}`);
  }
  return failures;
}

describe.each(kinds)('%s', (kind) => {
  const starts = Array.from({ length: seedsOfKind / perTest }, (_, index) => 1 + index * perTest);
  test.each(starts)('all is well in the seeds from %i', async (from) => {
    expect(await failuresOf(kind, from)).toEqual([]);
  });
});

test('a seed tells the same story every time', async () => {
  for (const seed of [3, 4, 5, 6, 7]) {
    const [first, second] = [await runSeed(seed), await runSeed(seed)];
    expect(second.story).toEqual(first.story);
    expect(second.virtualMs).toBe(first.virtualMs);
  }
});
