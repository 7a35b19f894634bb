import fc from 'fast-check';
import { anyCharacter } from '../../bytes/any-character.ts';

const texts = fc.string({ unit: anyCharacter, maxLength: 8 });
const int32 = fc.integer();
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('NaN', 'Infinity', '-Infinity'),
);
const float = fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('NaN', '-Infinity'));
const base64 = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const enums = fc.constantFrom('A', 'B', 'C', 7);
const inner = fc.record({ x: int32, e: enums }, { requiredKeys: [] });
const plain = fc.jsonValue({ maxDepth: 3, noUnicodeString: true } as object);
/** JSON values of `p.M` in `everyType`, any fields in any order. */
export const values = fc.record(
  {
    name: texts,
    n: int32,
    inByName: fc.dictionary(texts, inner),
    list: fc.array(inner),
    packed: fc.array(int64),
    unpacked: fc.array(int32),
    d: double,
    f: float,
    by: base64,
    flags: fc.dictionary(fc.constantFrom('true', 'false'), int64),
    numbers: fc.dictionary(int64, enums),
    struct: fc.dictionary(texts, plain),
    anyValue: plain,
    listValue: fc.array(plain),
    at: fc
      .date({ min: new Date(-62135596800000), max: new Date(253402300799000), noInvalidDate: true })
      .map((date) => date.toISOString()),
    took: fc
      .tuple(fc.integer({ min: -3e8, max: 3e8 }), fc.integer({ min: 0, max: 999 }))
      .map(([s, ms]) => `${s}.${String(ms).padStart(3, '0')}s`),
    any: fc.record({ '@type': fc.constant('x/p.M.In'), x: int32 }),
    mask: fc.constantFrom('', 'a', 'userName,a.bC'),
    wrapped: int64,
    wrappedBytes: base64,
    perhaps: int32,
    u64: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
    u32: fc.nat(),
    s32: int32,
    f32: fc.nat(),
    f64: fc.nat(),
    sf32: int32,
    sf64: int64,
    yes: fc.boolean(),
    one: enums,
    some: fc.array(enums),
    texts: fc.array(texts),
    doubles: fc.array(double),
    blobs: fc.dictionary(fc.nat().map(String), base64),
    self: fc.record({ name: texts, self: fc.record({ n: int32 }) }),
    c: inner,
  },
  { requiredKeys: [] },
);
