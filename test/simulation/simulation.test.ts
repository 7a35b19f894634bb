import { describe, expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';
import { kinds } from './scenario.ts';

/** The number of fixed seeds per kind; `npm run soak -- simulation` runs any number. */
const seedsOfKind = 40;
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
  test.each(starts)('the seeds from %i have no failures', async (from) => {
    expect(await failuresOf(kind, from)).toEqual([]);
  });
});

test.each([
  ['two joins of a static member are lost in a row', 403_499],
  ['batches of one record, each slow to replicate, take longer than all retries', 405_197],
  ['a member is killed before an election cuts off what it has printed', 51_018],
  ['a client is closed while it pauses before a retry', 53_169],
  ['the coordinator of a static member that joins goes down without closing its connections', 5_412],
  ['a commit and a discovery find the same partitions at the same time', 26_345],
  ['the output of a stopped member is blocked for longer than the last commit may take', 35_606],
  ['the last records are acknowledged by their leader alone, after everything is repaired', 36_995],
  ['an election cuts off an abort marker, and the next commit counts for what was aborted', 37_218],
  ['a member commits beyond aborted records whose marker an election cut off', 46_429],
  ['a removed member stops before another one has read what it could not commit', 67_222],
  ['all members stop before another one has read what a removed one could not commit', 104_540],
  ['a bounded read prints slowly what it had fetched before an election cut it off', 70_895],
  ['a member that has not heard of an election commits in terms of the log before it', 82_115],
  ['the last batch is acknowledged before those it follows, which are sent again, and then cut off', 98_923],
])('%s (seed %i)', async (_what, seed) => {
  expect((await runSeed(seed)).failures).toEqual([]);
});

test.each([
  ['a member that stood still gives up what it has lost before it prints on', 612],
  ['a coordinator whose connection was lost is looked up again', 110],
])('%s (seed %i of groups)', async (_what, seed) => {
  expect((await runSeed(seed, 'group')).failures).toEqual([]);
});

test.each([
  ['batches that wait are stamped when the producer gets a new epoch', 101],
  ['a producer whose state was lost gets a new epoch, and lost records are reported', 311],
])('%s (seed %i of producers)', async (_what, seed) => {
  expect((await runSeed(seed, 'produce')).failures).toEqual([]);
});

test('a seed always produces the same story', async () => {
  for (const seed of [3, 4]) {
    const [first, second] = [await runSeed(seed), await runSeed(seed)];
    expect(second.story).toEqual(first.story);
    expect(second.virtualMs).toBe(first.virtualMs);
  }
});
