import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReader, createWriter, noUuid, type Reader, type Writer } from '../../../src/kafka/protocol/codec.ts';
import { ProtocolError } from '../../../src/kafka/protocol/protocol-error.ts';

/** One primitive type: how values look, how they are written and read. */
interface Primitive {
  readonly name: string;
  readonly values: fc.Arbitrary<unknown>;
  write(writer: Writer, value: never): void;
  read(reader: Reader): unknown;
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const text = fc.string({ unit: 'grapheme', maxLength: 200 });

const primitives: readonly Primitive[] = [
  { name: 'int8', values: fc.integer({ min: -128, max: 127 }), write: (w, v) => w.int8(v), read: (r) => r.int8() },
  {
    name: 'int16',
    values: fc.integer({ min: -32768, max: 32767 }),
    write: (w, v) => w.int16(v),
    read: (r) => r.int16(),
  },
  { name: 'int32', values: fc.integer(), write: (w, v) => w.int32(v), read: (r) => r.int32() },
  { name: 'uint32', values: fc.nat({ max: 0xffffffff }), write: (w, v) => w.uint32(v), read: (r) => r.uint32() },
  {
    name: 'int64',
    values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    write: (w, v) => w.int64(v),
    read: (r) => r.int64(),
  },
  { name: 'float64', values: fc.double({ noNaN: true }), write: (w, v) => w.float64(v), read: (r) => r.float64() },
  { name: 'boolean', values: fc.boolean(), write: (w, v) => w.boolean(v), read: (r) => r.boolean() },
  {
    name: 'uuid',
    values: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((value) => Buffer.from(value).toString('base64url')),
    write: (w, v) => w.uuid(v),
    read: (r) => r.uuid(),
  },
  { name: 'varint', values: fc.integer(), write: (w, v) => w.varint(v), read: (r) => r.varint() },
  { name: 'uvarint', values: fc.nat({ max: 0xffffffff }), write: (w, v) => w.uvarint(v), read: (r) => r.uvarint() },
  { name: 'string', values: text, write: (w, v) => w.string(v), read: (r) => r.string() },
  {
    name: 'nullableString',
    values: fc.option(text, { nil: undefined }),
    write: (w, v) => w.nullableString(v),
    read: (r) => r.nullableString(),
  },
  { name: 'bytes', values: bytes, write: (w, v) => w.bytes(v), read: (r) => r.bytes() },
  {
    name: 'nullableBytes',
    values: fc.option(bytes, { nil: undefined }),
    write: (w, v) => w.nullableBytes(v),
    read: (r) => r.nullableBytes(),
  },
  {
    name: 'array',
    values: fc.array(text, { maxLength: 20 }),
    write: (w, v: readonly string[]) => w.array(v, w.string),
    read: (r) => r.array(r.string),
  },
  {
    name: 'nullableArray',
    values: fc.option(fc.array(fc.integer(), { maxLength: 20 }), { nil: undefined }),
    write: (w, v: readonly number[] | undefined) => w.nullableArray(v, w.int32),
    read: (r) => r.nullableArray(r.int32),
  },
];

const sequence = fc.array(
  fc
    .nat({ max: primitives.length - 1 })
    .chain((at) => fc.tuple(fc.constant(at), primitives[at]?.values ?? fc.anything())),
  { maxLength: 30 },
);

function writeAll(flexible: boolean, items: readonly (readonly [number, unknown])[]): Buffer {
  const writer = createWriter(flexible);
  for (const [at, value] of items) primitives[at]?.write(writer, value as never);
  writer.tags();
  return writer.finish();
}

function readAll(flexible: boolean, items: readonly (readonly [number, unknown])[], buffer: Buffer): unknown[] {
  const reader = createReader(buffer, flexible, 'Test');
  const values = items.map(([at]) => primitives[at]?.read(reader));
  reader.tags();
  expect(reader.remaining).toBe(0);
  return values;
}

describe('the codec', () => {
  it('lends large bytes to the request, with the same layout as copies', () => {
    const value = fc.oneof(fc.nat(20), fc.integer({ min: 4090, max: 4100 })).map((size) => Buffer.alloc(size, 'ab'));
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(value, fc.integer())), (flexible, items) => {
        const [copied, lent] = [createWriter(flexible), createWriter(flexible)];
        for (const [bytes, number] of items) {
          copied.bytes(bytes);
          copied.int32(number);
          lent.lentBytes(bytes);
          lent.int32(number);
        }
        const pieces = lent.pieces();
        expect(Buffer.concat(pieces)).toEqual(copied.finish());
        expect(lent.finish()).toEqual(copied.finish());
        for (const [bytes] of items) expect(pieces.includes(bytes)).toBe(bytes.length >= 4096);
      }),
    );
  });

  it('reads back what it wrote, in the fixed and the flexible layout', () => {
    fc.assert(
      fc.property(fc.boolean(), sequence, (flexible, items) => {
        const read = readAll(flexible, items, writeAll(flexible, items));
        expect(read).toEqual(items.map(([, value]) => value));
      }),
    );
  });

  it('refuses a truncated answer with a ProtocolError, wherever it was cut', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        sequence,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (flexible, items, at) => {
          const whole = writeAll(flexible, items);
          fc.pre(whole.length > 0);
          const cut = whole.subarray(0, Math.floor(whole.length * at));
          expect(() => readAll(flexible, items, cut)).toThrow(ProtocolError);
        },
      ),
    );
  });

  it('returns values or a ProtocolError for arbitrary bytes, never anything else', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.nat({ max: primitives.length - 1 })),
        fc.uint8Array(),
        (flexible, types, noise) => {
          const reader = createReader(Buffer.from(noise), flexible, 'Test');
          try {
            for (const at of types) primitives[at]?.read(reader);
            reader.tags();
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['fixed', false, '7fffffff'],
    ['flexible', true, 'ffffffff0f'],
  ])('refuses a list longer than the answer (%s)', (_, flexible, hex) => {
    const reader = createReader(Buffer.from(hex, 'hex'), flexible, 'Metadata');
    expect(() => reader.array(reader.int8)).toThrow(
      /unable to read the Metadata answer at byte \d+: invalid list length \d+/,
    );
  });

  describe('an answer in which each byte may be an item', () => {
    // One byte for each empty list or name: 32 MiB would be gigabytes of objects.
    const bytes = Buffer.alloc(32 * 2 ** 20, 1);
    const tooMany = /it has more than 2000000 items/;

    it('is refused before memory is allocated for a list', () => {
      const count = Buffer.from('80800a', 'hex'); // 163,839
      const most = Buffer.concat([Buffer.from('8092f401', 'hex'), bytes]); // 3,999,999
      expect(() => createReader(most, true, 'Test').array(() => 0)).toThrow(tooMany);
      const few = createReader(Buffer.concat([count, bytes]), true, 'Test');
      expect(few.array(() => 0)).toHaveLength(163_839);
    });

    it('is refused for the lists in its lists too', () => {
      const thousand = Buffer.from('e907', 'hex'); // 1,000
      const nested = Buffer.concat([
        Buffer.from('c1b802', 'hex'),
        ...Array.from({ length: 40_000 }, () => thousand),
        bytes,
      ]);
      const reader = createReader(nested, true, 'Test');
      expect(() => reader.array(() => reader.array(() => 0))).toThrow(tooMany);
    });

    it('is refused for tagged fields too', () => {
      const fields = Buffer.concat([Buffer.from('ffffffff0f', 'hex'), Buffer.alloc(5_000_000)]);
      const reader = createReader(fields, true, 'Test');
      expect(() => reader.tags(() => undefined)).toThrow(tooMany);
    });

    it('has four bytes for each number of 32 bits', () => {
      const numbers = (count: number) =>
        createReader(Buffer.concat([Buffer.of(count + 1), Buffer.alloc(40)]), true, 'Test');
      expect(numbers(10).int32s()).toHaveLength(10);
      expect(() => numbers(11).int32s()).toThrow(/invalid list length 11/);
    });

    it('of a cluster of 400,000 partitions is read', () => {
      const writer = createWriter(true);
      writer.array([0], () => {
        writer.array(Array.from({ length: 400_000 }), () => {
          writer.int32(1);
          writer.array([1, 2, 3], writer.int32);
          writer.tags();
        });
      });
      const reader = createReader(writer.finish(), true, 'Test');
      const [partitions] = reader.array(() =>
        reader.array(() => {
          const row = [reader.int32(), reader.int32s()];
          reader.tags();
          return row;
        }),
      );
      expect(partitions).toHaveLength(400_000);
    });
  });

  it.each<[string, (writer: Writer) => void, boolean, string]>([
    ['a compact string counts from one', (w) => w.string('ab'), true, '036162'],
    ['a fixed string has two bytes of length', (w) => w.string('ab'), false, '00026162'],
    ['a compact null is zero', (w) => w.nullableString(undefined), true, '00'],
    ['a fixed null is minus one', (w) => w.nullableString(undefined), false, 'ffff'],
    ['fixed bytes have four bytes of length', (w) => w.bytes(Buffer.of(7)), false, '0000000107'],
    ['a null list is minus one', (w) => w.nullableArray(undefined, w.int8), false, 'ffffffff'],
    ['a varint is zigzag', (w) => w.varint(-1), false, '01'],
    ['a uvarint has seven bits to the byte', (w) => w.uvarint(300), false, 'ac02'],
    ['no tags is one zero when flexible', (w) => w.tags(), true, '00'],
    ['no tags is nothing when fixed', (w) => w.tags(), false, ''],
    ['no uuid is sixteen zeros', (w) => w.uuid(noUuid), false, '00'.repeat(16)],
  ])('%s', (_, write, flexible, hex) => {
    const writer = createWriter(flexible);
    write(writer);
    expect(writer.finish().toString('hex')).toBe(hex);
  });

  it.each([
    ['a string', false, 'ffff', (r: Reader) => r.string()],
    ['a compact string', true, '00', (r: Reader) => r.string()],
    ['bytes', false, 'ffffffff', (r: Reader) => r.bytes()],
    ['compact bytes', true, '00', (r: Reader) => r.bytes()],
  ] as const)('refuses null for %s that the protocol does not allow it for', (_, flexible, hex, read) => {
    const reader = createReader(Buffer.from(hex, 'hex'), flexible, 'Test');
    expect(() => read(reader)).toThrow(ProtocolError);
  });

  it('returns the requested tagged fields and skips the rest', () => {
    const reader = createReader(Buffer.from('0200020007050100', 'hex'), true, 'Test');
    const seen: [number, number][] = [];
    reader.tags((tag, value) => seen.push([tag, value.remaining]));
    expect(seen).toEqual([
      [0, 2],
      [5, 1],
    ]);
    expect(reader.remaining).toBe(0);
  });
});
