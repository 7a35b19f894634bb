import { describe, expect, test } from 'vitest';
import { viewOver } from '../../src/bytes/arena.ts';
import { framed, headerSchema, isSchemaHeader, schemaIdAt } from '../../src/serde/wire-format.ts';

function idOf(hex: string, start = 0): number {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return schemaIdAt({ bytes, view: viewOver(bytes) }, start, bytes.length - start);
}

describe('the prefix of a payload', () => {
  test.each([
    ['00 00000001 02', 1],
    ['00 00000007', 7],
    ['00 ffffffff 00', 4294967295],
    ['00 01020304', 0x01020304],
    ['01 00000001 02', -1],
    ['00 000000', -1],
    ['', -1],
  ])('%s holds the id %d', (hex, id) => {
    expect(idOf(hex)).toBe(id);
  });

  test('is looked for where the field starts', () => {
    expect(idOf('ffff 00 00000009 aa', 2)).toBe(9);
  });

  test('is a zero byte and the id', () => {
    expect(framed(258, Buffer.from('abcd', 'hex')).toString('hex')).toBe('0000000102abcd');
    expect(framed(4294967295, Buffer.alloc(0)).toString('hex')).toBe('00ffffffff');
  });
});

describe('a header that names a schema', () => {
  test.each([
    ['__value_schema_id', 'value', true],
    ['__key_schema_id', 'value', false],
    ['__key_schema_id', 'key', true],
    ['apicurio.value.contentId', 'value', true],
    ['apicurio.key.contentId', 'value', false],
    ['value', 'value', false],
  ] as const)('%s for the %s: %s', (header, field, expected) => {
    expect(isSchemaHeader(header, field)).toBe(expected);
  });

  const guid = '7f4c3f2a0b1c4d5e8f90a1b2c3d4e5f6';
  const name = '7f4c3f2a-0b1c-4d5e-8f90-a1b2c3d4e5f6';

  // Written by header_schema_id_serializer of confluent-kafka 2.16 for Python.
  test('of a Python client', () => {
    const bytes = Buffer.from('01481f75f8751343ff98c0a6c035b96152040002', 'hex');
    const name = '481f75f8-7513-43ff-98c0-a6c035b96152';
    expect(headerSchema('__value_schema_id', bytes)).toEqual({ name, messageIndexes: [0, 1] });
  });

  test.each([
    [`01${guid}`, { name, messageIndexes: [0] }],
    [`01${guid}00`, { name, messageIndexes: [0] }],
    [`01${guid}020a`, { name, messageIndexes: [5] }],
    [`01${guid}04020a`, { name, messageIndexes: [1, 5] }],
    [`01${guid}028001`, { name, messageIndexes: [64] }],
    [`01${guid}0201`, undefined], // an index of -1
    [`01${guid}0402`, undefined], // one index is missing
    [`01${guid}0280`, undefined], // it ends inside an index
    [`01${guid}02808080808080`, undefined],
    [`00${guid}`, undefined],
    ['0000000007', { name: 7, messageIndexes: [0] }],
    ['00000000070402', undefined], // one index is missing
    ['000000000704020a', { name: 7, messageIndexes: [1, 5] }],
    ['00000000', undefined],
    ['0200000007', undefined],
    [`01${guid.slice(2)}`, undefined],
    ['', undefined],
  ])('with the bytes %s', (hex, expected) => {
    expect(headerSchema('__value_schema_id', Buffer.from(hex, 'hex'))).toEqual(expected);
  });

  test.each([
    ['0000000000000007', { name: 7, messageIndexes: [0] }],
    ['00000000ffffffff', { name: 4294967295, messageIndexes: [0] }],
    ['0000000100000000', undefined],
    ['ffffffffffffffff', undefined],
    ['00000007', undefined],
  ])('with the content id %s', (hex, expected) => {
    expect(headerSchema('apicurio.key.contentId', Buffer.from(hex, 'hex'))).toEqual(expected);
  });
});
