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
  const many = Array.from({ length: 150 }, (_, at) => [`^.{900}${at}`, true]);
  expect(failureOf(() => compile({ patternProperties: Object.fromEntries(many) }))).toBe(
    'the patterns of the schema are too large',
  );
});

test.each([['[^\\p{L}\\p{N}]'.repeat(50_000)], [`(?:${'a'.repeat(40_000)}){1000}`]])(
  'patterns that would take long to compile are refused before that',
  (pattern) => {
    const start = performance.now();
    expect(failureOf(() => compile({ pattern }))).toBe('the patterns of the schema are too large');
    expect(performance.now() - start).toBeLessThan(500);
  },
);

test.each([['(?=x)a'], ['(?<n>a)\\k<n>'], ['^.{1,2000}$']])(
  'what the pattern %s decides about is read as it is, and not written',
  (pattern) => {
    const { decoder, encoder } = compile({ properties: { a: { pattern }, b: { type: 'integer' } } });
    expect(decoded(decoder(), Buffer.from('{"a":"x"}'))).toBe('{"a":"x"}');
    expect(failureOf(() => encoder().encode(Buffer.from('{"a":"x"}')))).toMatch(
      /^\$: expected a value that can be validated, found one that a pattern .* could take forever$/,
    );
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
  ['{', 'the schema is not JSON: '],
  ['[]', 'the schema is neither an object nor a boolean'],
  ['{"type":"strin"}', 'invalid JSON Schema: /type must be a type, or an array of types'],
  [
    '{"$defs":{"a":1},"properties":{"b":{"items":[{"minimum":"1"}]}}}',
    '/properties/b/items/0/minimum must be a number',
  ],
])('the schema %s is refused', (text, failure) => {
  expect(failureOf(() => compile(text))).toContain(failure);
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
test('a value may be nested as deep as people nest lists, and one too deep for the stack is refused', () => {
  const list = { properties: { next: { $ref: '#' }, value: { type: 'integer' } }, required: ['value'] };
  const { decoder, encoder } = compile(list);
  const nested = (depth: number, end: string) =>
    Buffer.from(`${'{"value":1,"next":'.repeat(depth)}${end}${'}'.repeat(depth)}`);
  expect(failureOf(() => decoded(decoder(), nested(400, '{"value":1}')))).toBe('no failure');
  expect(failureOf(() => encoder().encode(nested(300, '{"value":"x"}')))).toMatch(/\.next\.value: expected integer/);
  expect(failureOf(() => decoded(decoder(), nested(100_000, '{"value":1}')))).toMatch(
    /^\$: expected a value of bounded depth/,
  );
});

test.each([
  [{ uniqueItems: true }, () => Array.from({ length: 5000 }, (_, a) => ({ a }))],
  [{ uniqueItems: true }, () => Array.from({ length: 10_000 }, (_, a) => a)],
  [
    { minProperties: 1, propertyNames: true },
    () => Object.fromEntries(Array.from({ length: 3000 }, (_, a) => [`k${a}`, a])),
  ],
  [{ maxLength: 100_000, minLength: 90_000 }, () => 'x'.repeat(100_000)],
  [{ pattern: '^(x+)+$' }, () => 'x'.repeat(20_000)],
])('what a schema makes of a value is given up after a bounded number of steps: %j', (part, value) => {
  const decoder = compile({ allOf: Array(10_000).fill(part) }).decoder();
  const json = JSON.stringify(value());
  expect(failureOf(() => decoded(decoder, Buffer.from(json)))).toContain('too many alternatives');
});

test('a schema of too many parts is refused', () => {
  const text = `{"anyOf":[${Array(200_001).fill('{}')}]}`;
  expect(failureOf(() => compile(text))).toBe('the schema has more than 200000 parts');
});
