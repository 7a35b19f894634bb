import { crc32 } from 'node:zlib';
/**
 * Returns the 32-bit murmur2 with which Java clients hash keys (seed 0x9747b28c), as a signed number, so that a key
 * goes to the same partition whichever client writes it.
 */
export function murmur2(bytes: Uint8Array, start = 0, length = bytes.length): number {
  const multiplier = 0x5bd1e995;
  const wordsEnd = start + (length & ~3);
  let hash = 0x9747b28c ^ length;
  for (let at = start; at < wordsEnd; at += 4) {
    let word =
      byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24);
    word = Math.imul(word, multiplier);
    word ^= word >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier);
  }
  const left = length & 3;
  if (left === 3) hash ^= byteAt(bytes, wordsEnd + 2) << 16;
  if (left >= 2) hash ^= byteAt(bytes, wordsEnd + 1) << 8;
  if (left >= 1) hash = Math.imul(hash ^ byteAt(bytes, wordsEnd), multiplier);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, multiplier);
  return hash ^ (hash >>> 15);
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

/** Returns the partition of a key: murmur2 without its sign, modulo the number of partitions of the topic. */
export function partitionOfKey(bytes: Uint8Array, start: number, length: number, partitions: number): number {
  return (murmur2(bytes, start, length) & 0x7fffffff) % partitions;
}

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

/** Spreads records without a key over partitions. */
export interface StickyPartitioner {
  /** Returns the partition for a record of `bytes` bytes, out of those that can be written to now (at least one). */
  choose(available: readonly number[], bytes: number): number;
  /** The number of bytes until the partition changes; 0 or less if it changes with the next record. */
  readonly left: number;
}

/** The number of bytes for one partition before the next is chosen: four times Java's default `batch.size`. */
const stickyBytes = 1 << 16;

/**
 * Creates a partitioner that keeps one partition for 64 KiB, so that batches fill, and then picks another at random
 * (KIP-480, KIP-794). `random` returns numbers from 0 to below 1.
 */
export function createStickyPartitioner(random: () => number = Math.random): StickyPartitioner {
  let current: number | undefined;
  let used = 0;
  return {
    choose(available, bytes) {
      if (current === undefined || used >= stickyBytes || !available.includes(current)) {
        const others = available.length > 1 ? available.filter((partition) => partition !== current) : available;
        current = others[Math.floor(random() * others.length)] ?? 0;
        used = 0;
      }
      used += bytes;
      return current;
    },
    get left() {
      return stickyBytes - used;
    },
  };
}
