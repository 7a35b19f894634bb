import { expect, test } from 'vitest';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { sourceOf } from './exchange.ts';

const schema = {
  ...{ type: 'record', name: 'Order', namespace: 'shop' },
  fields: [
    { name: 'id', type: 'long' },
    { name: 'customerEmail', type: 'string' },
    { name: 'price', type: 'double' },
    { name: 'total', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
    { name: 'created_at', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'day', type: { type: 'int', logicalType: 'date' } },
    { name: 'status', type: { type: 'enum', name: 'Status', symbols: ['NEW', 'PAID'] } },
    { name: 'note', type: ['null', 'string'] },
    { name: 'parent', type: ['null', 'Order'] },
    { name: 'cities', type: { type: 'array', items: 'string' } },
    { name: 'children', type: { type: 'array', items: 'Order' } },
    { name: 'weights', type: { type: 'map', values: 'float' } },
    { name: 'hash', type: { type: 'fixed', name: 'Hash', size: 2 } },
  ],
};

test('an example has values that suit names and logical types, and comes to an end', () => {
  const codec = compileAvro(sourceOf(JSON.stringify(schema)));
  expect(codec.example()).toBe(`{
  "id": 1001,
  "customerEmail": "ada@example.com",
  "price": 19.99,
  "total": 19.99,
  "created_at": 1767268800000,
  "day": 20454,
  "status": "NEW",
  "note": {
    "string": "A few words"
  },
  "parent": null,
  "cities": [
    "London"
  ],
  "children": [],
  "weights": {
    "key": 1.5
  },
  "hash": "\\u0000\\u0001"
}`);
  expect(codec.encoder().encode(Buffer.from(codec.example())).length).toBeGreaterThan(0);
});

test.each([
  ['"int"', '42'],
  ['["null"]', 'null'],
  ['{"type":"record","name":"R","fields":[]}', '{}'],
  ['{"type":"long","logicalType":"timestamp-nanos"}', '1767268800000000000'],
  ['{"type":"string","logicalType":"uuid"}', '"7f1c9a52-3b0e-4d7c-9a44-5d2f6e8b1c03"'],
])('the example of %s is %s', (text, example) => {
  expect(compileAvro(sourceOf(text)).example()).toBe(example);
});
