import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codecOf } from '../../src/serde/codec.ts';
import { seededRandom } from '../../src/serde/random.ts';
import { SchemaError, type SchemaSource } from '../../src/serde/schema.ts';
import { schemas } from './avro/random-schemas.ts';
import { everyType } from './protobuf/every-type.ts';

const avro = {
  type: 'record',
  name: 'Order',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
    { name: 'day', type: { type: 'int', logicalType: 'date' } },
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-micros' } },
    { name: 'created', type: 'int' },
    { name: 'status', type: { type: 'enum', name: 'Status', symbols: ['NEW', 'PAID'] } },
    { name: 'note', type: ['null', 'string'] },
    { name: 'parent', type: ['null', 'Order'] },
    { name: 'tags', type: { type: 'array', items: 'string' } },
    { name: 'weights', type: { type: 'map', values: 'float' } },
    { name: 'hash', type: { type: 'fixed', name: 'Hash', size: 2 } },
  ],
};

const json = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 5, maximum: 9 },
    below: { type: 'number', exclusiveMaximum: -3, multipleOf: 0.5 },
    year: { type: 'integer' },
    status: { enum: ['new', 'paid'], default: 'new' },
    email: { type: 'string', format: 'email' },
    at: { type: 'string', format: 'date-time' },
    key: { type: 'string', format: 'uuid' },
    address: { type: 'string', format: 'ipv4' },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1, maxItems: 2 },
    either: { oneOf: [{ type: 'boolean' }, { const: 7 }] },
  },
  required: ['id', 'status'],
  additionalProperties: false,
};

const sources: readonly SchemaSource[] = [
  { type: 'AVRO', text: JSON.stringify(avro), references: [] },
  { type: 'JSON', text: JSON.stringify(json), references: [] },
  { type: 'PROTOBUF', text: everyType, references: [] },
];

test.each(sources)(
  'random examples fit a schema of type $type, differ, and are the same for a seed',
  async (source) => {
    const codec = await codecOf(source);
    const encoder = codec.encoder({ message: undefined });
    const texts = Array.from({ length: 300 }, (_, seed) => codec.example({ random: seededRandom(seed) }));
    for (const text of texts) expect(() => encoder.encode(Buffer.from(text)), text).not.toThrow();
    expect(new Set(texts).size).toBeGreaterThan(290);
    expect(codec.example({ random: seededRandom(7) })).toBe(texts[7]);
  },
);

/** The different values of a field in 200 examples. */
async function valuesOf(source: SchemaSource, field: string): Promise<ReadonlySet<unknown>> {
  const codec = await codecOf(source);
  const all = Array.from(
    { length: 200 },
    (_, seed) => JSON.parse(codec.example({ random: seededRandom(seed) }))[field],
  );
  return new Set(all);
}

test.each<[number, string, readonly unknown[]]>([
  [0, 'status', ['NEW', 'PAID']],
  [1, 'status', ['new', 'paid']],
  [1, 'id', [5, 6, 7, 8, 9]],
])('random examples have every possible value: %s, %s', async (schema, field, values) => {
  expect(await valuesOf(sources[schema] as SchemaSource, field)).toEqual(new Set(values));
});

test('optional properties, branches and items are sometimes there', async () => {
  const source = sources[1] as SchemaSource;
  const either = await valuesOf(source, 'either');
  expect(either).toEqual(new Set([undefined, true, false, 7]));
  const notes = await valuesOf(sources[0] as SchemaSource, 'note');
  expect(notes.has(null)).toBe(true);
});

test('random examples of any Avro schema fit it', async () => {
  await fc.assert(
    fc.asyncProperty(schemas, fc.integer(), async (text, seed) => {
      const codec = await codecOf({ type: 'AVRO', text, references: [] });
      try {
        codec.encoder().encode(Buffer.from(codec.example({ random: seededRandom(seed) })));
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
      }
    }),
    { numRuns: 200 },
  );
});
