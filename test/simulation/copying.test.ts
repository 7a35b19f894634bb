import { expect, test } from 'vitest';
import { runCopy } from './copying.ts';

test.each([1, 16, 31])('copies of the seeds from %i have every record once, whatever fails', async (from) => {
  const failures: string[] = [];
  for (let seed = from; seed < from + 15; seed += 1) {
    const report = await runCopy(seed);
    if (report.failures.length > 0) failures.push(`seed ${seed}: ${report.failures.join('; ')}`);
  }
  expect(failures).toEqual([]);
});
