import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileProtobuf } from '../../../src/serde/protobuf/protobuf.ts';
import { decoded, failureOf } from '../decoded.ts';
import { everyType } from './every-type.ts';

const simple = 'syntax = "proto3"; package p; message M { string name = 1; int32 n = 2; message In { int32 x = 1; } }';
const compile = (text: string, references: readonly { name: string; text: string }[] = []) =>
  compileProtobuf({ type: 'PROTOBUF', text, references });
const every = compile(everyType);

test.each([
  ['p.M', '{"name":"bob","n":5}', '000a03626f621005'],
  ['p.M.In', '{"x":7}', '0400000807'],
])('%s is encoded with its message indexes and decoded again', (message, json, hex) => {
  const codec = compile(simple);
  expect(codec.encoder({ message }).encode(Buffer.from(json)).toString('hex')).toBe(hex);
  expect(decoded(codec.decoder(), Buffer.from(hex, 'hex'))).toBe(json);
});

// The payloads are those of ProtobufSerializer of confluent-kafka 2.16 for Python, without magic byte and id.
test.each([
  ['Basket', '000a050a01611001', '{"items":{"a":1}}'],
  ['Order', '02020807', '{"id":"7"}'],
  ['Basket.Line, after a map', '0400020a0178', '{"name":"x"}'],
  ['Basket.Line.Deep', '06000200 0805', '{"n":"5"}'],
  ['Basket.Other', '04000408 01', '{"yes":true}'],
])('what a Python client has written as %s is read', (_, hex, json) => {
  const schema = compile(`syntax = "proto3"; package shop;
    message Basket {
      map<string, int32> items = 1;
      message Line { string name = 1; message Deep { int64 n = 1; } }
      message Other { bool yes = 1; }
    }
    message Order { int64 id = 1; }`);
  expect(decoded(schema.decoder(), Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(json);
});

test.each([
  ['0400000805', '{"a":5}'],
  ['0400021005', '{"b":5}'],
  ['0400020805', '{"a":5}'],
  ['0400021805', '{}'],
  ['04000208051005', '{"b":5}'],
  ['0400041005', '{"b":5}'],
])('an index may or may not count maps: %s is the type that has all fields, first without maps', (hex, json) => {
  const schema = compile(`syntax = "proto3";
    message M { map<string, int32> m = 1; message A { int32 a = 1; } message B { int32 b = 2; } }`);
  expect(decoded(schema.decoder(), Buffer.from(hex, 'hex'))).toBe(json);
  expect(decoded(schema.decoder({ bare: indexesIn(hex) }), Buffer.from(hex.slice(6), 'hex'))).toBe(json);
  expect(schema.encoder({ message: 'M.B' }).encode(Buffer.from('{"b":5}')).toString('hex')).toBe('0400021005');
});

test('indexes of a header that mean no message are a fault of the payload', () => {
  const decoder = compile(simple).decoder({ bare: [0, 7] });
  expect(failureOf(() => decoded(decoder, Buffer.from('0805', 'hex')))).toBe(
    ': the schema has no message type with the index 0, 7',
  );
});

test('a decoder for the indexes of a header is made once', () => {
  const codec = compile(simple);
  expect(codec.decoder({ bare: [0] })).toBe(codec.decoder({ bare: [0] }));
  expect(codec.decoder({ bare: [0, 0] })).not.toBe(codec.decoder({ bare: [0] }));
  expect(codec.decoder()).toBe(codec.decoder());
});

test.each([
  ['int32 fooBar = 1; int32 foo_bar = 2;', '08011002', '{"fooBar":1,"foo_bar":2}'],
  ['int32 foo_bar = 1; int32 fooBar = 2;', '08011002', '{"foo_bar":1,"fooBar":2}'],
  ['int32 a = 1 [json_name = "b"]; int32 b = 2;', '08011002', '{"a":1,"b":2}'],
  ['int32 a = 1 [json_name = "x"]; int32 b = 2 [json_name = "x"];', '08011002', '{"a":1,"b":2}'],
])('fields with one name in JSON keep their own names: %s', (fields, hex, json) => {
  const codec = compile(`syntax = "proto2"; message M { ${fields.replaceAll('int32', 'optional int32')} }`);
  const payload = Buffer.from(`00${hex}`, 'hex');
  expect(decoded(codec.decoder(), payload)).toBe(json);
  expect(codec.encoder().encode(Buffer.from(json))).toEqual(payload);
});

/** The two indexes at the start of a payload. */
function indexesIn(hex: string): readonly number[] {
  return [2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 2);
}

test.each([
  ['fields out of order, and twice', '100508011002', '{"n":2}'],
  ['messages in several parts are merged', '6a021005 6a030a0178', '{"self":{"name":"x","n":5}}'],
  ['the last member of a oneof counts', '2a0161 3005', '{"b":"5"}'],
  ['packed and not packed', '4801 4a020203', '{"unpacked":[1,2,3]}'],
  [
    'a map with a key twice, and without key and value',
    '1a070a016112020801 1a070a016112020802 1a00',
    '{"inByName":{"a":{"x":2},"":{}}}',
  ],
  ['unknown fields and groups', 'ba3e0161 c33e0801c43e', '{}'],
  ['another wire type is an unknown field', '1202ffff', '{}'],
])('%s', (_, hex, json) => {
  expect(decoded(every.decoder({ bare: [0] }), Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(json);
});

test.each([
  ['05', '$: the payload states -3 message indexes'],
  ['0208', ': the schema has no message type with the index 4'],
  ['feffffff0f', '$: the payload states 2147483647 message indexes'],
  ['00 0a ffffffff0f', '$: a length of 4294967295 bytes, but only 0 are left'],
  ['00 10', '$: the payload ends within a number'],
  ['00 10 ffffffffffffffffffffff01', '$: a number has more than 10 bytes'],
  ['00 0a02ffff', '$.name: a string is not valid UTF-8'],
  ['00 07', '$: a field has an invalid number'],
  ['00 0f', '$: field 1 has the invalid wire type 7'],
  ['00 0c', '$: a group ends that was not begun'],
  ['00 c33e', '$: the payload ends within a group'],
  ['00 2200 2202 0801 2201 08', '$.list[2]: the payload ends within a number'],
  ['00 9a01 0708 ffffffffff7f', '$.at: a timestamp outside of the years 1 to 9999'],
])('the payload %s is refused', (hex, failure) => {
  const payload = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(failureOf(() => decoded(every.decoder(), payload))).toBe(failure);
});

test.each([
  ['{"nme":"x"}', '$.nme: expected a field of p.M, such as "name", found an unknown field'],
  ['{"name":1}', '$.name: expected string, found number 1'],
  ['{"list":[{},{"x":1.5}]}', '$.list[1].x: expected int32, found number 1.5'],
  ['{"u64":18446744073709551616}', '$.u64: expected uint64, found number 18446744073709551616'],
  ['{"name":"a","name":"b"}', '$.name: expected every key once, found the key twice'],
  ['{"a":"x","b":1}', '$.b: expected one field of oneof choice, found "a" as well'],
  ['{"one":"BB"}', '$.one: expected a value of enum p.M.E, such as "B", found string "BB"'],
  ['{"inByName":{"a b":{"e":[]}}}', '$.inByName["a b"].e: expected a value of enum p.M.E, found an array'],
  ['{"by":"a"}', '$.by: expected bytes in base64, found string "a"'],
  [
    '{"at":"2026-02-30T00:00:00Z"}',
    '$.at: expected a timestamp such as "2026-01-31T12:00:00Z", found string "2026-02-30T00:00:00Z"',
  ],
  ['{"__proto__":1}', '$.__proto__: expected a field of p.M, found an unknown field'],
  ['[]', '$: expected an object for p.M, found an array'],
])('the JSON %s is refused', (json, failure) => {
  expect(failureOf(() => every.encoder().encode(Buffer.from(json)))).toBe(failure);
});

test.each([
  ['syntax = "proto3";\nmessage M {\n  strin name 1;\n}', 'line 3, column 14: expected "=", found "1"'],
  ['message M { optional Foo x = 1; }', 'type "Foo" is not defined, used in M'],
  ['import "x.proto";', 'the schema imports "x.proto", which is not one of its references'],
  [
    'syntax = "proto3"; message M { int32 a = 1; int32 b = 1; }',
    'line 1, column 59: message M uses the field number 1 twice',
  ],
  ['message M {', 'line 1, column 12: expected the type of a field, found the end of the text'],
  [`/*${'*'.repeat(1e6)}`, 'line 1, column 1: unexpected "/***********"'],
  ['message M {'.repeat(1e5), 'line 1, column 727: messages are nested more than 64 deep'],
])('the schema %s is refused', (text, failure) => {
  expect(failureOf(() => compile(text))).toBe(failure);
});

test.each([0, 19_000, 19_999, 536_870_912])('no field has the number %i', (number) => {
  const failure = failureOf(() => compile(`message M { optional int32 a = ${number}; }`));
  expect(failure).toBe(`line 1, column 32: ${number} is not a valid field number`);
});

// The numbers on both sides of each limit, and of what the decoder looks up in an array.
test.each([1, 1024, 1025, 18_999, 20_000, 536_870_911])('a field may have the number %i', (number) => {
  const codec = compile(
    `message M { optional int32 a = ${number}; optional int32 b = ${number === 1024 ? 1025 : 2}; }`,
  );
  const json = '{"a":5,"b":6}';
  expect(decoded(codec.decoder(), codec.encoder().encode(Buffer.from(json)))).toBe(json);
});

test.each([
  ...['int32', 'sint32', 'sfixed32'].map((type) => [type, -(2n ** 31n), 2n ** 31n - 1n] as const),
  ...['int64', 'sint64', 'sfixed64'].map((type) => [type, -(2n ** 63n), 2n ** 63n - 1n] as const),
  ...['uint32', 'fixed32'].map((type) => [type, 0n, 2n ** 32n - 1n] as const),
  ...['uint64', 'fixed64'].map((type) => [type, 0n, 2n ** 64n - 1n] as const),
])('%s takes integers from %s to %s', (type, least, most) => {
  const codec = compile(`message M { optional ${type} x = 1; }`);
  const encode = (value: bigint) => codec.encoder().encode(Buffer.from(`{"x":${value}}`));
  for (const value of [least, most]) {
    expect(BigInt(JSON.parse(decoded(codec.decoder(), encode(value))).x)).toBe(value);
  }
  for (const value of [least - 1n, most + 1n]) {
    expect(failureOf(() => encode(value))).toBe(`$.x: expected ${type}, found number ${value}`);
  }
});

test('a schema with several message types needs the name of one', () => {
  const codec = compile('message A {} message B { message C {} }');
  expect(failureOf(() => codec.encoder())).toBe('the schema has several message types: A, B');
  expect(failureOf(() => codec.encoder({ message: 'D' }))).toBe('the schema has no message type "D", only A, B, B.C');
});

test('references are imported by name, and names of JavaScript are names as any other', () => {
  const text =
    'import "c.proto"; import "confluent/meta.proto"; import "google/type/money.proto"; message toString { optional constructor __proto__ = 1; optional google.type.Money m = 2; }';
  const codec = compile(text, [{ name: 'c.proto', text: 'message constructor { optional int32 toString = 1; }' }]);
  const json = '{"Proto":{"toString":1},"m":{"units":"5"}}';
  expect(decoded(codec.decoder(), codec.encoder().encode(Buffer.from(json)))).toBe(json);
});

// Protocol Buffers Language Guide, "Maps": any integral or string type.
test.each([
  ['int32 uint32 sint32 fixed32 sfixed32 int64 uint64 sint64 fixed64 sfixed64 bool string', 0],
  ['float double bytes E M xint32 int321 xbool stringx', 9],
])('keys of maps have the types that the language allows: %s', (types, refused) => {
  const failures = types
    .split(' ')
    .map((type) => failureOf(() => compile(`enum E { A = 0; } message M { map<${type}, M> m = 1; }`)))
    .filter((failure) => failure.includes('cannot be the type of the keys of a map'));
  expect(failures).toHaveLength(refused);
});

// All of it is accepted by protoc 35: blanks and comments may stand around dots, and parentheses anywhere in the name of an option.
test('dots and names are read as protoc reads them', () => {
  const codec = compile(`syntax = "proto2"; package p /* a */ . // b
    q; option (mo).b.(x) = 3; option (a.b) . string . (.c . d) = "x";
    option (a) = { f: .5 # it is a comment there
      [p.q/r.s] { g: -1 } };
    message M {
      extensions 100 to max [(a . b) = 1];
      optional q . M one = 1 [(a).(b).c = -inf]; map<string, p
        .q.M> many = 2; oneof o { .p .q
        .M two = 3; }
    }
    extend q
      . M { optional M x = 100; }
    service S { rpc Do (stream . p.q.M) returns (M) { option (a . b).c = 1; } }`);
  const json = '{"one":{"two":{}},"many":{"k":{"one":{}}},"[p.q.x]":{"two":{}}}';
  expect(decoded(codec.decoder(), codec.encoder().encode(Buffer.from(json)))).toBe(json);
});

test('a name with a dot in front begins at the root, whatever has that name nearby', () => {
  const codec = compile(`syntax = "proto3"; package p;
    message M { message p { message T { string wrong = 1; } } .p.T one = 1; map<string, .p.T> more = 2; }
    message T { int32 right = 1; }`);
  const json = '{"one":{"right":1},"more":{"k":{"right":2}}}';
  expect(decoded(codec.decoder(), codec.encoder({ message: 'p.M' }).encode(Buffer.from(json)))).toBe(json);
});

test.each(['type/decimal', 'types/decimal', 'type/variant'])('confluent/%s.proto is built in', (path) => {
  const type = path.endsWith('decimal') ? 'Decimal' : 'Variant';
  const codec = compile(`import "confluent/${path}.proto"; message M { optional confluent.type.${type} v = 1; }`);
  const json = `{"v":{${type === 'Variant' ? '"metadata":"AQ==",' : ''}"value":"BCs="}}`;
  expect(decoded(codec.decoder(), codec.encoder().encode(Buffer.from(json)))).toBe(json);
});

test('editions set presence and encoding', () => {
  const codec = compile(
    'edition = "2023"; option features.field_presence = IMPLICIT; message M { int32 a = 1; int32 b = 2 [features.field_presence = EXPLICIT]; repeated int32 c = 3 [features = { repeated_field_encoding: EXPANDED }]; M d = 4 [features.message_encoding = DELIMITED]; }',
  );
  const payload = codec.encoder().encode(Buffer.from('{"a":0,"b":0,"c":[1,2],"d":{"a":1}}'));
  expect(payload.toString('hex')).toBe('0010001801180223080124');
  expect(decoded(codec.decoder(), payload)).toBe('{"b":0,"c":[1,2],"d":{"a":1}}');
});

test('the example is valid', () => {
  const json = every.example();
  expect(decoded(every.decoder(), every.encoder().encode(Buffer.from(json)))).toContain('"name":"text"');
});

test('the example has a value that fits each kind of field', () => {
  const fields = ['string a', 'bytes b', 'bool c', 'double d', 'float e', 'int64 f', 'fixed32 g', 'map<bool, float> h'];
  const text = fields.map((field, index) => `${field} = ${index + 1};`).join(' ');
  expect(JSON.parse(compile(`syntax = "proto3"; message M { ${text} }`).example())).toEqual({
    ...{ a: 'text', b: 'Ynl0ZXM=', c: true, d: 1.5, e: 1.5, f: '1', g: 1, h: { true: 1.5 } },
  });
});

test('bytes of any kind are decoded, or refused with a reason', () => {
  const decoder = every.decoder({ bare: [0] });
  const tags = fc.constantFrom(
    ...[10, 16, 26, 34, 42, 58, 66, 74, 81, 93, 98, 106, 114, 122, 130, 138, 146, 154, 162, 170],
  );
  const pieces = fc.array(fc.tuple(tags, fc.uint8Array({ maxLength: 12 })), { maxLength: 6 });
  fc.assert(
    fc.property(pieces, (parts) => {
      const payload = Buffer.concat(
        parts.map(([tag, bytes]) =>
          Buffer.concat([Buffer.from(tag > 127 ? [tag, 1] : [tag]), Buffer.of(bytes.length), bytes]),
        ),
      );
      failureOf(() => JSON.parse(decoded(decoder, payload)));
    }),
    { numRuns: 3000 },
  );
  expect(
    failureOf(() => decoded(decoder, Buffer.concat(Array(300).fill(Buffer.from('6affff'))))).length,
  ).toBeGreaterThan(10);
});

test('an example of messages that double with every level, or that are very deep, comes to an end', () => {
  const doubling = Array.from(
    { length: 40 },
    (_, at) => `message M${at} {
    required M${at + 1} a = 1; required M${at + 1} b = 2; }`,
  );
  const codec = compile(`syntax = "proto2"; ${doubling.join('\n')} message M40 { optional int32 x = 1; }`);
  expect(failureOf(() => codec.example({ message: 'M0' }))).toBe('the schema is too large for an example');
  const chain = Array.from({ length: 300 }, (_, at) => `message M${at} { M${at + 1} a = 1; int32 x = 2; }`);
  const deep = compile(`syntax = "proto3"; ${chain.join('\n')} message M300 { int32 x = 1; }`);
  expect(deep.encoder({ message: 'M0' }).encode(Buffer.from(deep.example({ message: 'M0' }))).length).toBeGreaterThan(
    100,
  );
});
