import { describe, expect, test } from 'vitest';
import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { SchemaError } from '../../../src/serde/schema.ts';
import { sourceOf } from './exchange.ts';

const record = (...fields: readonly unknown[]): object => ({ type: 'record', name: 'R', fields });
const field = (type: unknown, more: object = {}): object => ({ name: 'f', type, ...more });
const fixed = { type: 'fixed', name: 'F', size: 1 };
const symbols = { type: 'enum', symbols: ['A', 'A-"B'] };

/** Schemas that break the rules, and the message. */
const wrong: readonly (readonly [schema: unknown, message: string])[] = [
  [5, '$: a type is a name, an object or an array'],
  ['strin', '$: unknown type "strin"'],
  [{}, '$.type: the type is missing'],
  [{ type: { type: 'int' } }, '$.type: the type of a type is a name'],
  [{ type: 'array' }, '$.items: the type is missing'],
  [{ type: 'map', values: 'x' }, '$.values: unknown type "x"'],
  [['int', 'int'], '$[1]: the union has int twice'],
  [['null', ['int']], '$[1]: a union may not contain another one directly'],
  [[fixed, { ...fixed, size: 2 }], '$[1].name: "F" is defined twice'],
  [[{ type: 'record', name: 'F', fields: [] }, fixed], '$[1].name: "F" is defined twice'],
  [record(field({ type: 'record', name: 'R', fields: [] })), '$.fields[0].type.name: "R" is defined twice'],
  [['null', { type: 'array', items: 'int' }, { type: 'array', items: 'long' }], '$[2]: the union has array twice'],
  [{ type: 'record', fields: [] }, '$.name: the name is missing'],
  [{ type: 'record', name: 5, fields: [] }, '$.name: not text'],
  [{ type: 'record', name: 'a b', fields: [] }, '$.name: invalid name "a b"'],
  [{ type: 'record', name: '1a', fields: [] }, '$.name: invalid name "1a"'],
  [{ type: 'record', name: 'a..b', fields: [] }, '$.name: invalid name "a..b"'],
  [{ type: 'record', name: 'int', fields: [] }, '$.name: "int" is the name of a primitive type'],
  [{ type: 'record', name: 'R', namespace: 'a-b', fields: [] }, '$.namespace: invalid name "a-b"'],
  [{ type: 'record', name: 'R', namespace: 1, fields: [] }, '$.namespace: not text'],
  [{ type: 'record', name: 'R', aliases: 'x', fields: [] }, '$.aliases: not an array'],
  [{ type: 'record', name: 'R', aliases: ['-'], fields: [] }, '$.aliases[0]: invalid name "-"'],
  [{ type: 'record', name: 'R' }, '$.fields: the fields are missing'],
  [{ type: 'record', name: 'R', fields: {} }, '$.fields: not an array'],
  [record('x'), '$.fields[0]: a field is an object'],
  [record({ type: 'int' }), '$.fields[0].name: the name is missing'],
  [record({ name: 'a.b', type: 'int' }), '$.fields[0].name: invalid name "a.b"'],
  [record({ name: 'a"b', type: 'int' }), '$.fields[0].name: invalid name "a\\"b"'],
  [record({ name: 'a' }), '$.fields[0].type: the type is missing'],
  [record(field('int'), field('int')), '$.fields[1]: the record has the field "f" twice'],
  [record(field('int', { order: 'up' })), '$.fields[0].order: not ascending, descending or ignore'],
  [record(field({ type: 'array', items: ['null', 'Other'] })), '$.fields[0].type.items[1]: unknown type "Other"'],
  [{ type: 'enum', name: 'E' }, '$.symbols: the symbols are missing'],
  [{ type: 'enum', name: 'E', symbols: ['A', 'A'] }, '$.symbols[1]: the enum has the symbol "A" twice'],
  [{ type: 'enum', name: 'E', symbols: ['A-B'] }, '$.symbols[0]: invalid symbol "A-B"'],
  [{ type: 'enum', name: 'E', symbols: ['A'], default: 'B' }, '$.default: not one of the symbols'],
  [{ type: 'fixed', name: 'F' }, '$.size: the size is missing'],
  [{ type: 'fixed', name: 'F', size: -1 }, '$.size: not a number of bytes'],
  [{ type: 'fixed', name: 'F', size: '1' }, '$.size: not a number of bytes'],
  [record(field('int', { default: 'x' })), '$.fields[0].default: expected int, found string "x"'],
];

describe('schemas that break the rules are refused', () => {
  test.each(wrong)('%j: %s', (schema, message) => {
    const compile = (): unknown => compileAvro({ ...sourceOf(JSON.stringify(schema)), isNew: true });
    expect(compile).toThrow(SchemaError);
    expect(compile).toThrow(message);
  });

  test.each(['', '{', 'string', '{"type":"int"}}'])('text that is not JSON: %j', (text) => {
    expect(() => compileAvro(sourceOf(text))).toThrow(SchemaError);
    expect(() => compileAvro(sourceOf(text))).toThrow('the schema is not JSON: ');
  });
});

/** Returns the JSON of a payload. */
function decode(schema: unknown, hex: string, references: readonly [name: string, schema: unknown][] = []): string {
  const codec = compileAvro({
    ...sourceOf(JSON.stringify(schema)),
    references: references.map(([name, one]) => ({ name, text: JSON.stringify(one) })),
  });
  const bytes = Buffer.from(hex, 'hex');
  const arena = createArena();
  codec.decoder().decode({ bytes, view: viewOver(bytes) }, 0, bytes.length, arena);
  return arena.bytes.toString('utf8', 0, arena.length);
}

describe('names', () => {
  test.each([
    ['a name in the namespace of the record around it', { ...fixed, namespace: undefined }, 'F', 'a.b.F'],
    ['a namespace of its own', { ...fixed, namespace: 'c' }, 'c.F', 'c.F'],
    ['a full name, whose namespace attribute is ignored', { ...fixed, name: 'd.F', namespace: 'c' }, 'd.F', 'd.F'],
    ['no namespace', { ...fixed, namespace: '' }, 'F', 'F'],
    ['a leading dot for no namespace', { ...fixed, name: '.F' }, 'F', 'F'],
  ])('%s', (_, definition, reference, tag) => {
    const fields = [field(definition), { name: 'g', type: ['null', reference] }];
    const json = decode({ type: 'record', name: 'R', namespace: 'a.b', fields }, '410242');
    expect(json).toBe(`{"f":"A","g":{"${tag}":"B"}}`);
  });

  test('a schema may use types of the schemas that it refers to, and these of one another', () => {
    const references: readonly [string, unknown][] = [
      ['a.F', { ...fixed, name: 'a.F' }],
      ['a.Pair', { type: 'record', name: 'Pair', namespace: 'a', fields: [field('F'), { name: 'g', type: 'a.F' }] }],
    ];
    expect(decode(['null', 'a.Pair'], '024142', [...references])).toBe('{"a.Pair":{"f":"A","g":"B"}}');
    expect(decode('a.Pair', '4142', [...references])).toBe('{"f":"A","g":"B"}');
  });

  test.each([
    [{ ...fixed, namespace: 'com.my-company.x' }, 'com.my-company.x.F'],
    [{ ...fixed, namespace: 'com.acme.Outer$' }, 'com.acme.Outer$.F'],
    [{ ...fixed, name: 'com.x.string' }, 'com.x.string'],
    [{ ...fixed, name: 'a"\\\n', aliases: ['first-name', 5] }, 'a"\\\n'],
  ])('%j is read, although a new schema must not have such a name', (type, tag) => {
    const schema = record({ name: 'a-"b"', type: ['null', type] }, { name: 'e', type: { ...symbols, name: 'E-E' } });
    expect(decode(schema, '024102')).toBe(`{"a-\\"b\\"":{${JSON.stringify(tag)}:"A"},"e":"A-\\"B"}`);
    // The trailing byte of an enum with too large an index makes the careful decoder read it, too.
    expect(() => decode(schema, '024106')).toThrow('there is no symbol 3');
  });

  test('a type that several references contain is the same one if its definitions are', () => {
    const pair = (name: string, size = 1): [string, unknown] => [
      name,
      { type: 'record', name, fields: [field({ type: 'record', name: 'M', fields: [field({ ...fixed, size })] })] },
    ];
    const both = record(field('A'), { name: 'g', type: 'B' });
    expect(decode(both, '4142', [pair('A'), pair('B')])).toBe('{"f":{"f":{"f":"A"}},"g":{"f":{"f":"B"}}}');
    expect(() => decode(both, '4142', [pair('A'), pair('B', 2)])).toThrow('"F" is defined twice');
  });

  test('a fault in a reference says which', () => {
    const wrong = (): string => decode('int', '00', [['a.F', { ...fixed, size: -1 }]]);
    expect(wrong).toThrow('reference "a.F": $.size: not a number of bytes');
  });

  test('an invalid logical type is ignored', () => {
    expect(decode({ type: 'bytes', logicalType: 'decimal', precision: -5, scale: 'x' }, '0241')).toBe('"A"');
    expect(decode({ type: 'int', logicalType: ['x'] }, '02')).toBe('1');
  });
});
