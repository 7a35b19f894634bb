import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/serde/json-schema/json-schema.ts';
import { decoded, failureOf } from '../decoded.ts';

const compile = (schema: unknown, references: readonly { name: string; text: string }[] = []) =>
  compileJsonSchema({ type: 'JSON', text: typeof schema === 'string' ? schema : JSON.stringify(schema), references });

test('a payload becomes one line, with numbers, keys and their order as they are', () => {
  const text = ' {"b" : 1e400,\n"a": [12345678901234567890 , " \\" \u2028" ], "b": 0.10 }\n';
  expect(decoded(compile({ type: 'object' }).decoder(), Buffer.from(text))).toBe(
    '{"b":1e400,"a":[12345678901234567890," \\" \\u2028"],"b":0.10}',
  );
});

test('the encoder returns the bytes unchanged', () => {
  expect(
    compile({ properties: { x: { type: 'integer' } } })
      .encoder()
      .encode(Buffer.from('{"x": 7}'))
      .toString(),
  ).toBe('{"x": 7}');
  expect(failureOf(() => compile(true).encoder().encode(Buffer.from('{"a":1,"a":2}')))).toContain(
    'found the key twice',
  );
});

test.each([
  [{ type: 'object', required: ['x'] }, '{}', '$: expected the property "x", found an object without it'],
  [
    { properties: { x: { items: { type: ['integer', 'null'] } } } },
    '{"x":[1,"a"]}',
    '$.x[1]: expected integer or null, found string "a"',
  ],
  [
    { properties: { a: true }, additionalProperties: false },
    '{"b/~c":1}',
    '$["b/~c"]: expected no other properties, found the property',
  ],
  [{ enum: ['a', 1] }, '"b"', '$: expected one of "a", 1, found string "b"'],
  [{ minimum: 3 }, '2', '$: expected a number of at least 3, found number 2'],
  [{ pattern: '^a' }, '"b"', '$: expected text that matches "^a", found string "b"'],
  [{ format: 'date' }, '"x"', '$: expected the format date, found string "x"'],
  [
    { anyOf: [{ type: 'null' }, { type: 'string' }] },
    '1',
    '$: expected a value that fits one of the alternatives, found number 1',
  ],
  [{ multipleOf: 0.01 }, '19.99', 'no failure'],
])('%j and %s', (schema, json, failure) => {
  expect(failureOf(() => decoded(compile(schema).decoder(), Buffer.from(json)))).toBe(failure);
});

test.each([
  ['no JSON', Buffer.from('{')],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['deep nesting', Buffer.from('['.repeat(1e6))],
])('%s is refused', (_, payload) => {
  expect(failureOf(() => decoded(compile(true).decoder(), payload))).toMatch(/^\$: expected JSON, found /);
});

test.each([
  ['(?=x)a', 'the pattern "(?=x)a" uses lookaround or a backreference, which cannot be matched in a bounded time'],
  [
    '(?<n>a)\\k<n>',
    'the pattern "(?<n>a)\\\\k<n>" uses lookaround or a backreference, which cannot be matched in a bounded time',
  ],
  ['[', 'the pattern "[" is not valid: error parsing regexp: missing closing ]: `[`'],
])('the pattern %s is refused', (pattern, failure) => {
  expect(failureOf(() => compile({ pattern }))).toBe(failure);
});

test('an escaped backslash before k refers to no group', () => {
  const decoder = compile({ pattern: '^\\\\k<' }).decoder();
  expect(decoded(decoder, Buffer.from('"\\\\k<"'))).toBe('"\\\\k<"');
});

test('a keyword of the validator that JSON Schema does not have means nothing', () => {
  const decoder = compile({ $async: true, type: 'integer' }).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from('"x"')))).toBe('$: expected integer, found string "x"');
  const referring = compile({ $ref: 'other' }, [{ name: 'other', text: '{"$async":true,"type":"integer"}' }]);
  expect(failureOf(() => decoded(referring.decoder(), Buffer.from('"x"')))).toBe(
    '$: expected integer, found string "x"',
  );
});

test('definitions that are only references to one another are refused', () => {
  const definitions = { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } };
  expect(failureOf(() => compile({ $ref: '#/definitions/a', definitions }))).toBe(
    'the schema refers to itself without end',
  );
});

test('each pattern is its own', () => {
  const decoder = compile({ patternProperties: { '^a': { type: 'null' }, o: { type: 'string' } } }).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from('{"xo":1}')))).toBe('$.xo: expected string, found number 1');
});

test('hostile patterns and arrays take linear time', () => {
  const slow = compile({ properties: { s: { pattern: '^(a+)+$' }, l: { uniqueItems: true } } }).decoder();
  expect(failureOf(() => decoded(slow, Buffer.from(`{"s":"${'a'.repeat(5000)}b"}`)))).toContain(
    'expected text that matches',
  );
  const items = Array.from({ length: 20_000 }, (_, a) => ({ a }));
  expect(failureOf(() => decoded(slow, Buffer.from(JSON.stringify({ l: items }))))).toBe('no failure');
  expect(failureOf(() => decoded(slow, Buffer.from('{"l":[{"a":1,"b":2},{"b":2,"a":1}]}')))).toContain(
    'items that differ',
  );
});

test('alternatives in a recursive schema are given up after a bounded number of steps', () => {
  const branch = (title: string) => ({ title, type: 'object', properties: { x: { $ref: '#' } }, required: ['x'] });
  const decoder = compile({ anyOf: [branch('a'), branch('b')] }).decoder();
  const json = `${'{"x":'.repeat(40)}1${'}'.repeat(40)}`;
  expect(failureOf(() => decoded(decoder, Buffer.from(json)))).toBe(
    '$: expected a value that can be validated in a bounded time, found too many alternatives',
  );
});

test.each([
  ['http://json-schema.org/draft-04/schema#', 'id'],
  ['http://json-schema.org/draft-06/schema#', '$id'],
  ['http://json-schema.org/draft-07/schema#', '$id'],
  ['https://json-schema.org/draft/2019-09/schema', '$id'],
  ['https://json-schema.org/draft/2020-12/schema', '$id'],
])('references of %s are found by name, and nothing is fetched', ($schema, id) => {
  const schema = { $schema, [id]: 'http://x.test/a.json', properties: { a: { $ref: 'other.json' } } };
  const references = [{ name: 'http://x.test/other.json', text: '{"type":"integer"}' }];
  expect(failureOf(() => decoded(compile(schema, references).decoder(), Buffer.from('{"a":"x"}')))).toBe(
    '$.a: expected integer, found string "x"',
  );
  expect(failureOf(() => compile(schema))).toContain('which is not one of its references');
});

test.each([
  ['{', 'the schema is not JSON: '],
  ['[]', 'the schema is neither an object nor a boolean'],
  ['{"$schema":"http://x/y"}', 'the draft "http://x/y" is not one of 4, 6, 7, 2019-09 and 2020-12'],
  ['{"type":"strin"}', 'invalid JSON Schema: /type must be one of the allowed values'],
  [`{"not":${'['.repeat(300)}${']'.repeat(300)}}`, 'the schema is nested more than 200 deep'],
  [`{"enum":[${Array(10_000).fill('{}')}]}`, 'the schema has more than 5000 parts'],
])('the schema %s is refused', (text, failure) => {
  expect(failureOf(() => compile(text))).toContain(failure);
});

test('names cannot break out of generated code', () => {
  const name = '\'];throw 1;//"`$\u2028\\';
  const codec = compile({ properties: { [name]: { const: 1 } }, required: [name] });
  expect(failureOf(() => decoded(codec.decoder(), Buffer.from(JSON.stringify({ [name]: 2 }))))).toContain(
    'expected 1, found number 2',
  );
});

test('examples are valid, or there is none', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 5 },
      b: { enum: ['x'] },
      c: { format: 'uuid' },
      d: { $ref: '#/definitions/d' },
    },
    required: ['a'],
    definitions: { d: { examples: [7] } },
  };
  expect(JSON.parse(compile(schema).example())).toEqual({
    a: 5,
    b: 'x',
    c: '123e4567-e89b-42d3-a456-426614174000',
    d: 7,
  });
  expect(failureOf(() => compile({ type: 'string', pattern: '^\\d{3}$' }).example())).toBe(
    'no example could be made that is valid for this schema',
  );
});
