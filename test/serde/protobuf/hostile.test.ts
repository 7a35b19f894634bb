import { expect, test } from 'vitest';
import { compileProtobuf } from '../../../src/serde/protobuf/protobuf.ts';
import { decoded, failureOf } from '../decoded.ts';

const compile = (text: string) => compileProtobuf({ type: 'PROTOBUF', text, references: [] });

const long = `N${'n'.repeat(998)}`;

test.each([
  ['packed values of an enum with a long name', 'repeated E a = 1;', ['0ac09a0c', '00', 200_000]],
  ['separate values of an enum with a long name', 'repeated E a = 1;', ['', '0800', 200_000]],
  ['messages with a long field', 'repeated I a = 1;', ['', '0a020801', 200_000]],
  ['a map of an enum with a long name', 'map<int32, E> a = 1;', ['', '0a020801', 0]],
] as const)('%s cannot fill the memory', (_, field, [start, part, count]) => {
  const decoder = compile(
    `syntax = "proto3"; message M { ${field} } message I { int32 ${long} = 1; } enum E { ${long} = 0; }`,
  ).decoder();
  const payload = count === 0 ? entries(150_000) : Buffer.from(`00${start}${part.repeat(count)}`, 'hex');
  expect(failureOf(() => decoded(decoder, payload))).toMatch(/^\$.*: the JSON is far longer than the payload$/);
});

/** Entries of a map, each with a key of its own and without a value. */
function entries(count: number): Buffer {
  const parts = Array.from({ length: count }, (_, at) => [
    ...[0x0a, 4, 8],
    ...[(at & 0x7f) | 0x80, ((at >> 7) & 0x7f) | 0x80, at >> 14],
  ]);
  return Buffer.from([0, ...parts.flat()]);
}

test('fields share the texts of their enum', () => {
  const values = Array.from({ length: 3000 }, (_, at) => `V${at} = ${at};`).join(' ');
  const fields = Array.from({ length: 12_000 }, (_, at) => `E f${at} = ${at + 1};`).join(' ');
  const codec = compile(`syntax = "proto3"; message M { ${fields} } enum E { ${values} }`);
  const before = process.memoryUsage().heapUsed;
  expect(decoded(codec.decoder(), Buffer.from('000801', 'hex'))).toBe('{"f0":"V1"}');
  expect(codec.encoder().encode(Buffer.from('{"f0":"V1"}')).toString('hex')).toBe('000801');
  // Copies of their own would take 36 million entries.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000);
});

test('an enum may have more values than a call takes arguments', () => {
  const values = Array.from({ length: 150_000 }, (_, at) => `V${at} = ${at};`).join(' ');
  const decoder = compile(`syntax = "proto3"; message M { E e = 1; } enum E { ${values} }`).decoder();
  expect(decoded(decoder, Buffer.from('000801', 'hex'))).toBe('{"e":"V1"}');
});

test('a message type has all of its extensions', () => {
  const codec = compile(`syntax = "proto2"; package p; message M { extensions 100 to 200; }
    extend M { optional int32 a = 100; optional int32 b = 101; }`);
  const json = '{"[p.a]":1,"[p.b]":2}';
  expect(decoded(codec.decoder(), codec.encoder().encode(Buffer.from(json)))).toBe(json);
});

test.each([
  ['fixed64', '0a0c010000000000000002000000', 8],
  ['double', '0a0c010000000000000002000000', 8],
  ['fixed32', '0a06010000000200', 4],
])('a packed list of %s whose length does not fit is refused', (type, hex, size) => {
  const decoder = compile(`syntax = "proto3"; message M { repeated ${type} a = 1; }`).decoder();
  // More bytes follow, which must not be taken for the rest of the last value.
  for (const rest of ['', `1205${'00'.repeat(5)}`]) {
    expect(failureOf(() => decoded(decoder, Buffer.from(`00${hex}${rest}`, 'hex')))).toBe(
      `$.a: a packed list has a length that is no multiple of ${size}`,
    );
  }
});

test('many message types with an extension each take time in proportion to the schema', () => {
  const numbers = Array.from({ length: 4000 }, (_, at) => at + 1);
  const types = numbers.map((n) => `message E${n}{extensions 1;} extend E${n}{optional int32 x${n}=1;}`).join('');
  const fields = numbers.map((n) => `optional E${n} f${n}=${n};`).join('');
  const start = performance.now();
  const codec = compile(`syntax = "proto2"; message M{${fields}} ${types}`);
  const compiled = performance.now();
  const json = `{${numbers.map((n) => `"f${n}":{"[x${n}]":1}`).join()}}`;
  expect(decoded(codec.decoder({ message: 'M' }), codec.encoder({ message: 'M' }).encode(Buffer.from(json)))).toBe(
    json,
  );
  expect(performance.now() - compiled).toBeLessThan(4 * (compiled - start));
});
