import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSound } from '../../../src/kafka/carry/adopt.ts';
import { createWriterPool } from '../../../src/kafka/carry/packer.ts';
import { type ArrivedRecords, createPorter, type PortionOptions } from '../../../src/kafka/carry/portions.ts';
import { crc32c } from '../../../src/kafka/records/batches/crc32c.ts';
import { recordOrigin } from '../../../src/kafka/records/batches/cursor.ts';
import { appendTo, type PlainRecord, readAll, writeBatch } from '../records/batches/batches.ts';
import { wrapMessages, writeMessage } from '../records/batches/reference.ts';
import { batchBytes, markerBytes } from '../streams/consume/control-batches.ts';
import { answerFetch, anySteps, writeLog } from '../streams/consume/transactional-log.ts';

interface Got {
  readonly partition: number;
  readonly bytes: Buffer;
  readonly isAdopted: boolean;
}

const stamp = { producerId: 7n, producerEpoch: 2, baseSequence: 11 };

/** Divides records and returns the finished batches, with how far each portion reaches. */
function divide(records: Buffer, more: Partial<ArrivedRecords & PortionOptions> = {}) {
  const { from = 0n, to = 1_000n, end, abortedTransactions = [], isTransactional = false, ...rest } = more;
  const pool = createWriterPool(rest.maxBatchBytes ?? 1 << 20, isTransactional);
  const options = { pool, maxBatchBytes: 1 << 20, isTransactional, partitionOf: undefined, wants: undefined, ...rest };
  const porter = createPorter(options);
  const got: Got[] = [];
  const reached: bigint[] = [];
  const chunk = { partition: 3, records: Buffer.from(records), from, to, end, abortedTransactions };
  for (const { parcels, upTo } of porter.portions(chunk, recordOrigin('foo', 3))) {
    for (const { writer, partition, adoptedAt } of parcels) {
      got.push({ partition, bytes: Buffer.from(writer.finish(stamp)), isAdopted: adoptedAt !== undefined });
    }
    reached.push(upTo);
  }
  return {
    got,
    reached,
    get records() {
      return got.flatMap(({ bytes }) => readAll(bytes));
    },
  };
}

/** What `LogValidator` of Kafka demands of a producer's batch, and what we must not take over from another one. */
function expectTakes(bytes: Buffer, isTransactional = false): void {
  expect(bytes.readBigInt64BE(0)).toBe(0n);
  expect(bytes.readInt32BE(8)).toBe(bytes.length - 12);
  expect(bytes.readInt32BE(12)).toBe(-1);
  expect(bytes[16]).toBe(2);
  expect(bytes.readUInt32BE(17)).toBe(crc32c(bytes, 21));
  expect(bytes.readInt16BE(21) & ~7).toBe(isTransactional ? 0x10 : 0);
  expect(bytes.readInt32BE(23) + 1).toBe(bytes.readInt32BE(57));
  expect(bytes.readBigInt64BE(43)).toBe(stamp.producerId);
  expect(bytes.readInt16BE(51)).toBe(stamp.producerEpoch);
  expect(bytes.readInt32BE(53)).toBe(stamp.baseSequence);
}

function plain(count: number, size = 10, timestamp = 5): PlainRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    key: Buffer.from(`k${at}`),
    value: at % 5 === 4 ? null : Buffer.alloc(size, at),
    headers: at % 3 === 0 ? [[Buffer.from('h'), null] as const, [Buffer.from('h'), Buffer.from('x')] as const] : [],
    timestamp: timestamp + at,
  }));
}

/** A batch as a log has it: at an offset, with attributes, under another producer. */
function stored(
  records: readonly PlainRecord[],
  base: bigint,
  attributes = 0,
  compression: 'none' | 'zstd' = 'none',
): Buffer {
  const bytes = writeBatch(records, { compression });
  bytes.writeBigInt64BE(base, 0);
  bytes.writeInt32BE(9, 12);
  bytes.writeInt16BE(bytes.readInt16BE(21) | attributes, 21);
  bytes.writeBigInt64BE(99n, 43);
  bytes.writeInt16BE(4, 51);
  bytes.writeInt32BE(1_234, 53);
  bytes.writeUInt32BE(crc32c(bytes, 21), 17);
  return bytes;
}

const withoutOffset = (records: readonly PlainRecord[]) =>
  records.map(({ key, value, headers, timestamp }) => ({ key, value, headers, timestamp }));

describe('a batch stays as it is, except for what its broker and producer wrote into the header', () => {
  it.each([
    ['nothing', 0],
    ['a transaction', 0x10],
    ['the age of tombstones', 0x40],
  ])('with %s in its attributes', (_, attributes) => {
    for (const isTransactional of [false, true]) {
      const batch = stored(plain(400, 100), 70n, attributes, 'zstd');
      const { got, reached, records } = divide(batch, { from: 70n, to: 470n, isTransactional });
      expect(got.map(({ partition, isAdopted }) => [partition, isAdopted])).toEqual([[3, true]]);
      const [{ bytes } = { bytes: Buffer.alloc(0) }] = got;
      expectTakes(bytes, isTransactional);
      expect(bytes.subarray(57).equals(batch.subarray(57))).toBe(true);
      expect(withoutOffset(records)).toEqual(plain(400, 100));
      expect(reached).toEqual([470n, 470n]);
    }
  });

  it('even if it is small, unless small ones follow', () => {
    expect(divide(stored(plain(3), 0n)).got).toMatchObject([{ isAdopted: true }]);
    const many = Array.from({ length: 50 }, (_, at) => stored(plain(3, 10, at), BigInt(at * 3)));
    const { got, records } = divide(Buffer.concat(many));
    expect(got).toMatchObject([{ isAdopted: false }]);
    expect(records).toHaveLength(150);
    expect(withoutOffset(records)).toEqual(many.flatMap((_, at) => plain(3, 10, at)));
    for (const { bytes } of got) expectTakes(bytes);
  });
});

describe('a batch is built again where a broker would refuse it or change its records', () => {
  it('with times of the broker, which become those of the records', () => {
    const batch = stored(plain(300, 100), 0n, 0x08, 'zstd');
    batch.writeBigInt64BE(777n, 35);
    batch.writeUInt32BE(crc32c(batch, 21), 17);
    const { got, records } = divide(batch);
    expect(got).toMatchObject([{ isAdopted: false }]);
    for (const { bytes } of got) {
      expectTakes(bytes);
      expect(bytes.readInt16BE(21)).toBe(4); // zstd, as before
    }
    expect(withoutOffset(records)).toEqual(plain(300, 100).map((record) => ({ ...record, timestamp: 777 })));
  });

  it('with times beyond 2^53', () => {
    const times = [2n ** 62n, 3n, -(2n ** 60n)];
    const source = times.map((timestamp) => ({ key: null, value: Buffer.from('v'), headers: [], timestamp }));
    const { records } = divide(stored(source, 0n), { from: 1n });
    expect(records.map(({ timestamp }) => BigInt(timestamp))).toEqual(times.slice(1));
  });

  it('where the range cuts it', () => {
    const batch = stored(plain(100, 200), 10n);
    const { got, records, reached } = divide(batch, { from: 12n, end: 15n, to: 110n });
    expect(got).toMatchObject([{ isAdopted: false }]);
    expect(withoutOffset(records)).toEqual(plain(100, 200).slice(2, 5));
    expect(reached).toEqual([15n]);
  });

  it('where it is larger than the destination takes', () => {
    const { got, records, reached } = divide(stored(plain(1_000, 100), 0n), { maxBatchBytes: 20_000 });
    expect(got.length).toBeGreaterThan(4);
    let count = 0;
    for (const [at, { bytes }] of got.entries()) {
      expectTakes(bytes);
      expect(bytes.length).toBeLessThanOrEqual(20_000);
      // Each counts as soon as the destination has it.
      count += readAll(bytes).length;
      expect(reached[at]).toBe(BigInt(count));
    }
    expect(withoutOffset(records)).toEqual(plain(1_000, 100));
  });

  it('of the formats before Kafka 0.11', () => {
    const old = ([0, 1] as const).flatMap((magic) => [
      writeMessage({ magic, offset: BigInt(magic * 10), timestamp: 8n, key: Buffer.from('a'), value: null }),
      wrapMessages(
        [1n, 2n].map((offset) => ({
          magic,
          offset: magic === 1 ? offset - 1n : offset,
          timestamp: 9n,
          key: null,
          value: Buffer.from(`m${magic}`),
        })),
        { magic, attributes: 1, offset: BigInt(magic * 10 + 2) },
      ),
    ]);
    const { got, records, reached } = divide(Buffer.concat(old), { to: 13n });
    for (const { bytes } of got) expectTakes(bytes);
    expect(records.map(({ key, value, timestamp }) => [key?.toString(), value?.toString(), timestamp])).toEqual([
      ['a', undefined, -1],
      [undefined, 'm0', -1],
      [undefined, 'm0', -1],
      ['a', undefined, 8],
      [undefined, 'm1', 9],
      [undefined, 'm1', 9],
    ]);
    expect(reached.at(-1)).toBe(13n);
  });

  it('where each record goes to the partition of its key', () => {
    const { got, records, reached } = divide(stored(plain(100), 0n), {
      to: 100n,
      partitionOf: ({ keyLength }) => keyLength,
    });
    expect(got.map(({ partition }) => partition)).toEqual([2, 3]);
    expect(records.map(({ key }) => key?.toString()).slice(0, 11)).toEqual([
      ...plain(10).map(({ key }) => key?.toString()),
      'k10',
    ]);
    expect(reached).toEqual([100n]);
  });
});

it('leaves out markers, records of aborted transactions and batches that compaction has emptied', () => {
  const of = (base: bigint, producerId: bigint, value: string) =>
    batchBytes({
      base,
      lastOffsetDelta: 0,
      producerId,
      isTransactional: true,
      isControl: false,
      records: value === '' ? [] : [{ delta: 0, key: null, value: Buffer.from(value) }],
    });
  const log = [
    of(0n, 1n, 'aborted'),
    of(1n, 2n, 'kept'),
    markerBytes(2n, 1n, 'abort'),
    of(3n, 1n, 'next'),
    of(4n, 2n, ''),
  ];
  const abortedTransactions = [{ producerId: 1n, firstOffset: 0n }];
  const { records, reached } = divide(Buffer.concat(log), { to: 5n, abortedTransactions });
  expect(records.map(({ value }) => value?.toString())).toEqual(['kept', 'next']);
  expect(reached.at(-1)).toBe(5n);
});

it('hands over what comes before damage, and how far that is', () => {
  const bad = stored(plain(20, 100), 3n);
  bad[400] = (bad[400] ?? 0) ^ 1;
  const porter = createPorter({
    pool: createWriterPool(1 << 20, false),
    maxBatchBytes: 1 << 20,
    isTransactional: false,
    partitionOf: undefined,
    wants: undefined,
  });
  const records = Buffer.concat([stored(plain(1), 0n), stored(plain(1), 1n), stored(plain(1), 2n), bad]);
  const chunk = { partition: 0, records, from: 0n, to: 23n, end: undefined, abortedTransactions: [] };
  const portions = porter.portions(chunk, recordOrigin('foo', 0));
  const { value } = portions.next();
  expect(value).toMatchObject({ upTo: 3n, parcels: [{ writer: { count: 3 } }] });
  expect(() => portions.next()).toThrow('checksum');
});

it('uses the memory of settled batches again, however many they are', () => {
  const pool = createWriterPool(1 << 20, false);
  const used = new Set<unknown>();
  for (let turn = 0; turn < 100; turn += 1) {
    const writer = pool.take('none');
    appendTo(writer, plain(1, 500_000));
    pool.release(writer);
    used.add(writer);
  }
  expect(used.size).toBe(1);
});

it('leaves the checksum of a whole batch as wrong as it was, for the destination to refuse', () => {
  const bad = stored(plain(200, 100), 0n);
  bad[400] = (bad[400] ?? 0) ^ 1;
  const [got] = divide(bad).got;
  expect(got?.isAdopted).toBe(true);
  expect(isSound(got?.bytes ?? Buffer.alloc(61))).toBe(false);
});

it.each([
  ['of an aborted transaction', 99n],
  ['before the range', 200n],
])('refuses a damaged header that would leave out records: %s', (_what, place) => {
  const bad = stored(plain(200, 100), 0n);
  bad[400] = (bad[400] ?? 0) ^ 1;
  const isBefore = place === 200n;
  const abortedTransactions = isBefore ? [] : [{ producerId: place, firstOffset: 0n }];
  if (!isBefore) bad.writeInt16BE(0x10, 21);
  expect(() => divide(bad, { from: isBefore ? place : 0n, abortedTransactions })).toThrow('checksum');
});

it('copies every committed record of any log once and in order, however it is compacted and fetched', () => {
  fc.assert(
    fc.property(
      fc.record({
        steps: anySteps,
        thinnings: fc.array(fc.record({ keep: fc.nat(15), leavesHeader: fc.boolean() }), { maxLength: 12 }),
        start: fc.nat(1000),
        end: fc.option(fc.nat(1000), { nil: undefined }),
        sizes: fc.array(fc.nat(4000), { minLength: 1, maxLength: 8 }),
        isFar: fc.boolean(),
      }),
      ({ steps, thinnings, start, end: until, sizes, isFar }) => {
        const base = isFar ? 2n ** 53n + 3n : 0n;
        const log = writeLog(steps, thinnings, base);
        const at = (thousandths: number) => base + ((log.lastStableOffset - base) * BigInt(thousandths)) / 1000n;
        const end = until === undefined ? undefined : at(until);
        const limit = end === undefined || end > log.lastStableOffset ? log.lastStableOffset : end;
        let from = at(start);
        const copied: (string | undefined)[] = [];
        const expected = log.batches
          .flatMap(({ shown }) => shown)
          .filter(({ offset, isMarker }) => !isMarker && offset >= from && offset < limit);
        for (let turn = 0; from < limit; turn += 1) {
          const answer = answerFetch(log, from, sizes[turn % sizes.length] ?? 0, 3n);
          if (answer.to <= from) break;
          const { got, records, reached } = divide(answer.records, { ...answer, from, end });
          for (const { bytes } of got) expectTakes(bytes);
          copied.push(...records.map(({ value }) => value?.toString()));
          expect(reached.at(-1)).toBe(end !== undefined && answer.to > end ? end : answer.to);
          from = answer.to;
        }
        expect(copied).toEqual(expected.map(({ value }) => value));
      },
    ),
    { numRuns: 150 },
  );
});
