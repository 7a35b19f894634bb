import { describe, expect, it } from 'vitest';
import { createKeyCounts } from '../../../../src/kafka/cluster/analysis/key-counts.ts';

function countsOf(keys: Iterable<string | Buffer | null>, capacity?: number) {
  const counts = createKeyCounts(capacity);
  for (const key of keys) {
    const bytes = Buffer.from(key ?? '');
    counts.add(Buffer.concat([Buffer.from('-'), bytes, Buffer.from('-')]), 1, key === null ? -1 : bytes.length);
  }
  return counts;
}

describe('the counts of keys', () => {
  it('are exact for a few keys, the most frequent first', () => {
    expect(countsOf(['b', 'a', 'a', null, '']).spread(2)).toEqual({
      ...{ without_key: 1, distinct: 3, is_estimate: false, missed: 0 },
      top: [
        { key: 'a', key_encoding: 'text', is_truncated: false, records: 2, share: 0.4 },
        { key: '', key_encoding: 'text', is_truncated: false, records: 1, share: 0.2 },
      ],
    });
  });

  it('show a key that is not UTF-8 as base64, and a long one by whole characters of its beginning', () => {
    const [binary, long] = [Buffer.from([0xff, 0xfe]), `${'x'.repeat(127)}é${'y'.repeat(100)}`];
    const { top } = countsOf([binary, binary, long]).spread(2);
    expect(top).toMatchObject([
      { key: '//4=', key_encoding: 'base64', is_truncated: false },
      { key: 'x'.repeat(127), key_encoding: 'text', is_truncated: true },
    ]);
  });

  it('show a key of 128 bytes as a whole, and a longer one by as many', () => {
    const { top } = countsOf(['x'.repeat(128), 'x'.repeat(128), 'y'.repeat(129)]).spread(2);
    expect(top).toMatchObject([
      { key: 'x'.repeat(128), is_truncated: false },
      { key: 'y'.repeat(128), is_truncated: true },
    ]);
  });

  it('count two long keys with the same beginning apart', () => {
    const start = 'x'.repeat(200);
    expect(countsOf([`${start}a`, `${start}b`, `${start}a`]).spread(2)).toMatchObject({ distinct: 2 });
  });

  it('find frequent keys among many in bounded memory, and say what may be missing', () => {
    function* keys() {
      for (let at = 0; at < 50_000; at += 1) {
        yield `rare-${at}`;
        if (at % 10 === 0) yield 'frequent';
      }
    }
    const { distinct, is_estimate: isEstimate, missed, top } = countsOf(keys(), 1000).spread(1);
    expect(isEstimate).toBe(true);
    expect(Math.abs(distinct / 50_001 - 1)).toBeLessThan(0.05);
    expect(top[0]?.key).toBe('frequent');
    expect(top[0]?.records).toBeGreaterThanOrEqual(5000 - missed);
    expect(top[0]?.records).toBeLessThanOrEqual(5000);
  });
});
