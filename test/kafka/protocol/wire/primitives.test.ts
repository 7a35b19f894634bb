import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFields, nullable, struct, tagged } from '../../../../src/kafka/protocol/wire/fields.ts';
import { skipTags } from '../../../../src/kafka/protocol/wire/frame.ts';
import {
  array,
  boolean,
  bytes,
  type Coder,
  float64,
  int8,
  int16,
  int32,
  int64,
  noUuid,
  records,
  string,
  type Type,
  uuid,
} from '../../../../src/kafka/protocol/wire/primitives.ts';
import { createSink, piecesOf, writeUvarint, written } from '../../../../src/kafka/protocol/wire/sink.ts';
import { MalformedBytes, readUvarint, type Source, sourceOf } from '../../../../src/kafka/protocol/wire/source.ts';

/** A type, and its values. */
interface Primitive {
  readonly type: Type<unknown, never>;
  readonly values: fc.Arbitrary<unknown>;
}

const someBytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const text = fc.string({ unit: 'grapheme', maxLength: 200 });

const primitives: readonly Primitive[] = [
  { type: int8, values: fc.integer({ min: -128, max: 127 }) },
  { type: int16, values: fc.integer({ min: -32768, max: 32767 }) },
  { type: int32, values: fc.integer() },
  { type: int64, values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { type: float64, values: fc.double({ noNaN: true }) },
  { type: boolean, values: fc.boolean() },
  {
    type: uuid,
    values: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((value) => Buffer.from(value).toString('base64url')),
  },
  { type: string, values: text },
  { type: nullable(string), values: fc.option(text, { nil: undefined }) },
  { type: bytes, values: someBytes },
  { type: nullable(bytes), values: fc.option(someBytes, { nil: undefined }) },
  { type: array(string), values: fc.array(text, { maxLength: 20 }) },
  { type: nullable(array(int32)), values: fc.option(fc.array(fc.integer(), { maxLength: 20 }), { nil: undefined }) },
  {
    type: nullable(struct({ id: int32, name: string })),
    values: fc.option(fc.record({ id: fc.integer(), name: text }), { nil: undefined }),
  },
];

const sequence = fc.array(
  fc
    .nat({ max: primitives.length - 1 })
    .chain((at) => fc.tuple(fc.constant(at), primitives[at]?.values ?? fc.anything())),
  { maxLength: 30 },
);

/** The coder of types one after the other. */
function coderOf(types: readonly number[], flexible: boolean): Coder<object, object> {
  const fields = types.map((at, index) => [`field${index}`, primitives[at]?.type ?? int8] as const);
  return compileFields(Object.fromEntries(fields), 0, flexible) as unknown as Coder<object, object>;
}

type Items = readonly (readonly [number, unknown])[];
const typesOf = (items: Items): readonly number[] => items.map(([at]) => at);

function writeAll(flexible: boolean, items: Items): Buffer {
  const values = Object.fromEntries(items.map(([, value], index) => [`field${index}`, value]));
  return bytesOf(coderOf(typesOf(items), flexible), values);
}

function bytesOf<Value>(coder: Pick<Coder<unknown, Value>, 'write'>, value: Value): Buffer {
  const sink = createSink();
  coder.write(sink, value);
  return written(sink);
}

function readAll(flexible: boolean, items: Items, buffer: Buffer): unknown[] {
  const source = sourceOf(buffer);
  const values = Object.values(coderOf(typesOf(items), flexible).read(source));
  expect(source.at).toBe(buffer.length);
  return values;
}

const hexOf = (hex: string): Source => sourceOf(Buffer.from(hex, 'hex'));

describe('the types of the protocol', () => {
  it('lend large records to the request, with the same layout as copies', () => {
    const value = fc.oneof(fc.nat(20), fc.integer({ min: 4090, max: 4100 })).map((size) => Buffer.alloc(size, 'ab'));
    const compiled = (type: typeof bytes, flexible: boolean) =>
      array(struct({ data: type, number: int32 })).compile(0, flexible);
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.record({ data: value, number: fc.integer() })), (flexible, items) => {
        const [copied, lent] = [createSink(), createSink()];
        compiled(bytes, flexible).write(copied, items);
        compiled(records, flexible).write(lent, items);
        const pieces = piecesOf(lent);
        expect(Buffer.concat(pieces)).toEqual(written(copied));
        expect(written(lent)).toEqual(written(copied));
        for (const { data } of items) expect(pieces.includes(data)).toBe(data.length >= 4096);
      }),
    );
  });

  it('read back what they wrote, in the fixed and the flexible layout', () => {
    fc.assert(
      fc.property(fc.boolean(), sequence, (flexible, items) => {
        const read = readAll(flexible, items, writeAll(flexible, items));
        expect(read).toEqual(items.map(([, value]) => value));
      }),
    );
  });

  it('refuse a truncated message, wherever it was cut', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        sequence,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (flexible, items, at) => {
          const whole = writeAll(flexible, items);
          fc.pre(whole.length > 0);
          const cut = whole.subarray(0, Math.floor(whole.length * at));
          expect(() => readAll(flexible, items, cut)).toThrow(MalformedBytes);
        },
      ),
    );
  });

  it('return values or refuse arbitrary bytes, and do nothing else', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.nat({ max: primitives.length - 1 })),
        fc.uint8Array(),
        (flexible, types, noise) => {
          try {
            coderOf(types, flexible).read(sourceOf(Buffer.from(noise)));
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBytes);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('have numbers of variable length', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), (value) => {
        const sink = createSink();
        writeUvarint(sink, value);
        expect(readUvarint(sourceOf(written(sink)))).toBe(value);
      }),
    );
  });

  it.each([
    ['fixed', false, '7fffffff'],
    ['flexible', true, 'ffffffff0f'],
  ])('refuse a list longer than the message (%s)', (_, flexible, hex) => {
    expect(() => array(int8).compile(0, flexible).read(hexOf(hex))).toThrow(/invalid list length \d+/);
  });

  describe('of a message in which each byte may be an item', () => {
    // One byte for each empty list or name: 32 MiB would be gigabytes of objects.
    const filler = Buffer.alloc(32 * 2 ** 20, 1);
    const tooMany = /it has more than 2000000 items/;
    const names = array(string).compile(0, true);

    it('refuse to allocate memory for a list', () => {
      const count = Buffer.from('80800a', 'hex'); // 163,839
      const most = Buffer.concat([Buffer.from('8092f401', 'hex'), filler]); // 3,999,999
      expect(() => names.read(sourceOf(most))).toThrow(tooMany);
      expect(names.read(sourceOf(Buffer.concat([count, filler])))).toHaveLength(163_839);
    });

    it('count the lists in lists too', () => {
      const thousand = Buffer.from('e907', 'hex'); // 1,000
      const nested = Buffer.concat([
        Buffer.from('c1b802', 'hex'),
        ...Array.from({ length: 40_000 }, () => Buffer.concat([thousand, Buffer.alloc(1000, 1)])),
      ]);
      const lists = array(array(string)).compile(0, true);
      expect(() => lists.read(sourceOf(nested))).toThrow(tooMany);
    });

    it('count known tagged fields too', () => {
      const known = compileFields({ name: tagged(0, 0, string) }, 0, true);
      // Four fields with an empty name each.
      const fields = Buffer.from(`04${'000101'.repeat(4)}`, 'hex');
      expect(() => known.read({ ...sourceOf(fields), items: 3 })).toThrow(tooMany);
    });

    it('have four bytes for each number of 32 bits', () => {
      const numbers = (count: number) =>
        array(int32)
          .compile(0, true)
          .read(sourceOf(Buffer.concat([Buffer.of(count + 1), Buffer.alloc(40)])));
      expect(numbers(10)).toHaveLength(10);
      expect(() => numbers(11)).toThrow(/invalid list length 11/);
    });

    it('read a cluster of 400,000 partitions', () => {
      const topics = array(array(struct({ leader: int32, replicas: array(int32) }))).compile(0, true);
      const row = { leader: 1, replicas: [1, 2, 3] };
      const whole = bytesOf(topics, [Array.from({ length: 400_000 }, () => row)]);
      expect(topics.read(sourceOf(whole))[0]).toHaveLength(400_000);
    });
  });

  it.each<[string, Type<unknown, never>, unknown, boolean, string]>([
    ['a compact string counts from one', string, 'ab', true, '036162'],
    ['a fixed string has two bytes of length', string, 'ab', false, '00026162'],
    ['a compact null is zero', nullable(string), undefined, true, '00'],
    ['a fixed null is minus one', nullable(string), undefined, false, 'ffff'],
    ['fixed bytes have four bytes of length', bytes, Buffer.of(7), false, '0000000107'],
    ['a null list is minus one', nullable(array(int8)), undefined, false, 'ffffffff'],
    ['no tags is one zero when flexible', struct({}), {}, true, '00'],
    ['no tags is nothing when fixed', struct({}), {}, false, ''],
    ['no uuid is sixteen zeros', uuid, noUuid, false, '00'.repeat(16)],
    ['a number is as exact as a bigint', int64, -(2 ** 52) - 1, false, 'ffefffffffffffff'],
  ])('%s', (...[, type, value, flexible, hex]) => {
    expect(bytesOf(type.compile(0, flexible), value as never).toString('hex')).toBe(hex);
  });

  it.each([2n ** 63n, -(2n ** 63n) - 1n])('refuse to write %d as 64 bits', (value) => {
    expect(() => bytesOf(int64.compile(0, false), value)).toThrow(RangeError);
  });

  it('have seven bits to the byte in a number of variable length', () => {
    const sink = createSink();
    writeUvarint(sink, 300);
    expect(written(sink).toString('hex')).toBe('ac02');
  });

  it.each<[string, Type<unknown, never>, boolean, string]>([
    ['a string', string, false, 'ffff'],
    ['a compact string', string, true, '00'],
    ['bytes', bytes, false, 'ffffffff'],
    ['compact bytes', bytes, true, '00'],
  ])('refuse null for %s that the protocol does not allow it for', (_, type, flexible, hex) => {
    expect(() => type.compile(0, flexible).read(hexOf(hex))).toThrow(MalformedBytes);
  });

  it('return the known tagged fields and skip the rest', () => {
    const known = compileFields({ first: tagged(0, 0, int16), other: tagged(4, 0, int8) }, 0, true);
    const source = hexOf('0200020007050100');
    expect(known.read(source)).toEqual({ first: 7, other: undefined });
    expect(source.at).toBe(source.buffer.length);
    skipTags(hexOf('0200020007050100'));
  });

  it('name the position of the byte in the whole message, in tagged fields too', () => {
    const known = compileFields({ name: string, more: tagged(0, 0, struct({ text: string })) }, 0, true);
    const at = (hex: string): number | undefined => {
      try {
        known.read(sourceOf(Buffer.from(hex, 'hex')));
      } catch (error) {
        return error instanceof MalformedBytes ? error.at : undefined;
      }
      return undefined;
    };
    expect(at('0361')).toBe(1);
    expect(at('0261' + '01' + '0003' + '056162')).toBe(6);
  });
});
