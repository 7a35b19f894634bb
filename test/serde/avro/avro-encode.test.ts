import { describe, expect, test } from 'vitest';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { MismatchError, SchemaError } from '../../../src/serde/schema.ts';
import { sourceOf } from './exchange.ts';

function encode(schema: unknown, json: string): string {
  const encoder = compileAvro(sourceOf(JSON.stringify(schema))).encoder();
  return encoder.encode(Buffer.from(json)).toString('hex');
}

const record = (...fields: readonly object[]): object => ({ type: 'record', name: 'a.R', fields });
const color = { type: 'enum', name: 'a.Color', symbols: ['RED', 'GREEN'] };
const pair = record({ name: 'a', type: 'long' }, { name: 'b', type: 'string' });

/** Schemas, JSON, and payloads in hexadecimal; the first ones are examples of the specification. */
const payloads: readonly (readonly [schema: unknown, json: string, hex: string])[] = [
  [pair, '{"a":27,"b":"foo"}', '3606666f6f'],
  [pair, ' { "b" : "foo" , "a" : 2.7e1 } ', '3606666f6f'],
  [{ type: 'array', items: 'long' }, '[3,27]', '04063600'],
  [['null', 'string'], 'null', '00'],
  [['null', 'string'], '{"string":"a"}', '020261'],
  [['null', 'string'], '"a"', '020261'],
  [['null', 'long', 'string'], '64', '028001'],
  [['int', 'double'], '0.5', '02000000000000e03f'],
  [['null', { type: 'map', values: 'int' }], '{"map":{"a":1}}', '020202610200'],
  [['null', pair], '{"a":27,"b":"foo"}', '023606666f6f'],
  [['null', pair], '{"a.R":{"a":27,"b":"foo"}}', '023606666f6f'],
  ['null', 'null', ''],
  ['boolean', 'true', '01'],
  ['boolean', 'false', '00'],
  ['int', '-2147483648', 'ffffffff0f'],
  ['int', '2147483647', 'feffffff0f'],
  ['int', '1e3', 'd00f'],
  ['long', '9223372036854775807', 'feffffffffffffffff01'],
  ['long', '-9223372036854775808', 'ffffffffffffffffff01'],
  ['long', '9007199254740993', '8280808080808020'],
  ['long', '9007199254740993.0', '8280808080808020'],
  ['long', '900719925474.0993e4', '8280808080808020'],
  ['float', '0.1', 'cdcccc3d'],
  ['float', '"NaN"', '0000c07f'],
  ['float', '-0.0', '00000080'],
  ['double', '0.1', '9a9999999999b93f'],
  ['double', '9007199254740993', '0000000000004043'],
  ['double', '"-Infinity"', '000000000000f0ff'],
  ['bytes', '"\\u0000A\\u00ffÿ"', '080041ffff'],
  [{ type: 'fixed', name: 'F', size: 2 }, '"A\\u0080"', '4180'],
  [color, '"GREEN"', '02'],
  [{ type: 'map', values: 'int' }, '{"a":1,"__proto__":2}', '04026102125f5f70726f746f5f5f0400'],
  ['string', '"€\\ud83d\\ude00"', '0ee282acf09f9880'],
  [record({ name: 'a', type: 'int', default: 5 }, { name: 'b', type: ['null', 'int'], default: null }), '{}', '0a00'],
  [record({ name: 'a', type: ['null', 'int'], default: 7 }), '{}', '020e'],
  [record({ name: 'a', type: 'bytes', default: '\u00ff' }), '{}', '02ff'],
  [
    record({ name: 'a', type: { type: 'map', values: ['int', 'string'] }, default: { k: 'v' } }),
    '{}',
    '02026b02027600',
  ],
  [record({ name: 'toString', type: 'int', default: 1 }), '{}', '02'],
];

test.each(payloads)('%j %s becomes %s', (schema, json, hex) => {
  expect(encode(schema, json)).toBe(hex);
});

const int = 'int from -2147483648 to 2147483647';
const long = 'long from -9223372036854775808 to 9223372036854775807';

/** Schemas, JSON that does not fit, where, what is expected and what is found. */
const misfits: readonly (readonly [schema: unknown, json: string, path: string, expected: string, found: string])[] = [
  ['int', '2147483648', '$', int, 'number 2147483648'],
  ['int', '1.5', '$', 'int', 'number 1.5'],
  ['int', '"1"', '$', 'int', 'string "1"'],
  ['long', '9223372036854775808', '$', long, 'number 9223372036854775808'],
  ['long', '9007199254740993.5', '$', long, 'number 9007199254740994'],
  ['boolean', '1', '$', 'boolean', 'number 1'],
  ['null', 'false', '$', 'null', 'false'],
  ['string', 'null', '$', 'string', 'null'],
  ['string', '"\\ud83d"', '$', 'string', 'half of a surrogate pair'],
  [
    'float',
    '1e39',
    '$',
    'float from -3.4028234663852886e+38 to 3.4028234663852886e+38',
    'number 1000000000000000000000000000000000000000',
  ],
  ['double', '1e400', '$', 'double up to 1.7976931348623157e+308', 'number above 1.8e308'],
  ['double', '"1"', '$', 'double', 'string "1"'],
  ['bytes', '"€"', '$', 'bytes (characters up to \\u00ff)', 'string "€"'],
  ['bytes', '[1]', '$', 'bytes (text with one character per byte)', 'an array'],
  [{ type: 'fixed', name: 'F', size: 2 }, '"abc"', '$', 'fixed F of 2 bytes', '3 bytes'],
  [color, '"BLUE"', '$', 'enum a.Color (RED, GREEN)', 'string "BLUE"'],
  [pair, '{"a":1}', '$.b', 'string', 'nothing'],
  [pair, '{"a":1,"b":"x","c":1}', '$.c', 'a field of record a.R', 'an unknown one'],
  [
    record({ name: 'price', type: 'int' }),
    '{"pirce":1}',
    '$.pirce',
    'a field of record a.R, such as "price"',
    'an unknown one',
  ],
  [pair, '[]', '$', 'record a.R', 'an array'],
  [{ type: 'array', items: pair }, '[{"a":1,"b":""},{"a":1,"b":2}]', '$[1].b', 'string', 'number 2'],
  [{ type: 'map', values: 'int' }, '{"k y":null}', '$["k y"]', 'int', 'null'],
  [['null', 'string'], '5', '$', 'union of null, string', 'number 5'],
  [['int', 'long'], '5', '$', '{"int": …} or {"long": …}', 'number 5'],
  [['null', 'string'], '{"string":5}', '$.string', 'string', 'number 5'],
  [pair, '{"a":1,"b":"x","a":2}', '$.a', 'every key once', 'the key twice'],
  [
    { type: 'array', items: pair },
    '[{"b":"{","a":1},{"a":1,"b":"","\\u0061":1}]',
    '$[1].a',
    'every key once',
    'the key twice',
  ],
];

describe('JSON that does not fit is refused', () => {
  test.each(misfits)('%j %s at %s: expected %s, found %s', (...[schema, json, path, expected, found]) => {
    expect(() => encode(schema, json)).toThrow(MismatchError);
    expect(() => encode(schema, json)).toThrow(expect.objectContaining({ path, expected, found }));
  });

  test.each(['{"a":1', '', '{"a":1}}', '\ufeff{}', "{'a':1}"])('text that is not JSON: %j', (json) => {
    expect(() => encode(pair, json)).toThrow(MismatchError);
    expect(() => encode(pair, json)).toThrow(expect.objectContaining({ path: '$', expected: 'JSON' }));
  });

  test('bytes that are not UTF-8', () => {
    const encoder = compileAvro(sourceOf('"string"')).encoder();
    expect(() => encoder.encode(Buffer.from('22ff22', 'hex'))).toThrow('found text that is not JSON: it is not UTF-8');
  });

  test('values that are nested deeper than decoders read', () => {
    const schema = { type: 'record', name: 'T', fields: [{ name: 'kids', type: { type: 'array', items: 'T' } }] };
    const nested = (levels: number): string => `${'{"kids":['.repeat(levels)}${']}'.repeat(levels)}`;
    expect(encode(schema, nested(500))).toHaveLength(499 * 4 + 2);
    const list = { type: 'record', name: 'L', fields: [{ name: 'next', type: ['null', 'L'] }] };
    const linked = (levels: number): string => `${'{"next":'.repeat(levels)}null${'}'.repeat(levels)}`;
    expect(encode(list, linked(500))).toHaveLength(500 * 2);
    expect(() => encode(list, linked(501))).toThrow('expected values at most 1000 levels deep');
    expect(() => encode(schema, nested(100_000))).toThrow('it is nested deeper than 1000 levels');
  });
});

const inner = (...fields: readonly object[]): object => ({ type: 'record', name: 'a.Inner', fields });

/** Fields whose defaults do not fit. */
const wrongDefaults: readonly (readonly [field: object, message: string])[] = [
  [{ name: 'a', type: 'int', default: 'x' }, '$.fields[0].default: expected int, found string "x"'],
  [
    { name: 'a', type: ['null', 'int'], default: 'x' },
    '$.fields[0].default: expected union of null, int, found string "x"',
  ],
  [
    { name: 'a', type: { type: 'array', items: 'int' }, default: [1, null] },
    '$.fields[0].default[1]: expected int, found null',
  ],
  [
    {
      name: 'a',
      type: { type: 'array', items: inner({ name: 'x', type: 'int' }, { name: 'y', type: 'int', default: 'z' }) },
    },
    '$.fields[0].type.items.fields[1].default: expected int, found string "z"',
  ],
  [{ name: 'a', type: 'a.R', default: {} }, '$.fields[0].default: the default contains itself'],
];

test.each(wrongDefaults)('a default that does not fit: %j', (field, message) => {
  const source = sourceOf(JSON.stringify(record(field)));
  expect(() => compileAvro({ ...source, isNew: true })).toThrow(SchemaError);
  expect(() => compileAvro({ ...source, isNew: true })).toThrow(message);
});

// Oracle GoldenGate and old registries have them (confluentinc/schema-registry#603); Confluent's serializers write them.
test('a stored schema with an invalid default takes values that have the field, and says why it takes no others', () => {
  const schema = record({ name: 'a', type: ['null', 'int'], default: 'null' });
  const encoder = compileAvro(sourceOf(JSON.stringify(schema))).encoder();
  const why =
    '$.a: expected union of null, int, found no value, and an invalid default ($.fields[0].default: expected union of null, int, found string "null")';
  for (const _ of [1, 2]) {
    expect(encoder.encode(Buffer.from('{"a":{"int":1}}')).toString('hex')).toBe('0202');
    expect(() => encoder.encode(Buffer.from('{}'))).toThrow(why);
  }
});

const decimal = { type: 'bytes', logicalType: 'decimal', precision: 6, scale: 2 };

test.each([
  [decimal, '10.67', '04042b'],
  [decimal, '-10.6700', '04fbd5'],
  [decimal, '1.067e1', '04042b'],
  [decimal, '0', '0200'],
  [decimal, '1.28', '040080'],
  [['null', decimal], '10.67', '0204042b'],
  [['null', decimal], '{"bytes.decimal":10.67}', '0204042b'],
  // Avro's own JSON, which other tools print.
  [decimal, '"\\u0004+"', '04042b'],
  [{ ...decimal, type: 'fixed', name: 'F', size: 4 }, '-1', 'ffffff9c'],
  [{ ...decimal, precision: 38, scale: 18 }, '1.234567890123456789', '10112210f47de98115'],
  [{ ...decimal, precision: 35, scale: 10 }, '5936807295887782.7259172833', '16311badaf150808e9e807e1'],
  [{ ...decimal, precision: 38, scale: 18 }, '12345678901234567890', '200949b0f6f0023313c292f50538080000'],
])('a decimal of %j takes %s', (schema, json, hex) => {
  expect(encode(schema, json)).toBe(hex);
});

test.each([
  ['"10.67"', 'decimal as a number, without quotes (text stands for bytes), found string "10.67"'],
  ['"1,234.50"', 'decimal as a number, without quotes (text stands for bytes), found string "1,234.50"'],
  ['"1"', 'decimal as a number, without quotes (text stands for bytes), found string "1"'],
  ['10.678', 'decimal of at most 6 digits, 2 of them after the point, found number 10.678'],
  ['10000', 'decimal of at most 6 digits, 2 of them after the point, found number 10000'],
  ['true', 'decimal of at most 6 digits, 2 of them after the point, found'],
])('a decimal does not take %s', (json, message) => {
  expect(() => encode(decimal, json)).toThrow(message);
});

test('two numbers that JavaScript cannot tell apart are not guessed', () => {
  const type = { type: 'array', items: { ...decimal, precision: 38, scale: 20 } };
  expect(() => encode(type, '[0.12345678901234567801,0.12345678901234567802]')).toThrow('$[0]: expected decimal of');
  const [one, other] = ['5936807295887783', '5936807295887782.7259'];
  expect(() => encode(type, `[${one},${other}]`)).toThrow('$[0]: expected decimal of');
  expect(encode(type, `[${other},1.0,1,${other}0]`)).toBe(encode(type, `[${other}00,1,1.00,${other}]`));
});

test('a union takes the tag of a logical type that Go writes, besides its own', () => {
  const times = { type: 'long', logicalType: 'timestamp-millis' };
  const types = ['null', times, { type: 'int', logicalType: 'date' }, { type: 'bytes', logicalType: 'decimal' }];
  const named = { type: 'record', name: 'int.date', fields: [] };
  expect(encode(types, '{"long.timestamp-millis":5}')).toBe(encode(types, '{"long":5}'));
  expect(encode(types, '{"int.date":5}')).toBe('040a');
  expect(encode(types, '{"bytes.decimal":"A"}')).toBe('060241');
  expect(encode([...types, named], '{"int.date":{}}')).toBe('08');
  expect(() => encode(types, '{"long.time-micros":5}')).toThrow(MismatchError);
});

test('one encoder encodes values one after another, also after a fault', () => {
  const encoder = compileAvro(sourceOf(JSON.stringify(pair))).encoder();
  expect(() => encoder.encode(Buffer.from('{"a":1,"b":2}'))).toThrow('$.b');
  expect(encoder.encode(Buffer.from('{"a":1,"b":"x"}')).toString('hex')).toBe('020278');
  expect(encoder.encode(Buffer.from('{"a":2,"b":""}')).toString('hex')).toBe('0400');
});
