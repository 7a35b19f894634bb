import { describe, expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { PayloadError } from '../../../src/serde/schema.ts';
import { decodersOf, sourceOf } from './exchange.ts';

const record = (...fields: readonly object[]): object => ({ type: 'record', name: 'R', fields });
const decimal = (precision: number, scale?: number): object => ({
  ...{ type: 'bytes', logicalType: 'decimal', precision, scale },
});
const color = { type: 'enum', name: 'a.Color', symbols: ['RED', 'GREEN'] };
const list = {
  ...{ type: 'record', name: 'List' },
  fields: [
    { name: 'value', type: 'int' },
    { name: 'next', type: ['null', 'List'] },
  ],
};

/** Schemas, payloads in hexadecimal, and their JSON; the first ones are examples of the specification. */
const payloads: readonly (readonly [schema: unknown, hex: string, json: string])[] = [
  ['long', '00', '0'],
  ['long', '01', '-1'],
  ['long', '02', '1'],
  ['long', '7f', '-64'],
  ['long', '8001', '64'],
  ['string', '06666f6f', '"foo"'],
  [record({ name: 'a', type: 'long' }, { name: 'b', type: 'string' }), '3606666f6f', '{"a":27,"b":"foo"}'],
  [{ type: 'array', items: 'long' }, '04063600', '[3,27]'],
  [['null', 'string'], '00', 'null'],
  [['null', 'string'], '020261', '{"string":"a"}'],
  ['null', '', 'null'],
  ['boolean', '00', 'false'],
  ['boolean', '01', 'true'],
  ['int', 'ffffffff0f', '-2147483648'],
  ['int', 'feffffff0f', '2147483647'],
  ['int', '8000', '0'],
  ['long', 'feffffffffffffffff01', '9223372036854775807'],
  ['long', 'ffffffffffffffffff01', '-9223372036854775808'],
  ['long', 'feffffffffffff1f', '9007199254740991'],
  ['long', '8080808080808020', '9007199254740992'],
  ['long', '8280808080808020', '9007199254740993'],
  ['long', 'ffffffffffffff1f', '-9007199254740992'],
  ['long', '80a0abfef962', '1700000000000'],
  ['long', '80808001', '1048576'],
  ['float', 'cdcccc3d', '0.1'],
  ['float', '0000803f', '1'],
  ['float', '00000080', '-0.0'],
  ['float', '01000000', '1e-45'],
  ['float', 'ffff7f7f', '3.4028235e+38'],
  ['float', '0000c07f', '"NaN"'],
  ['double', '9a9999999999b93f', '0.1'],
  ['double', '3d0ad7a370fd3340', '19.99'],
  ['double', '333333333333d3bf', '-0.3'],
  ['double', '343333333333d33f', '0.30000000000000004'],
  ['double', '0000000000000080', '-0.0'],
  ['double', '000000000000f07f', '"Infinity"'],
  ['double', '000000000000f0ff', '"-Infinity"'],
  ['double', '8dedb5a0f7c6b03e', '0.000001'],
  ['double', 'ffffffffffffef7f', '1.7976931348623157e+308'],
  ['double', '0000000065cdcdc1', '-1000000000'],
  ['bytes', '0800417fff', '"\\u0000A\\u007f\\u00ff"'],
  ['bytes', '06225c0a', '"\\"\\\\\\n"'],
  [{ type: 'fixed', name: 'F', size: 2 }, '4180', '"A\\u0080"'],
  [{ type: 'fixed', name: 'F', size: 0 }, '', '""'],
  [decimal(4, 2), '0404d2', '12.34'],
  [decimal(4, 2), '02ff', '-0.01'],
  [decimal(4, 2), '0200', '0.00'],
  [decimal(4), '0604d2ff', '316159'],
  [decimal(38, 18), '22000000000000000000112210f47de98115', '1.234567890123456789'],
  [decimal(4, 2), '00', '""'],
  [decimal(4, 5), '0231', '"1"'],
  [{ ...decimal(9, 2), type: 'fixed', name: 'F', size: 4 }, 'ffffff9c', '-1.00'],
  [{ ...decimal(10, 2), type: 'fixed', name: 'F', size: 4 }, '00000031', '"\\u0000\\u0000\\u00001"'],
  [color, '02', '"GREEN"'],
  [['null', color], '0202', '{"a.Color":"GREEN"}'],
  [{ type: 'map', values: 'int' }, '0402610202620400', '{"a":1,"b":2}'],
  [{ type: 'map', values: 'int' }, '00', '{}'],
  [{ type: 'array', items: 'long' }, '03040636020800', '[3,27,4]'],
  ['string', '0ce282ac22c3a9', '"€\\"é"'],
  ['string', '06e280a8', '"\\u2028"'],
  [record(), '', '{}'],
  [record({ name: '__proto__', type: 'int' }, { name: 'größe', type: 'int' }), '0204', '{"__proto__":1,"größe":2}'],
];

describe('payloads become JSON', () => {
  test.each(payloads)('%j %s is %s', (schema, hex, json) => {
    const { fast, careful } = decodersOf(JSON.stringify(schema));
    const payload = Buffer.from(hex, 'hex');
    expect(careful(payload)).toBe(json);
    expect(fast(payload)).toBe(json);
  });

  test('a record that contains itself ends where the payload says', () => {
    const { fast, careful } = decodersOf(JSON.stringify(list));
    const payload = Buffer.from('020204020600', 'hex');
    const json = '{"value":1,"next":{"List":{"value":2,"next":{"List":{"value":3,"next":null}}}}}';
    expect([fast(payload), careful(payload)]).toEqual([json, json]);
  });

  test('text of every length around the sizes that are copied differently', () => {
    const { fast, careful } = decodersOf('"string"');
    for (let length = 0; length < 600; length++) {
      for (const end of ['', 'x', '"', 'é', '\n']) {
        const text = 'ab\u007fcdefghijklmnop'.repeat(40).slice(0, length) + end;
        const bytes = Buffer.from(text);
        const payload = Buffer.concat([lengthOf(bytes.length), bytes]);
        expect(fast(payload)).toBe(JSON.stringify(text));
        expect(careful(payload)).toBe(JSON.stringify(text));
      }
    }
  });

  test('records with more fields than one function of generated code has', () => {
    const fields = Array.from({ length: 500 }, (_, index) => ({
      name: `f${index}`,
      type: index % 2 ? 'int' : 'string',
    }));
    const { fast, careful } = decodersOf(JSON.stringify(record(...fields)));
    const payload = Buffer.concat(fields.map(({ type }) => Buffer.from(type === 'int' ? '0e' : '046162', 'hex')));
    const json = `{${fields.map(({ name, type }) => `"${name}":${type === 'int' ? 7 : '"ab"'}`).join(',')}}`;
    expect([fast(payload), careful(payload)]).toEqual([json, json]);
  });

  test('a name longer than generated code has room for', () => {
    const name = 'n'.repeat(10_000);
    const { fast } = decodersOf(JSON.stringify(record({ name, type: ['null', 'int'] })));
    expect(fast(Buffer.from('0202', 'hex'))).toBe(`{"${name}":{"int":1}}`);
  });
});

function lengthOf(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length * 2;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

const inner = record({ name: 'items', type: { type: 'array', items: ['null', 'string'] } });
const many = { type: 'array', items: 'null' };
const tree = { type: 'record', name: 'T', fields: [{ name: 'kids', type: { type: 'array', items: 'T' } }] };

/** Schemas, payloads that do not match them, what is wrong and where. */
const faults: readonly (readonly [schema: unknown, hex: string, reason: string, path: string])[] = [
  ['int', '', 'the payload ends inside an int', '$'],
  ['int', '80', 'the payload ends inside an int', '$'],
  ['int', '8080808010', '2147483648 is outside the range of int', '$'],
  ['long', 'ffffffffffffffffff02', 'a long has more than 64 bits', '$'],
  ['long', 'ffffffffffffffffffff01', 'a long has more than 64 bits', '$'],
  ['boolean', '02', 'a boolean is 0 or 1, not 2', '$'],
  ['double', '00000000000000', 'the payload ends inside a double', '$'],
  ['string', '08616263', 'a string of 4 bytes does not fit into the 3 bytes that are left', '$'],
  ['string', '01', 'a string has the length -1', '$'],
  ['string', 'feffffff0f', 'a string of 2147483647 bytes does not fit into the 0 bytes that are left', '$'],
  ['string', '02ff', 'a string is not UTF-8', '$'],
  [
    'bytes',
    'feffffffffffffffff01',
    'a byte string of 9223372036854775807 bytes does not fit into the 0 bytes that are left',
    '$',
  ],
  [{ type: 'fixed', name: 'F', size: 3 }, '0000', 'the payload ends inside a fixed of 3 bytes', '$'],
  [color, '04', 'there is no symbol 2, only 2', '$'],
  [color, '01', 'there is no symbol -1, only 2', '$'],
  [inner, '020402', 'there is no branch 2, only 2', '$.items[0]'],
  [inner, '040002066161', 'a string of 3 bytes does not fit into the 2 bytes that are left', '$.items[1].string'],
  [{ type: 'map', values: 'boolean' }, '02066b207905', 'a boolean is 0 or 1, not 5', '$["k y"]'],
  [many, 'feffffffffffffffff01', 'the JSON becomes too long for a payload of 10 bytes', '$[211764]'],
  [{ type: 'array', items: 'long' }, '0140', 'a block of 32 bytes is not there', '$'],
];

describe('payloads that do not match the schema are refused', () => {
  test.each(faults)('%j %s: %s at %s', (schema, hex, reason, path) => {
    const source = Buffer.from(hex, 'hex');
    const decoder = compileAvro(sourceOf(JSON.stringify(schema))).decoder();
    const decode = (): void =>
      decoder.decode({ bytes: source, view: viewOver(source) }, 0, source.length, createArena());
    expect(decode).toThrow(PayloadError);
    expect(decode).toThrow(expect.objectContaining({ message: reason }));
    expect(decode).toThrow(expect.objectContaining({ path }));
    expect(decodersOf(JSON.stringify(schema)).fast(source)).toBeUndefined();
  });

  test('values that are nested too deep are refused, and those below the limit are not', () => {
    const { fast, careful } = decodersOf(JSON.stringify(tree));
    const nested = (levels: number): Buffer => Buffer.from(`${'02'.repeat(levels)}${'00'.repeat(levels + 1)}`, 'hex');
    expect(careful(nested(499))).toBe(`${'{"kids":['.repeat(500)}${']}'.repeat(500)}`);
    expect(fast(nested(498))).toBe(careful(nested(498)));
    expect(() => careful(nested(500))).toThrow('values are nested deeper than 1000 levels');
    expect(fast(nested(500))).toBeUndefined();
    expect(() => careful(Buffer.alloc(1_000_000, 2))).toThrow('values are nested deeper than 1000 levels');
  });

  test('a map with a key twice is refused, whether it has few or many; other maps may have the same keys', () => {
    const map = { type: 'map', values: { type: 'map', values: 'int' } };
    const { fast, careful } = decodersOf(JSON.stringify(map));
    const keysOf = (count: number): string =>
      Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at)).join('');
    const inner = (keys: string): string =>
      [
        (keys.length * 2).toString(16).padStart(2, '0'),
        ...(Buffer.from(keys)
          .toString('hex')
          .match(/../g)
          ?.map((key) => `02${key}02`) ?? []),
        '00',
      ].join('');
    const outer = (keys: string): Buffer => Buffer.from(`040278${inner(keys)}0279${inner(keys)}00`, 'hex');
    for (const keys of [keysOf(2), keysOf(20)]) {
      expect(fast(outer(keys))).toBe(careful(outer(keys)));
      expect(JSON.parse(careful(outer(keys)))).toMatchObject({ x: { a: 1, b: 1 }, y: { a: 1, b: 1 } });
      expect(fast(outer(`${keys}b`))).toBeUndefined();
      expect(() => careful(outer(`${keys}b`))).toThrow('the map has the key "b" twice');
    }
  });

  test('bytes after the value are ignored, as by other readers', () => {
    const { fast, careful } = decodersOf('"long"');
    expect(careful(Buffer.from('020000', 'hex'))).toBe('1');
    expect(fast(Buffer.from('020000', 'hex'))).toBe('1');
  });
});
