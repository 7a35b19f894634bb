import type { RecordSizes } from './analysis-rows.ts';

/** Buckets per power of two: the upper bound of a bucket is 4.4 percent above its lower one. */
const resolution = 16;

/** Counts sizes in buckets, so that its memory does not grow with the number of records. */
export interface SizeSpread {
  add(size: number): void;
  /** Null if nothing was added. */
  sizes(): RecordSizes | null;
}

/** Creates an empty spread. */
export function createSizeSpread(): SizeSpread {
  const buckets: number[] = [];
  let [count, sum, max] = [0, 0, 0];

  /** The upper bound of the bucket in which the given share of the sizes is reached. */
  function percentile(share: number): number {
    let left = Math.ceil(count * share);
    for (const [bucket, own = 0] of buckets.entries()) {
      left -= own;
      if (left <= 0) return Math.min(max, bucket === 0 ? 0 : Math.floor(2 ** (bucket / resolution)));
    }
    return max;
  }
  return {
    add(size) {
      const bucket = size === 0 ? 0 : 1 + Math.floor(Math.log2(size) * resolution);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      count += 1;
      sum += size;
      if (size > max) max = size;
    },
    sizes() {
      if (count === 0) return null;
      const average = Math.round(sum / count);
      return { average, p50: percentile(0.5), p75: percentile(0.75), p99: percentile(0.99), max };
    },
  };
}
