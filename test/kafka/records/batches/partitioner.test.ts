import { describe, expect, test } from 'vitest';
import {
  createStickyPartitioner,
  type KeyPartitioner,
  keyPartitioners,
  murmur2,
  partitionOfKey,
} from '../../../../src/kafka/records/batches/partitioner.ts';

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

// murmur2: from the tests of Kafka's Java client; crc32 and fnv1a: the check values of the algorithms.
test.each<[KeyPartitioner, string, number, number]>([
  ['murmur2', '21', 100, (-973932308 & 0x7fffffff) % 100],
  ['murmur2', 'foobar', 12, (-790332482 & 0x7fffffff) % 12],
  ['crc32', '123456789', 1_000_003, 0xcbf43926 % 1_000_003],
  ['crc32', '', 7, 0],
  ['fnv1a', 'a', 1_000_003, -(0xe40c292c | 0) % 1_000_003],
  ['fnv1a', 'foobar', 1_000_003, -(0xbf9cf968 | 0) % 1_000_003],
])('%s of %j in %i partitions is %i', (partitioner, key, partitions, expected) => {
  expect(keyPartitioners[partitioner](Buffer.from(key), partitions)).toBe(expected);
});
