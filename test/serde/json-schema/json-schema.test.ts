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

test('an invalid pattern is refused', () => {
  expect(failureOf(() => compile({ pattern: '[' }))).toBe(
    'the pattern "[" is not valid: error parsing regexp: missing closing ]: `[`',
  );
  const many = Array.from({ length: 600 }, (_, at) => [`^.{900}${at}`, true]);
  expect(failureOf(() => compile({ patternProperties: Object.fromEntries(many) }))).toBe(
    'the patterns of the schema are too large',
  );
});

test.each([['(?=x)a'], ['(?<n>a)\\k<n>'], ['^.{1,2000}$']])(
  'what the pattern %s decides about is read as it is, and not written',
  (pattern) => {
    const { decoder, encoder } = compile({ properties: { a: { pattern }, b: { type: 'integer' } } });
    expect(decoded(decoder(), Buffer.from('{"a":"x"}'))).toBe('{"a":"x"}');
    expect(failureOf(() => encoder().encode(Buffer.from('{"a":"x"}')))).toContain('could take forever');
    expect(encoder().encode(Buffer.from('{"b":1}')).toString()).toBe('{"b":1}');
    expect(failureOf(() => decoded(decoder(), Buffer.from('{"b":"x"}')))).toContain('$.b: expected integer');
  },
);

test.each([
  ['^\\s[\\s]$', '\u00a0\ufeff', 'ab'],
  ['^\\S$', 'x', '\u2003'],
  ['^\\p{Letter}+$', 'π', '1'],
])('the pattern %s means what it means in JavaScript', (pattern, good, bad) => {
  const decoder = compile({ pattern }).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from(JSON.stringify(good))))).toBe('no failure');
  expect(failureOf(() => decoded(decoder, Buffer.from(JSON.stringify(bad))))).toContain('text that matches');
});

test('an escaped backslash before k refers to no group', () => {
  const decoder = compile({ pattern: '^\\\\k<' }).decoder();
  expect(decoded(decoder, Buffer.from('"\\\\k<"'))).toBe('"\\\\k<"');
});

test('keywords of other dialects mean nothing in references either', () => {
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
  ['{"type":"strin"}', 'invalid JSON Schema: /type must be a type, or an array of types'],
  [
    '{"$defs":{"a":1},"properties":{"b":{"items":[{"minimum":"1"}]}}}',
    '/properties/b/items/0/minimum must be a number',
  ],
  [`{"anyOf":[${Array(200_001).fill('{}')}]}`, 'the schema has more than 200000 parts'],
])('the schema %.40s is refused', (text, failure) => {
  expect(failureOf(() => compile(text))).toContain(failure);
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

test.each([
  [{ type: 'string', nullable: true }, '"a"', 'null'],
  [{ nullable: true, enum: ['a'] }, '"a"', 'null'],
  [
    { properties: { nullable: { type: 'string' }, a: { nullable: true, type: 'string' } } },
    '{"nullable":"x"}',
    '{"nullable":1}',
  ],
  [{ properties: { a: { nullable: true, type: 'string' } } }, '{"a":"x"}', '{"a":null}'],
  [{ const: { nullable: true } }, '{"nullable":true}', '{}'],
  [{ anyOf: [{ nullable: true, type: 'integer' }] }, '1', 'null'],
  [{ properties: { a: { $async: true, type: 'integer' } } }, '{"a":1}', '{"a":"x"}'],
])('keywords of other dialects mean nothing: %j takes %s, not %s', (schema, good, bad) => {
  const { encoder } = compile(schema);
  expect(failureOf(() => encoder().encode(Buffer.from(good)))).toBe('no failure');
  expect(failureOf(() => encoder().encode(Buffer.from(bad)))).toMatch(/^\$/);
});

const draft4 = 'http://json-schema.org/draft-04/schema#';
const draft6 = 'https://json-schema.org/draft-06/schema';
const draft7 = 'https://json-schema.org/draft-07/schema#';
const draft2019 = 'http://json-schema.org/draft/2019-09/schema#';
const draft2020 = 'http://json-schema.org/draft/2020-12/schema';

test.each([
  // The draft: either scheme, with and without "#"; draft 4 as the newest of long ago, and draft 7 for any other.
  [{ $schema: 'https://json-schema.org/draft-04/schema', minimum: 1, exclusiveMinimum: true }, '2', '1'],
  [{ $schema: 'http://json-schema.org/schema#', minimum: 1, exclusiveMinimum: true }, '2', '1'],
  [{ $schema: draft6, const: 1 }, '1', '2'],
  [{ $schema: draft7, if: { minimum: 5 }, else: { multipleOf: 2 } }, '4', '3'],
  [{ $schema: draft2019, dependentRequired: { a: ['b'] } }, '{"b":1}', '{"a":1}'],
  [{ $schema: draft2020, prefixItems: [{ type: 'null' }] }, '[null]', '[1]'],
  [{ $schema: 'http://json-schema.org/draft-03/schema#', if: false, else: { const: 1 } }, '1', '2'],
  [{ $schema: 'urn:mine', items: [{ type: 'null' }] }, '[null,1]', '[1]'],
  [{ $schema: 7, items: [{ type: 'null' }] }, '[null,1]', '[1]'],
  [{ items: [{ type: 'null' }], additionalItems: false }, '[null]', '[null,1]'],
  // Keywords of other drafts mean nothing.
  [{ $schema: draft4, const: 1, type: 'integer' }, '2', '"a"'],
  [{ $schema: draft4, if: false, else: false, type: 'integer' }, '2', '"a"'],
  [{ $schema: draft6, if: false, else: false, type: 'integer' }, '2', '"a"'],
  [{ $schema: draft7, unevaluatedProperties: false, type: 'object' }, '{"a":1}', '1'],
  [{ $schema: draft2020, additionalItems: false, prefixItems: [{ type: 'null' }] }, '[null,1]', '[1]'],
  // Addresses: those of Jackson, of other drafts, and none at all.
  [{ id: 'urn:jsonschema:com:acme:Order', type: 'integer' }, '1', '"a"'],
  [
    { $schema: draft7, id: 'urn:jsonschema:x', properties: { id: { id: '#x', type: 'null' } } },
    '{"id":null}',
    '{"id":1}',
  ],
  [{ $id: 'urn:uuid:1', $ref: '#/definitions/a', definitions: { a: { type: 'null' } } }, 'null', '1'],
  [{ $id: 'not a URI: "/*', $ref: '#/$defs/a b', definitions: { 'a b': { type: 'null' } } }, 'null', '1'],
  // What is next to $ref counts only from 2019-09 on.
  [{ $ref: '#/definitions/a', type: 'string', definitions: { a: { type: 'null' } } }, 'null', '"a"'],
  [{ $schema: draft2019, $ref: '#/$defs/a', minimum: 5, $defs: { a: { type: 'integer' } } }, '5', '4'],
  // Formats: checked up to draft 7, and only those that the draft has.
  [{ $schema: draft7, format: 'date-time' }, '"2026-01-31T12:00:00Z"', '"yesterday"'],
  [{ $schema: draft4, properties: { a: { format: 'date' }, b: { format: 'ipv4' } } }, '{"a":"x"}', '{"b":"1.2.3"}'],
  [{ $schema: draft2019, type: 'string', format: 'date-time' }, '"yesterday"', '1'],
  [{ $schema: draft2020, type: 'string', format: 'email' }, '"nobody"', '1'],
  ...['url', 'byte', 'int32', 'uuid', 'constructor'].map(
    (format) => [{ format, type: ['string', 'integer'] }, '"x y"', 'null'] as const,
  ),
  [{ format: 'int32', type: 'integer' }, '3000000000', '1.5'],
  // Names that objects of JavaScript have anyway.
  ['{"properties":{"__proto__":{"type":"null"}},"required":["__proto__"]}', '{"__proto__":null}', '{"__proto__":1}'],
  [{ required: ['constructor'] }, '{"constructor":1}', '{}'],
  [{ properties: { toString: { type: 'null' } }, additionalProperties: false }, '{"toString":null}', '{"valueOf":1}'],
  // The schema of schemas.
  [{ $ref: 'http://json-schema.org/draft-07/schema#' }, '{"not":{"minLength":1}}', '{"not":{"minLength":-1}}'],
  [{ multipleOf: 0.0001 }, '0.0075', '0.00751'],
  [{ multipleOf: 1e-8 }, '12391239123', '1.5e-9'],
])('%j takes %s, not %s', (schema, good, bad) => {
  const decoder = compile(schema).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from(good)))).toBe('no failure');
  expect(failureOf(() => decoded(decoder, Buffer.from(bad)))).toMatch(/^\$/);
});

test.each([
  // By name relative to the address of the schema, as it is, by its own address, and in a context.
  [{ $id: 'http://x.test/dir/a.json', $ref: 'b.json' }, 'b.json', {}],
  [{ $id: 'http://x.test/dir/a.json', $ref: 'http://x.test/dir/b.json' }, 'b.json', {}],
  [{ $id: 'urn:a:b', $ref: 'b.json' }, 'b.json', {}],
  [{ $ref: './sub/../b.json#' }, 'b.json', {}],
  [{ $ref: 'http://y.test/c' }, 'b.json', { $id: 'http://y.test/c' }],
  [{ $ref: 'b.json' }, 'b.json', { $id: 'http://y.test/c' }],
  [{ $ref: 'com.acme.Order $1' }, 'com.acme.Order $1', {}],
  [{ $ref: ':.ctx:orders-value' }, ':.ctx:orders-value', {}],
  [{ $ref: 'a b/"c"' }, 'a b/"c"', {}],
  [{ $ref: 'b.json#/$defs/x/else' }, 'b.json', { definitions: { x: { else: { type: 'integer' } } }, type: 'null' }],
])('%j finds its reference %s with %j', (schema, name, reference) => {
  const text = JSON.stringify({ type: 'integer', ...reference });
  const decoder = compile(schema, [{ name, text }]).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from('1')))).toBe('no failure');
  expect(failureOf(() => decoded(decoder, Buffer.from('"a"')))).toBe('$: expected integer, found string "a"');
});

test('a schema and its references may be of different drafts', () => {
  const schema = { $schema: draft2020, properties: { a: { $ref: 'old' }, b: { $ref: 'same' } } };
  const old = { $schema: draft4, minimum: 1, exclusiveMinimum: true, const: 5 };
  const references = [
    { name: 'old', text: JSON.stringify(old) },
    { name: 'same', text: JSON.stringify({ prefixItems: [{ type: 'null' }] }) },
  ];
  const decoder = compile(schema, references).decoder();
  expect(failureOf(() => decoded(decoder, Buffer.from('{"a":2,"b":[null]}')))).toBe('no failure');
  expect(failureOf(() => decoded(decoder, Buffer.from('{"a":1}')))).toBe(
    '$.a: expected a number above 1, found number 1',
  );
  expect(failureOf(() => decoded(decoder, Buffer.from('{"b":[1]}')))).toBe('$.b[0]: expected null, found number 1');
});

test('a value may be nested as deep as people nest lists, and one too deep for the stack is refused', () => {
  const list = { properties: { next: { $ref: '#' }, value: { type: 'integer' } }, required: ['value'] };
  const { decoder, encoder } = compile(list);
  const nested = (depth: number, end: string) =>
    Buffer.from(`${'{"value":1,"next":'.repeat(depth)}${end}${'}'.repeat(depth)}`);
  expect(failureOf(() => decoded(decoder(), nested(1500, '{"value":1}')))).toBe('no failure');
  expect(failureOf(() => encoder().encode(nested(300, '{"value":"x"}')))).toMatch(/\.next\.value: expected integer/);
  expect(failureOf(() => decoded(decoder(), nested(100_000, '{"value":1}')))).toMatch(
    /^\$: expected a value of bounded depth/,
  );
});

test.each([
  ['properties that are all required, at every level', (inner: object) => namedParts(20, inner)],
  ['long names', (inner: object) => ({ ['n'.repeat(100_000)]: inner, b: inner, c: inner })],
  ['large examples', (inner: object) => ({ ...namedParts(10, inner), e: { examples: ['x'.repeat(100_000)] } })],
])('no example is made of %s, in a bounded time', (_, properties) => {
  const all = properties({ $ref: '#/definitions/a' });
  const a = { type: 'object', properties: all, required: Object.keys(all), minProperties: 1 };
  const started = performance.now();
  expect(failureOf(() => compile({ $ref: '#/definitions/a', definitions: { a } }).example())).toBe(
    'no example could be made that is valid for this schema',
  );
  expect(performance.now() - started).toBeLessThan(10_000);
});

function namedParts(count: number, inner: object): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, inner]));
}

test('a value with too much to compare is given up after a bounded number of steps', () => {
  const decoder = compile({ allOf: Array(5000).fill({ uniqueItems: true }) }).decoder();
  const json = JSON.stringify(Array.from({ length: 20_000 }, (_, a) => ({ a })));
  expect(failureOf(() => decoded(decoder, Buffer.from(json)))).toContain('too many alternatives');
});
