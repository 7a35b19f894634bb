import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewOver } from '../../../../src/bytes/arena.ts';
import { nextBatch, nextRecord } from '../../../../src/kafka/records/batches/batch-reader.ts';
import { createOutgoingRecord, type Lines } from '../../../../src/kafka/records/batches/batch-records.ts';
import {
  createBatchWriter,
  writeAppendTime,
  writeBaseOffset,
} from '../../../../src/kafka/records/batches/batch-writer.ts';
import { crc32c } from '../../../../src/kafka/records/batches/crc32c.ts';
import { isLogAppendTime, offsetAfterBatch } from '../../../../src/kafka/records/batches/cursor.ts';
import * as varint from '../../../../src/kafka/records/batches/varint.ts';
import { cursorOver, type ReadRecord, readAll, writeBatch } from './batches.ts';
import { type OldMessage, slowCrc32c, slowRead, slowVarint, wrapMessages, writeMessage } from './reference.ts';
import { anyInt64, closeTimes } from './timestamps.ts';

const withExactTime = (one: ReadRecord) => ({ ...one, timestamp: BigInt(one.timestamp) });

describe('the fast code agrees with the slow', () => {
  test('on checksums, at every length and alignment', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    const noise = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 167 + (index >> 3)) & 255));
    for (let start = 0; start < 9; start++) {
      for (let end = start; end < 150; end++)
        expect(crc32c(noise, start, end)).toBe(slowCrc32c(noise.subarray(start, end)));
    }
  });

  test('on checksums after the first megabyte, which WebAssembly computes', () => {
    crc32c(Buffer.alloc(1 << 20));
    const noise = Buffer.from(Array.from({ length: 60_001 }, (_, index) => (index * 40503) >>> 7));
    // Of one portion and of several, with every rest of a block and at several alignments.
    const ranges = Array.from({ length: 128 }, (_, rest) => [rest & 15, (rest & 15) + 2048 + rest] as const);
    for (const [start, end] of [...ranges, [0, 16_384], [0, 16_385], [1, 32_896], [2, 60_001]] as const) {
      expect(crc32c(noise, start, end), `${start} to ${end}`).toBe(slowCrc32c(noise.subarray(start, end)));
    }
  });

  test('on varints', () => {
    const property = fc.property(
      fc.oneof(fc.integer(), fc.constantFrom(0, -1, 63, 64, -64, -65, 2 ** 31 - 1, -(2 ** 31))),
      (value) => {
        const bytes = Buffer.alloc(10);
        const size = varint.writeVarint(bytes, 0, value);
        expect(bytes.subarray(0, size)).toEqual(slowVarint(BigInt(value)));
        expect(varint.sizeOfVarint(value)).toBe(size);
        expect(varint.readVarint(bytes, { at: 0 }, size)).toBe(value);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });

  test('on varlongs up to 2^53', () => {
    const edges = fc.constantFrom(
      0,
      -1,
      2 ** 27,
      2 ** 28,
      2 ** 31,
      2 ** 32,
      2 ** 52,
      -(2 ** 31),
      -(2 ** 31) - 1,
      -(2 ** 52),
    );
    const property = fc.property(fc.oneof(fc.maxSafeInteger(), edges, fc.integer()), (value) => {
      const bytes = Buffer.alloc(10);
      const size = varint.writeVarlong(bytes, 0, value);
      expect(bytes.subarray(0, size)).toEqual(slowVarint(BigInt(value)));
      expect(varint.sizeOfVarlong(value)).toBe(size);
      expect(varint.readVarlong(bytes, { at: 0 }, size)).toBe(value);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('on varlongs of 64 bits, which are not a number beyond 2^53', () => {
    const property = fc.property(anyInt64, (value) => {
      const bytes = slowVarint(value);
      const read = varint.readVarlong(bytes, { at: 0 }, bytes.length);
      if (Number.isSafeInteger(Number(value))) expect(read).toBe(Number(value));
      else if (value !== -(2n ** 53n)) expect(read).toBeNaN();
      expect(varint.readExactVarlong(bytes, 0)).toBe(value);
      const written = Buffer.alloc(10);
      const size = varint.writeExactVarlong(written, 0, value);
      expect(written.subarray(0, size)).toEqual(bytes);
      expect(varint.sizeOfExactVarlong(value)).toBe(size);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('on the records of a batch', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
    const nullable = fc.option(bytes) as fc.Arbitrary<Buffer | null>;
    const record = fc.record({
      key: nullable,
      value: nullable,
      headers: fc.array(fc.tuple(bytes, nullable), { maxLength: 3 }),
      timestamp: anyInt64,
    });
    const property = fc.property(
      fc.array(record, { minLength: 1, maxLength: 80 }),
      fc.bigInt({ min: 0n, max: 2n ** 60n }),
      (list, base) => {
        const batch = writeBatch(list);
        writeBaseOffset(batch, base);
        expect(slowRead(batch).map(({ timestamp }) => timestamp)).toEqual(list.map(({ timestamp }) => timestamp));
        expect(readAll(batch).map(withExactTime)).toEqual(slowRead(batch));
        expect(batch.readBigInt64BE(27)).toBe(list[0]?.timestamp);
        expect(batch.readBigInt64BE(35)).toBe(list.map((one) => one.timestamp).reduce((a, b) => (a > b ? a : b)));
        expect(batch.readUInt32BE(17)).toBe(slowCrc32c(batch.subarray(21)));
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});

describe('timestamps of 64 bits', () => {
  test('close together are read and written exactly', () => {
    const property = fc.property(closeTimes, (times) => {
      const batch = writeBatch(times.map((timestamp) => ({ key: null, value: null, headers: [], timestamp })));
      expect(slowRead(batch).map(({ timestamp }) => timestamp)).toEqual(times);
      expect(readAll(batch).map(({ timestamp }) => BigInt(timestamp))).toEqual(times);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('of the time at which the broker appended are exact', () => {
    const property = fc.property(closeTimes, anyInt64, (times, appended) => {
      const batch = writeBatch(times.map((timestamp) => ({ key: null, value: null, headers: [], timestamp })));
      writeAppendTime(batch, appended);
      expect(readAll(batch, { checkCrc: false }).map(({ timestamp }) => BigInt(timestamp))).toEqual(
        times.map(() => appended),
      );
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('in old message sets are exact', () => {
    const property = fc.property(anyInt64, anyInt64, (first, second) => {
      const old = (timestamp: bigint, offset: bigint): OldMessage => ({
        ...{ magic: 1, offset, timestamp, key: null, value: null },
      });
      const packed = wrapMessages([old(first, 4n), old(second, 5n)]);
      const stamped = wrapMessages([old(first, 6n)], { attributes: 9, timestamp: second });
      const set = Buffer.concat([writeMessage(old(first, 3n)), packed, stamped]);
      expect(readAll(set).map(({ timestamp }) => BigInt(timestamp))).toEqual([first, first, second, second]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('do not remain in a writer whose memory is reused', () => {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 1000 });
    const record = { ...createOutgoingRecord(), timestamp: Number.NaN, exactTimestamp: 2n ** 60n };
    const finish = () => writer.finish({ producerId: -1n, producerEpoch: -1, baseSequence: -1 });
    writer.append({ ...record, exactTimestamp: 2n ** 61n });
    writer.reset();
    writer.append({ ...record, timestamp: 7 });
    expect([27, 35].map((at) => finish().readBigInt64BE(at))).toEqual([7n, 7n]);
    writer.reset();
    writer.append(record);
    expect(slowRead(finish()).map(({ timestamp }) => timestamp)).toEqual([2n ** 60n]);
    const lines: Lines = {
      bytes: Buffer.from('a\n'),
      view: viewOver(Buffer.from('a\n')),
      at: 0,
      count: 0,
      terminator: 10,
    };
    const limits = { maxBytes: 1000, enough: 100 };
    expect(writer.appendLines(lines, 5, limits), 'its batch is full for lines').toBe(true);
    writer.reset();
    expect(finish().readBigInt64BE(27)).toBe(-1n);
    writer.appendLines(lines, 5, limits);
    expect(slowRead(finish()).map(({ timestamp }) => timestamp)).toEqual([5n]);
    writer.reset();
    writer.append({ ...record, timestamp: 7 });
    expect(slowRead(finish()).map(({ timestamp }) => timestamp)).toEqual([7n]);
  });
});

describe('old message sets', () => {
  const text = (value: string | null) => (value === null ? null : Buffer.from(value));
  const message = (magic: 0 | 1, offset: bigint, key: string | null, value: string | null): OldMessage => ({
    ...{ magic, offset, key: text(key), value: text(value) },
    timestamp: 1000n + offset,
  });
  const read = (bytes: Buffer) =>
    readAll(bytes).map(({ offset, timestamp, key, value }) => [
      offset,
      timestamp,
      key?.toString() ?? null,
      value?.toString() ?? null,
    ]);

  test('of magic 0, message by message', () => {
    const set = Buffer.concat([writeMessage(message(0, 7n, 'k', 'v')), writeMessage(message(0, 9n, null, null))]);
    expect(read(set)).toEqual([
      [7n, -1, 'k', 'v'],
      [9n, -1, null, null],
    ]);
  });

  test('of magic 1, with timestamps', () => {
    expect(read(writeMessage(message(1, 2n ** 54n + 1n, '', '')))).toEqual([
      [2n ** 54n + 1n, 2n ** 54n + 1001n, '', ''],
    ]);
  });

  test.each([0, 1] as const)('packed, of magic %d, with gaps', (magic) => {
    const inner = [message(magic, 100n, 'a', '1'), message(magic, 101n, 'b', null), message(magic, 105n, null, '3')];
    const timestamp = (offset: number) => (magic === 0 ? -1 : 1000 + offset);
    const set = Buffer.concat([wrapMessages(inner), writeMessage(message(magic, 106n, null, 'last'))]);
    expect(read(set)).toEqual([
      [100n, timestamp(100), 'a', '1'],
      [101n, timestamp(101), 'b', null],
      [105n, timestamp(105), null, '3'],
      [106n, timestamp(106), null, 'last'],
    ]);
  });

  test('with the time at which the broker appended', () => {
    const set = wrapMessages([message(1, 3n, null, 'x')], { attributes: 9, timestamp: 5555n });
    const cursor = cursorOver(set);
    expect(nextBatch(cursor) && nextRecord(cursor)).toBe(true);
    expect(isLogAppendTime(cursor)).toBe(true);
    expect(cursor.timestamp).toBe(5555);
    expect(offsetAfterBatch(cursor)).toBe(4n);
  });

  test('before and after batches of magic 2', () => {
    const batch = writeBatch([{ key: null, value: Buffer.from('new'), headers: [], timestamp: 3 }]);
    writeBaseOffset(batch, 11n);
    const set = Buffer.concat([
      writeMessage(message(1, 10n, null, 'old')),
      batch,
      writeMessage(message(0, 12n, null, 'older')),
    ]);
    expect(read(set).map(([offset, , , value]) => [offset, value])).toEqual([
      [10n, 'old'],
      [11n, 'new'],
      [12n, 'older'],
    ]);
  });

  test.each<[string, Buffer, string]>([
    [
      'a wrong checksum',
      Buffer.concat([writeMessage(message(1, 1n, 'k', 'v')).subarray(0, -1), Buffer.from('x')]),
      'checksum of a message',
    ],
    [
      'a packed message that is packed again',
      wrapMessages([{ ...message(1, 1n, null, 'v'), attributes: 1 }]),
      'compressed again',
    ],
    [
      'a packed message of another magic',
      wrapMessages([message(1, 1n, null, 'v'), message(0, 2n, null, 'v')]),
      'a different magic byte',
    ],
    [
      'zstd, which is younger',
      wrapMessages([message(1, 1n, null, 'v')], { attributes: 4 }),
      'unsupported compression type 4',
    ],
  ])('with %s are refused', (_name, set, reason) => {
    expect(() => readAll(set)).toThrow(reason);
  });
});
