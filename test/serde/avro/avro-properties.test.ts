import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { parseJson } from '../../../src/serde/json/json-value.ts';
import { doubleText, floatText } from '../../../src/serde/number-text.ts';
import { seededRandom } from '../../../src/serde/random.ts';
import { PayloadError } from '../../../src/serde/schema.ts';
import { decodersOf, isSameJson, sourceOf } from './exchange.ts';
import { randomSchema, schemas } from './random-schemas.ts';

/** What a decoder makes of a payload: JSON, or the reason why not. */
function attempt(decode: (payload: Buffer) => string | undefined, payload: Buffer): string | undefined {
  try {
    return decode(payload);
  } catch (error) {
    expect(error).toBeInstanceOf(PayloadError);
    return undefined;
  }
}

/** Bytes that often match a schema: small ones, which are short lengths and the first branches. */
const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
const noise = fc.array(byte, { maxLength: 200 });
/** Which bytes of a payload become others; places beyond its end change nothing. */
const damage = fc.array(fc.tuple(fc.nat(60), byte), { maxLength: 3 });

function damaged(payload: Buffer, changes: readonly (readonly [number, number])[]): Buffer {
  const copy = Buffer.from(payload);
  for (const [at, value] of changes) copy[at] = value;
  return copy;
}

test('the two decoders agree on any payload, and what they read encodes to what reads the same', () => {
  let matching = 0;
  const [noises, damages] = [fc.array(noise, { minLength: 5 }), fc.array(damage, { minLength: 5 })];
  const property = fc.property(schemas, noises, damages, (schema, random, changes) => {
    const { fast, careful } = decodersOf(schema);
    const codec = compileAvro(sourceOf(schema));
    const encoder = codec.encoder();
    const example = Buffer.from(encoder.encode(Buffer.from(codec.example())));
    const payloads = [
      example,
      ...random.map((bytes) => Buffer.from(bytes)),
      ...changes.map((one) => damaged(example, one)),
    ];
    for (const payload of payloads) {
      const json = attempt(careful, payload);
      const quick = fast(payload);
      // Generated code may give up, but never reads what is not there.
      if (quick !== undefined) expect(quick).toBe(json);
      if (json === undefined || hasKeyTwice(json)) continue;
      matching++;
      const again = careful(Buffer.from(encoder.encode(Buffer.from(json))));
      expect(isSameJson(again, json), `${json} became ${again}`).toBe(true);
    }
  });
  fc.assert(property, { numRuns: 400 });
  // At least each example.
  expect(matching).toBeGreaterThanOrEqual(400);
});

/** Maps of random bytes may have a key twice, which JSON cannot say. */
function hasKeyTwice(json: string): boolean {
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const own = Array.isArray(value) ? 0 : Object.keys(value).length;
    return own + Object.values(value).reduce((sum: number, one) => sum + count(one), 0);
  };
  const { value, keys } = parseJson(Buffer.from(json));
  return keys !== count(value);
}

test('examples of random schemas can be encoded', () => {
  const property = fc.property(schemas, (schema) => {
    const codec = compileAvro(sourceOf(schema));
    const example = codec.example();
    const bytes = Buffer.from(codec.encoder().encode(Buffer.from(example)));
    const arena = createArena();
    codec.decoder().decode({ bytes, view: viewOver(bytes) }, 0, bytes.length, arena);
    expect(isSameJson(arena.bytes.toString('utf8', 0, arena.length), example)).toBe(true);
  });
  fc.assert(property, { numRuns: 300 });
});

test('damaged schemas are refused or work, and nothing else is thrown', () => {
  for (let seed = 1; seed <= 600; seed++) {
    const random = seededRandom(seed);
    const text = randomSchema(seed);
    const at = Math.floor(random() * text.length);
    const letters = ['"', '{', '[', ',', 'x', ':', ' ', ''];
    const damaged = `${text.slice(0, at)}${letters[Math.floor(random() * 8)]}${text.slice(at + 1 + Math.floor(random() * 3))}`;
    try {
      compileAvro(sourceOf(damaged)).decoder();
    } catch (error) {
      expect((error as Error).name, damaged).toBe('SchemaError');
    }
  }
});

const doubles = fc.oneof(
  fc.double(),
  fc.integer().map((value) => value / 100),
  fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(12)).map(([value, digits]) => value / 10 ** digits),
  fc.constantFrom(2 ** 31, -(2 ** 31), 2 ** 53, 1e15, 999999999.999999, 1e-6, 9.5e-7, 1e21, 123456789012345.6),
);

test('doubles become the shortest text, as JavaScript writes them', () => {
  const { fast } = decodersOf('"double"');
  const property = fc.property(doubles, (value) => {
    const payload = Buffer.alloc(8);
    payload.writeDoubleLE(value);
    const shortest = Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
    expect(fast(payload)).toBe(Object.is(value, -0) ? '-0.0' : shortest);
    expect(doubleText(value)).toBe(Object.is(value, -0) ? '-0.0' : shortest);
  });
  fc.assert(property, { numRuns: 4_000 });
});

test('floats become the shortest text that stands for them', () => {
  const { fast } = decodersOf('"float"');
  const property = fc.property(fc.oneof(fc.float(), doubles.map(Math.fround)), (value) => {
    const payload = Buffer.alloc(4);
    payload.writeFloatLE(value);
    const text = floatText(value);
    expect(fast(payload)).toBe(text);
    if (!Number.isFinite(value)) return;
    expect(Object.is(Math.fround(Number(text)), value)).toBe(true);
    const digits = text
      .replace(/e.*/, '')
      .replace(/\D/g, '')
      .replace(/^0+|0+$/g, '').length;
    for (let fewer = 1; fewer < digits; fewer++) expect(Math.fround(Number(value.toPrecision(fewer)))).not.toBe(value);
  });
  fc.assert(property, { numRuns: 4_000 });
});

test('longs are exact', () => {
  const { fast, careful } = decodersOf('"long"');
  const encoder = compileAvro(sourceOf('"long"')).encoder();
  const near = fc.tuple(fc.nat(63), fc.integer({ min: -2, max: 2 }), fc.boolean());
  const edges = near.map(([power, more, isNegative]) =>
    BigInt.asIntN(64, (isNegative ? -1n : 1n) * (1n << BigInt(power)) + BigInt(more)),
  );
  const longs = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), edges);
  const property = fc.property(longs, (value) => {
    const payload = Buffer.from(encoder.encode(Buffer.from(String(value))));
    expect([fast(payload), careful(payload)]).toEqual([String(value), String(value)]);
  });
  fc.assert(property, { numRuns: 4_000 });
});
