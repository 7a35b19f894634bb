import { describe, expect, test } from 'vitest';
import { createStickyPartitioner, murmur2, partitionOfKey } from '../../../../src/kafka/records/batches/partitioner.ts';

describe('murmur2 agrees with the Java client', () => {
  // Printed by Utils.murmur2 and BuiltInPartitioner.partitionForKey(key, 7) of kafka-clients 4.1.1.
  test.each([
    ['foobar', -790332482, 0],
    ['a-little-bit-long-string', -985981536, 1],
    ['a-little-bit-longer-string', -1486304829, 0],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971, 3],
    ['abc', 479470107, 4],
    ['', 275646681, 2],
    ['21', -973932308, 3],
    ['\u00e9', 186971271, 4],
    ['\u{1f600}', 131881617, 0],
  ])('for %j', (key, hash, partition) => {
    const bytes = Buffer.from(key);
    expect(murmur2(bytes)).toBe(hash);
    expect(partitionOfKey(Buffer.concat([Buffer.from('x'), bytes, Buffer.from('y')]), 1, bytes.length, 7)).toBe(
      partition,
    );
  });
});

describe('records without a key', () => {
  test('stay in one partition for 64 KiB, then go to another', () => {
    const partitioner = createStickyPartitioner();
    const chosen = Array.from({ length: 1000 }, () => partitioner.choose([0, 1, 2], 1024));
    expect(new Set(chosen)).toEqual(new Set([0, 1, 2]));
    for (let index = 0; index < 960; index += 64) {
      expect(new Set(chosen.slice(index, index + 64)).size).toBe(1);
      expect(chosen[index + 64]).not.toBe(chosen[index]);
    }
  });

  test('leave a partition that cannot be written to', () => {
    const partitioner = createStickyPartitioner(() => 0);
    expect(partitioner.choose([4, 5], 1)).toBe(4);
    expect(partitioner.left).toBe(65_535);
    expect(partitioner.choose([5], 1)).toBe(5);
    expect(partitioner.choose([5], 1 << 20)).toBe(5);
  });
});
