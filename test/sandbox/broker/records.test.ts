import { expect, test } from 'vitest';
import { createBatchWriter } from '../../../src/kafka/records/batches/batch-writer.ts';
import { compressions } from '../../../src/kafka/records/batches/compression/compressions.ts';
import { isIntact, readBatch } from '../../../src/sandbox/broker/log/batch.ts';
import { readRecords } from '../../../src/sandbox/broker/log/records.ts';
import { seededRandom } from '../../../src/serde/random.ts';

/** Creates values with short-range and long-range repetition, and some without any. */
function valuesOf(seed: number): readonly Buffer[] {
  const roll = seededRandom(seed);
  const pick = (below: number): number => Math.floor(roll() * below);
  return Array.from({ length: 1 + pick(60) }, () => {
    const kind = roll();
    if (kind < 0.3) return Buffer.alloc(pick(3_000), pick(256));
    if (kind < 0.6) return Buffer.from('the same words again and again '.repeat(1 + pick(80)));
    return Buffer.from(Array.from({ length: pick(400) }, () => pick(kind < 0.8 ? 4 : 256)));
  });
}

test("the client's batches are decompressed with every codec", () => {
  for (const compression of compressions) {
    for (let seed = 0; seed < 40; seed += 1) {
      const values = valuesOf(seed);
      const writer = createBatchWriter({ compression, maxBytes: 1 << 24 });
      for (const [index, value] of values.entries()) {
        const key = Buffer.from(`k${index}`);
        writer.append({
          keyBytes: key,
          keyStart: 0,
          keyLength: key.length,
          valueBytes: value,
          valueStart: 0,
          valueLength: value.length,
          headers: [],
          timestamp: 1_000 + index,
          exactTimestamp: -1n,
        });
      }
      const bytes = Buffer.from(writer.finish({ producerId: -1n, producerEpoch: -1, baseSequence: -1 }));
      expect(isIntact(bytes)).toBe(true);
      const records = readRecords(readBatch(bytes));
      expect(records.map(({ key }) => String(key))).toEqual(values.map((_value, index) => `k${index}`));
      for (const [index, value] of values.entries()) {
        expect(records[index]?.value?.equals(value), `${compression} ${seed} ${index}`).toBe(true);
      }
    }
  }
});
