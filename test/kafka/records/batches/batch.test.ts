import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextBatch, nextRecord } from '../../../../src/kafka/records/batches/batch-reader.ts';
import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import { createBatchWriter, stampBatch, writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { compressions } from '../../../../src/kafka/records/batches/compression/compressions.ts';
import { CorruptRecordsError } from '../../../../src/kafka/records/batches/corrupt.ts';
import { exactBaseOffset, offsetAfterBatch } from '../../../../src/kafka/records/batches/cursor.ts';
import { cursorOver, type PlainRecord, readAll, writeBatch } from './batches.ts';
import { anyTimestamp } from './timestamps.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value)),
  fc.tuple(fc.integer({ min: 0, max: 300 }), fc.nat(255)).map(([length, byte]) => Buffer.alloc(length, byte)),
);
const nullable = fc.option(bytes, { freq: 4 });
const names = fc.constantFrom('', 'a', 'b', '5', '__proto__', '\u00e9').map((name) => Buffer.from(name));
const record: fc.Arbitrary<PlainRecord> = fc.record({
  key: nullable,
  value: nullable,
  headers: fc.array(fc.tuple(names, nullable), { maxLength: 4 }),
  timestamp: fc.oneof(fc.integer({ min: -1, max: 2 ** 41 }), anyTimestamp),
});
const records = fc.array(record, { minLength: 1, maxLength: 60 });

describe('what is written is read back', () => {
  test.each(compressions)('the same, with %s', (compression) => {
    const property = fc.property(records, fc.bigInt({ min: 0n, max: 2n ** 62n }), (list, base) => {
      const batch = writeBatch(list, { compression });
      writeBaseOffset(batch, base);
      expect(readAll(batch)).toEqual(list.map((one, index) => ({ ...one, offset: base + BigInt(index) })));
    });
    fc.assert(property, { numRuns: 200 });
  });

  test('when thousands of records share a batch', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({
      key: index % 3 === 0 ? null : Buffer.from(`key ${index}`),
      value: Buffer.from(`value ${index} `.repeat(index % 7)),
      headers: [],
      timestamp: 1_700_000_000_000 + index,
    }));
    for (const compression of compressions)
      expect(readAll(writeBatch(list, { compression }))).toHaveLength(list.length);
  });

  test('from a writer whose memory includes what a batch is packed into', () => {
    const writer = createBatchWriter({ compression: 'gzip', maxBytes: 1000 });
    writer.append({ ...createOutgoingRecord(), valueBytes: Buffer.alloc(500), valueLength: 500 });
    const unpacked = writer.capacity;
    writer.finish({ producerId: -1n, producerEpoch: -1, baseSequence: -1 });
    expect(writer.capacity).toBeGreaterThan(unpacked);
  });

  test('when a record is 10 MB', () => {
    const value = Buffer.alloc(10 * 2 ** 20, 'abcdefghij\u00e9');
    for (const compression of compressions) {
      const [only] = readAll(writeBatch([{ key: null, value, headers: [], timestamp: 0 }], { compression }));
      expect(only?.value?.equals(value)).toBe(true);
    }
  });
});

describe('a batch writer', () => {
  const filled = (text: string) => {
    const outgoing = createOutgoingRecord();
    outgoing.valueBytes = Buffer.from(text);
    outgoing.valueLength = outgoing.valueBytes.length;
    return outgoing;
  };
  const stamp = { producerId: 77n, producerEpoch: 3, baseSequence: 9 };

  test('refuses a record beyond the limit, and writes no part of it', () => {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 200 });
    let count = 0;
    while (writer.append(filled('0123456789'))) count++;
    const { size } = writer;
    expect(writer.append(filled('0123456789'))).toBe(false);
    expect(writer.size).toBe(size);
    expect(size).toBeLessThanOrEqual(200);
    expect(readAll(writer.finish(stamp))).toHaveLength(count);
  });

  test('accepts a record of any size into an empty batch', () => {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 100 });
    expect(writer.append(filled('x'.repeat(5000)))).toBe(true);
    expect(writer.append(filled(''))).toBe(false);
  });

  test('writes lines as it would write their records, into as many batches', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.integer({ min: 0, max: 400 }).map((size) => 'x'.repeat(size)),
    );
    const clean = line.map((text) => text.replaceAll('\n', ''));
    const stretch = fc.record({ lines: fc.array(clean), later: fc.integer({ min: -70, max: 10_000 }), rest: clean });
    const limits = fc.record({
      maxBytes: fc.integer({ min: 62, max: 2000 }),
      enough: fc.integer({ min: 1, max: 1000 }),
    });
    const property = fc.property(fc.array(stretch), limits, (stretches, { maxBytes, enough }) => {
      const [slow, fast] = [
        createBatchWriter({ compression: 'none', maxBytes }),
        createBatchWriter({ compression: 'none', maxBytes }),
      ];
      const [expected, batches]: [Buffer[], Buffer[]] = [[], []];
      const seal = (writer: typeof slow, list: Buffer[]): void => {
        if (writer.count > 0) list.push(Buffer.from(writer.finish(stamp)));
        writer.reset();
      };
      let timestamp = 1_700_000_000_000;
      let count = 0;
      for (const { lines: values, later, rest } of stretches) {
        timestamp += later;
        for (const value of values) {
          const outgoing = { ...filled(value), timestamp };
          if (slow.append(outgoing)) continue;
          seal(slow, expected);
          slow.append(outgoing);
        }
        const bytes = Buffer.from(`before${values.map((value) => `${value}\n`).join('')}${rest}`);
        const lines = {
          bytes,
          view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
          at: 6,
          count,
          terminator: 10,
        };
        while (bytes.indexOf(10, lines.at) >= 0)
          if (fast.appendLines(lines, timestamp, { maxBytes, enough })) seal(fast, batches);
        count += values.length;
        expect(lines).toMatchObject({ count, at: bytes.length - Buffer.byteLength(rest) });
      }
      seal(slow, expected);
      seal(fast, batches);
      expect(batches).toEqual(expected);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('starts again in the same memory', () => {
    const writer = createBatchWriter({ compression: 'lz4', maxBytes: 1e6 });
    writer.append(filled('first'));
    writer.finish(stamp);
    writer.reset();
    writer.append(filled('second'));
    expect(readAll(writer.finish(stamp)).map(({ value }) => value?.toString())).toEqual(['second']);
  });

  test('stamps producer id, epoch and sequence, again for a retry', () => {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 1e6, transactional: true });
    writer.append(filled('x'));
    const batch = writer.finish(stamp);
    stampBatch(batch, { ...stamp, producerEpoch: 4 });
    const cursor = cursorOver(batch);
    expect(nextBatch(cursor)).toBe(true);
    expect(cursor).toMatchObject({
      producerId: 77,
      producerEpoch: 4,
      baseSequence: 9,
      attributes: 0x10,
      leaderEpoch: -1,
    });
  });
});

describe('a cursor', () => {
  const one: PlainRecord = { key: null, value: Buffer.from('v'), headers: [], timestamp: 5 };

  test('stops before a truncated batch, and reports its length', () => {
    const batch = writeBatch([one, one]);
    for (let cut = 1; cut < batch.length; cut++) {
      const cursor = cursorOver(Buffer.concat([batch, batch.subarray(0, cut)]));
      expect(nextBatch(cursor)).toBe(true);
      expect(nextBatch(cursor)).toBe(false);
      expect(cursor.truncated).toBe(cut < 12 ? 0 : batch.length);
    }
  });

  test('passes over a batch that compaction emptied, with any compression', () => {
    const [empty, full] = [writeBatch([]), writeBatch([one])];
    empty.writeInt16BE(2, 21);
    empty.writeInt32BE(4, 23);
    stampBatch(empty, { producerId: 5n, producerEpoch: 0, baseSequence: 0 });
    writeBaseOffset(full, 5n);
    const cursor = cursorOver(Buffer.concat([empty, full]));
    expect(nextBatch(cursor)).toBe(true);
    expect(nextRecord(cursor)).toBe(false);
    expect(offsetAfterBatch(cursor)).toBe(5n);
    expect(nextBatch(cursor) && nextRecord(cursor)).toBe(true);
  });

  test('skips a batch without unpacking it', () => {
    const [first, second] = [writeBatch([one, one], { compression: 'zstd' }), writeBatch([one])];
    writeBaseOffset(first, 100n);
    writeBaseOffset(second, 102n);
    const cursor = cursorOver(Buffer.concat([first, second]));
    expect(nextBatch(cursor)).toBe(true);
    expect(offsetAfterBatch(cursor)).toBe(102n);
    expect(nextBatch(cursor)).toBe(true);
    expect(exactBaseOffset(cursor)).toBe(102n);
    expect(nextRecord(cursor)).toBe(true);
    expect(nextRecord(cursor)).toBe(false);
    expect(nextBatch(cursor)).toBe(false);
  });

  test('names the base offset and the reason of a wrong checksum', () => {
    const batch = writeBatch([one]);
    writeBaseOffset(batch, 42n);
    batch[batch.length - 2] = 0xff;
    expect(() => readAll(batch)).toThrow(/corrupt record batch at offset 42: the checksum is [0-9a-f]{8}, expected /);
  });

  test('refuses to unpack beyond its limit, in every codec', () => {
    const value = Buffer.alloc(8 * 2 ** 20);
    for (const compression of compressions.slice(1)) {
      const bomb = writeBatch([{ ...one, value }], { compression });
      expect(bomb.length).toBeLessThan(value.length / 10);
      expect(() => readAll(bomb, { maxUnpackedBytes: 2 ** 20 })).toThrow(/it decompresses to more than \d+ bytes/);
    }
  });

  test('unpacks more than its limit from a batch that is large on the wire, too', () => {
    const value = randomBytes(2 * 2 ** 20);
    const batch = writeBatch([{ ...one, value }], { compression: 'gzip' });
    expect(readAll(batch, { maxUnpackedBytes: 2 ** 20 })).toHaveLength(1);
  });
});

describe('damaged bytes', () => {
  const base = Array.from({ length: 8 }, (_, index) => ({
    key: Buffer.from(`key ${index}`),
    value: Buffer.from('some value '.repeat(index * 5)),
    headers: [[Buffer.from('h'), null]] as const,
    timestamp: index,
  }));
  const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 4,
  });

  test.each(compressions)('give records or a typed error, never a crash (%s)', (compression) => {
    const batch = writeBatch(base, { compression });
    const property = fc.property(
      damage,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      (edits, keep, cut) => {
        const damaged = Buffer.from(batch);
        for (const [place, byte] of edits) damaged[Math.floor(place * damaged.length)] = byte;
        const shown = cut ? damaged.subarray(0, Math.floor(keep * damaged.length)) : damaged;
        if (cut && shown.length > 12) shown.writeInt32BE(shown.length - 12, 8);
        try {
          readAll(shown, { checkCrc: false, maxUnpackedBytes: 2 ** 20 });
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptRecordsError);
        }
      },
    );
    fc.assert(property, { numRuns: 1000 });
  });

  test('random bytes too', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(3), (noise, magic) => {
      const shown = Buffer.from(noise);
      if (shown.length > 20) {
        shown.writeInt32BE(shown.length - 12, 8);
        shown[16] = magic;
      }
      try {
        readAll(shown, { checkCrc: false, maxUnpackedBytes: 2 ** 20 });
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptRecordsError);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });
});
