import { expect, test } from 'vitest';
import { runRedrive } from './redriving.ts';

test.each([1, 97])('dead letters of the seeds from %i are put back once, whatever fails', async (from) => {
  const failures: string[] = [];
  for (let seed = from; seed < from + 6; seed += 1) {
    const report = await runRedrive(seed);
    if (report.failures.length > 0) failures.push(`seed ${seed}: ${report.failures.join('; ')}`);
  }
  expect(failures).toEqual([]);
});
