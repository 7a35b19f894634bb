import { crc32 } from 'node:zlib';
import { partitionOfKey } from './partitioner.ts';

/** How clients choose the partition of a key, with the clients that do so by default. */
export const keyPartitioners = {
  /** Java clients, weir, rpk, franz-go, kafkajs. */
  murmur2: (key: Uint8Array, partitions: number): number => partitionOfKey(key, 0, key.length, partitions),
  /** librdkafka and the clients built on it (`consistent_random`). */
  crc32: (key: Uint8Array, partitions: number): number => crc32(key) % partitions,
  /** Sarama. */
  fnv1a: (key: Uint8Array, partitions: number): number => Math.abs(fnv1a(key) % partitions),
} as const;

/** One of `keyPartitioners`. */
export type KeyPartitioner = keyof typeof keyPartitioners;

/** The 32-bit FNV-1a hash as a signed number. */
function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 0;
}
