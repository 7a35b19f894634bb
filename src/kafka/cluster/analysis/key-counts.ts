import { isUtf8 } from 'node:buffer';
import { murmur2 } from '../../records/batches/partitioner.ts';
import type { FrequentKey, KeySpread } from './analysis-rows.ts';

/** The most keys that are counted at the same time; beyond that, the rarer half is dropped. */
const mostKeys = 20_000;
/** A longer key is counted by its beginning and a hash of all of it. */
const longestKey = 128;

/** Counts keys in bounded memory. */
export interface KeyCounts {
  /** Counts a key; a length of -1 is no key. */
  add(bytes: Buffer, start: number, length: number): void;
  spread(top: number): KeySpread;
}

/** Creates an empty count. */
export function createKeyCounts(capacity = mostKeys): KeyCounts {
  const counts = new Map<string, number>();
  const distinct = createDistinctEstimate();
  let [withoutKey, total, missed] = [0, 0, 0];

  /** Drops the rarer half: what a dropped key had is what its later count may lack. */
  function shrink(): void {
    const sorted = [...counts].sort(([, a], [, b]) => a - b);
    const dropped = sorted.slice(0, Math.ceil(sorted.length / 2));
    for (const [key] of dropped) counts.delete(key);
    missed += dropped.at(-1)?.[1] ?? 0;
  }
  return {
    add(bytes, start, length) {
      total += 1;
      if (length < 0) {
        withoutKey += 1;
        return;
      }
      const hash = murmur2(bytes, start, length);
      distinct.add(hash);
      const name = nameOf(bytes, { start, length, hash });
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (counts.size > capacity) shrink();
    },
    spread(top) {
      const first = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, top);
      return {
        without_key: withoutKey,
        distinct: missed === 0 ? counts.size : Math.max(counts.size, distinct.estimate()),
        is_estimate: missed > 0,
        missed,
        top: first.map(([name, records]) => keyRow(name, records, total)),
      };
    },
  };
}

/** The name of a key: its bytes, or the beginning of a long one and a hash, both as latin1. */
function nameOf(bytes: Buffer, { start, length, hash }: { start: number; length: number; hash: number }): string {
  if (length <= longestKey) return bytes.toString('latin1', start, start + length);
  return `${bytes.toString('latin1', start, start + longestKey)}/${length}/${hash}`;
}

function keyRow(name: string, records: number, total: number): FrequentKey {
  const isTruncated = name.length > longestKey;
  const bytes = whole(Buffer.from(name.slice(0, longestKey), 'latin1'), isTruncated);
  const isText = isUtf8(bytes);
  return {
    key: bytes.toString(isText ? 'utf8' : 'base64'),
    key_encoding: isText ? 'text' : 'base64',
    is_truncated: isTruncated,
    records,
    share: records / total,
  };
}

/** The bytes without a character of UTF-8 that the end of a truncated key has cut. */
function whole(bytes: Buffer, isTruncated: boolean): Buffer {
  if (!isTruncated) return bytes;
  let end = bytes.length;
  while (end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - (end - 1) < needed ? bytes.subarray(0, end - 1) : bytes;
}

/** The bits of a hash that choose a register of a HyperLogLog: 4096 registers are exact to about two percent. */
const registerBits = 12;

/** Estimates the number of distinct hashes (HyperLogLog). */
function createDistinctEstimate() {
  const registers = new Uint8Array(1 << registerBits);
  return {
    add(hash: number): void {
      const register = hash >>> (32 - registerBits);
      const rank = Math.min(Math.clz32((hash << registerBits) >>> 0) + 1, 32 - registerBits + 1);
      if (rank > (registers[register] ?? 0)) registers[register] = rank;
    },
    estimate(): number {
      const count = registers.length;
      let [sum, zeros] = [0, 0];
      for (const rank of registers) {
        sum += 2 ** -rank;
        if (rank === 0) zeros += 1;
      }
      const raw = ((0.7213 / (1 + 1.079 / count)) * count * count) / sum;
      // Few keys leave registers empty, and the number of these is more exact.
      return Math.round(raw <= 2.5 * count && zeros > 0 ? count * Math.log(count / zeros) : raw);
    },
  };
}
