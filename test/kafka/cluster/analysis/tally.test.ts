import { describe, expect, it } from 'vitest';
import { createSizeSpread } from '../../../../src/kafka/cluster/analysis/tally.ts';

function sizesOf(sizes: Iterable<number>) {
  const spread = createSizeSpread();
  for (const size of sizes) spread.add(size);
  return spread.sizes();
}

describe('the spread of sizes', () => {
  it('is null without records', () => {
    expect(sizesOf([])).toBeNull();
  });

  it('is exact for records of one size', () => {
    for (const size of [0, 1, 7, 1000, 2_147_483_647])
      expect(sizesOf([size, size])).toEqual({ average: size, p50: size, p75: size, p99: size, max: size });
  });

  it('has percentiles that are at most five percent too high', () => {
    const sizes = sizesOf(Array.from({ length: 10_000 }, (_, at) => at + 1));
    expect(sizes).toMatchObject({ average: 5001, max: 10_000 });
    const shares = [0.5, 0.75, 0.99];
    for (const [at, value] of [sizes?.p50, sizes?.p75, sizes?.p99].entries()) {
      const exact = 10_000 * (shares[at] ?? 0);
      expect(value).toBeGreaterThanOrEqual(exact);
      expect(value).toBeLessThanOrEqual(exact * 1.05);
    }
  });
});
