import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/serde/json-schema/json-schema.ts';
import { decoded, failureOf } from '../decoded.ts';

const compile = (schema: unknown, references: readonly { name: string; text: string }[] = []) =>
  compileJsonSchema({ type: 'JSON', text: typeof schema === 'string' ? schema : JSON.stringify(schema), references });

const draft4 = 'http://json-schema.org/draft-04/schema#';
const draft6 = 'https://json-schema.org/draft-06/schema';
const draft7 = 'https://json-schema.org/draft-07/schema#';
const draft2019 = 'http://json-schema.org/draft/2019-09/schema#';
const draft2020 = 'http://json-schema.org/draft/2020-12/schema';

const cases: readonly (readonly [schema: unknown, good: string, bad: string])[] = [
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
  [{ $schema: draft7, format: 'uri' }, '"https://u:p@[::1]:80/a?b#c"', '"https://u@v@host/"'],
  [{ $schema: draft7, format: 'uri' }, '"https://host:80/"', '"https://[::g]/"'],
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
];

test.each(cases)('%j takes %s, not %s', (schema, good, bad) => {
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
