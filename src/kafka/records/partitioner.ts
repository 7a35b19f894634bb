/**
 * The 32-bit murmur2 that Java clients hash keys with (seed 0x9747b28c), as a signed number: the same
 * key goes to the same partition, whichever client wrote it.
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

/** The partition of a key: murmur2 without its sign, modulo the number of partitions of the topic. */
export function partitionOfKey(bytes: Uint8Array, start: number, length: number, partitions: number): number {
  return (murmur2(bytes, start, length) & 0x7fffffff) % partitions;
}

/** Spreads records without a key. */
export interface StickyPartitioner {
  /** The partition for a record of `bytes` bytes, out of those that can be written to now (at least one). */
  choose(available: readonly number[], bytes: number): number;
  /** How many bytes go to the partition chosen last before it changes; 0 or less when it will. */
  readonly left: number;
}

/** How many bytes go to one partition before the next is chosen; Java's default `batch.size` doubled twice. */
const stickyBytes = 1 << 16;

/**
 * Stays with one partition for 64 KiB, so that batches fill, then goes to another by chance (KIP-480,
 * KIP-794). `random` gives numbers from 0 to below 1.
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
