import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCursor } from '../../../../src/kafka/records/batches/cursor.ts';
import { readShortRecord } from '../../../../src/kafka/records/batches/short-record.ts';
import { slowVarint } from './reference.ts';

/** A record's fields, read slowly with every check; undefined if they are inconsistent. */
function slowRecord(bytes: Buffer, limit: number) {
  let at = 0;
  const varint = (): number => {
    let raw = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0);
      raw |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return Number((raw >> 1n) ^ -(raw & 1n));
    }
  };
  const length = varint();
  const end = at + length;
  at += 1;
  const [timestampDelta, offsetDelta] = [varint(), varint()];
  const field = () => {
    const size = varint();
    const start = at;
    at += Math.max(size, 0);
    return { start, size };
  };
  const [key, value] = [field(), field()];
  const headerCount = varint();
  const isWhole = end <= limit && at <= end && (headerCount > 0 ? headerCount * 2 <= end - at : at === end);
  if (length < 0 || headerCount < 0 || key.size < -1 || value.size < -1 || !isWhole) return undefined;
  return { timestampDelta, offsetDelta, key, value, headerCount, headersStart: at, end };
}

/** A record of these numbers, which need not be consistent. */
function recordOf(numbers: readonly number[], tail: Uint8Array, lengthError: number): Buffer {
  const [timestamp = 0, offset = 0, key = -1, value = -1, headers = 0] = numbers;
  const filled = (size: number) => Buffer.alloc(Math.max(size, 0), 0x41);
  const body = Buffer.concat([
    Buffer.of(0),
    ...[timestamp, offset, key].map((number) => slowVarint(BigInt(number))),
    filled(key),
    slowVarint(BigInt(value)),
    filled(value),
    slowVarint(BigInt(headers)),
    tail,
  ]);
  return Buffer.concat([slowVarint(BigInt(body.length + lengthError)), body, Buffer.alloc(20)]);
}

/** A number near a boundary at which a varint gets another byte. */
const edge = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1, max: 70 }) },
  { weight: 1, arbitrary: fc.integer({ min: 8180, max: 8200 }) },
  { weight: 1, arbitrary: fc.integer({ min: -70, max: 0 }) },
);

describe('a record with short lengths', () => {
  test('is read as the slow way reads it, or left to the general way', () => {
    let taken = 0;
    const headers = fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -1, max: 3 }) },
    );
    const numbers = fc.tuple(edge, edge, edge, edge, headers);
    const property = fc.property(
      numbers,
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom(0, 0, 0, 0, 1, -1, 300),
      (fields, tail, lengthError) => {
        const bytes = recordOf(fields, fields[4] === 0 && lengthError === 0 ? new Uint8Array() : tail, lengthError);
        if (check(bytes)) taken++;
      },
    );
    fc.assert(property, { numRuns: 5000 });
    expect(taken).toBeGreaterThan(0);
  });

  test('never accepts inconsistent bytes', () => {
    const noise = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 255 })), {
      minLength: 30,
      maxLength: 60,
    });
    fc.assert(
      fc.property(noise, (bytes) => void check(Buffer.from(bytes))),
      { numRuns: 20_000 },
    );
  });

  function check(bytes: Buffer): boolean {
    const cursor = createCursor();
    Object.assign(cursor, { bytes, at: 0, recordsEnd: bytes.length, baseTimestamp: 1000, baseOffset: 500 });
    if (!readShortRecord(cursor)) return false;
    const slow = slowRecord(bytes, bytes.length);
    expect(slow).toEqual({
      timestampDelta: cursor.timestamp - 1000,
      offsetDelta: cursor.offset - 500,
      key: { start: cursor.keyStart, size: cursor.keyLength },
      value: { start: cursor.valueStart, size: cursor.valueLength },
      headerCount: cursor.headerCount,
      headersStart: cursor.headersStart,
      end: cursor.recordEnd,
    });
    expect([cursor.at, cursor.offsetDelta]).toEqual([cursor.recordEnd, slow?.offsetDelta]);
    return true;
  }
});
