import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import type { JsonFields } from '../../../../src/kafka/records/language/json-fields.ts';
import { compileParser, defaultJsonLayout } from '../../../../src/kafka/records/language/parse.ts';
import { seen } from './parsing.ts';

const value: JsonFields = { key: false, value: true };
const both: JsonFields = { key: true, value: true };

/** The records of the input with their lines, whether it arrives whole or byte by byte; the reason of an error last. */
function read(layout: string, json: JsonFields, input: string): unknown[] {
  const results = [Buffer.byteLength(input), 1].map((size) => readBy(size, layout, json, Buffer.from(input)));
  expect(results[1]).toEqual(results[0]);
  return results[0] ?? [];
}

function readBy(size: number, layout: string, json: JsonFields, input: Buffer): unknown[] {
  const parser = compileParser(layout, json).create({ countsLines: true });
  const results: unknown[] = [];
  const take = (): void => {
    while (parser.next()) results.push({ line: parser.line, ...seen(parser) });
  };
  try {
    for (let at = 0; at < input.length; at += size) {
      parser.push(Buffer.from(input.subarray(at, at + size)));
      take();
    }
    parser.end();
    take();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    results.push(error.message.replace(/^unable to read record \d+ \(input (?:line \d+, )?byte \d+\): /, ''));
  }
  return results;
}

describe('JSON values', () => {
  test.each<[string, unknown[]]>([
    [
      '{"a":1}\n{"a":2}\n',
      [
        { line: 1, v: '{"a":1}' },
        { line: 2, v: '{"a":2}' },
      ],
    ],
    [
      '{"a":1}\r\n\r\n{"a":2}',
      [
        { line: 1, v: '{"a":1}' },
        { line: 3, v: '{"a":2}' },
      ],
    ],
    [
      '{\n  "a": 1\n}\n\n"b"\n',
      [
        { line: 1, v: '{"a":1}' },
        { line: 5, v: '"b"' },
      ],
    ],
    [
      '1 2\n3',
      [
        { line: 1, v: '1' },
        { line: 1, v: '2' },
        { line: 2, v: '3' },
      ],
    ],
    ['{"a":1}\nx', [{ line: 1, v: '{"a":1}' }, 'the value is not valid JSON']],
    ['{"a":', ['the input ends inside a JSON value']],
  ])('are separated by white space: %j', (input, expected) => {
    expect(read(defaultJsonLayout, value, input)).toEqual(expected);
  });

  test('end by themselves where a layout has a plain %v', () => {
    expect(read('%k %v\\n', value, 'k1 {"a": [1, "\\n x"]}\nk2 2\n')).toEqual([
      { line: 1, k: 'k1', v: '{"a":[1,"\\n x"]}' },
      { line: 2, k: 'k2', v: '2' },
    ]);
  });

  test('can follow one another, as key and value', () => {
    expect(read('%k%v\\n', both, '{"id":1}{"a":1}\n"k"7\n')).toEqual([
      { line: 1, k: '{"id":1}', v: '{"a":1}' },
      { line: 2, k: '"k"', v: '7' },
    ]);
  });

  test('leave other encodings of a layout as they are', () => {
    expect(read('%k{hex} %v\\n', both, '6162 {}\n')).toEqual([{ line: 1, k: 'ab', v: '{}' }]);
  });
});

describe('envelopes with JSON values', () => {
  test.each<[JsonFields, string, unknown[]]>([
    [value, '{"key":"k","value":{"a":12345678901234567890}}', [{ line: 1, k: 'k', v: '{"a":12345678901234567890}' }]],
    [
      value,
      '{"value":"text"}\n{"value":[ 1 ]}\n',
      [
        { line: 1, v: '"text"' },
        { line: 2, v: '[1]' },
      ],
    ],
    [both, '{\n"key":{"id":1},\n"value":null}', [{ line: 1, k: '{"id":1}', v: null }]],
    [both, '{"value":1.50,"value_schema_id":7,"key_schema_id":"x"}', [{ line: 1, v: '1.50' }]],
    [
      value,
      '{"key":"k","key_schema_id":2,"value":1}',
      [expect.stringContaining('"key" was decoded by a schema (encode it with --schema-key-id, or remove "key_sch')],
    ],
    [value, '{"key":1}', [expect.stringContaining('"key" is not a string')]],
    [value, '{"key":{"id": 1}}', [{ line: 1, k: '{"id":1}', v: null }]],
    [value, '{"value":"AA==","value_encoding":"base64"}', [expect.stringContaining('"value" is base64')]],
  ])('%j of %s', (json, input, expected) => {
    expect(read('json', json, input)).toEqual(expected);
  });

  test('are refused without a schema, unless they are objects or arrays', () => {
    expect(read('json', { key: false, value: false }, '{"value":{"a": 1.0}}')).toEqual([{ line: 1, v: '{"a":1.0}' }]);
    expect(read('json', { key: false, value: false }, '{"value":1}')).toEqual([
      '"value" is not a string (write a JSON value as a string, or encode it by a schema with --schema-id)',
    ]);
  });
});
