import { expect, it } from 'vitest';
import { type KeyPartitioner, keyPartitioners } from '../../../../src/kafka/records/batches/key-partitioners.ts';

// murmur2: from the tests of Kafka's Java client; crc32 and fnv1a: the check values of the algorithms.
it.each<[KeyPartitioner, string, number, number]>([
  ['murmur2', '21', 100, (-973932308 & 0x7fffffff) % 100],
  ['murmur2', 'foobar', 12, (-790332482 & 0x7fffffff) % 12],
  ['crc32', '123456789', 1_000_003, 0xcbf43926 % 1_000_003],
  ['crc32', '', 7, 0],
  ['fnv1a', 'a', 1_000_003, -(0xe40c292c | 0) % 1_000_003],
  ['fnv1a', 'foobar', 1_000_003, -(0xbf9cf968 | 0) % 1_000_003],
])('%s of %j in %i partitions is %i', (partitioner, key, partitions, expected) => {
  expect(keyPartitioners[partitioner](Buffer.from(key), partitions)).toBe(expected);
});
