import { fileURLToPath } from 'node:url';
import { fromBinary, toJsonString } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFiles } from '../../../src/serde/protobuf/files.ts';
import { compileProtobuf } from '../../../src/serde/protobuf/protobuf.ts';
import { decoded } from '../decoded.ts';
import { everyType } from './every-type.ts';

const script = fileURLToPath(new URL('./peer.py', import.meta.url));

type Case = { readonly message: string } & ({ readonly json: string } | { readonly hex: string });

interface Answers {
  readonly answers: readonly { readonly json?: string; readonly hex?: string; readonly error?: string }[];
  readonly descriptors: Readonly<Record<string, string>>;
}

/** Asks Google's implementation for Python, with the descriptors of protoc. */
async function ask(files: Readonly<Record<string, string>>, cases: readonly Case[]): Promise<Answers> {
  const { stdout } = await execa('/usr/bin/python3', [script], { input: JSON.stringify({ files, cases }) });
  return JSON.parse(stdout);
}

const proto2 = `package old;
message R {
  required int32 id = 1 [default = -0x10];
  repeated group Part = 2 { optional string s = 1 [default = "a\\"b"]; optional bytes raw = 2 [default = "\\377\\0x"]; }
  enum E { X = 5; Y = 6; Z = 6; option allow_alias = true; }
  optional E e = 3 [default = Y, deprecated = true];
  repeated E es = 4 [packed = true];
  optional double d = 5 [default = -inf];
  optional uint64 big = 6 [default = 18446744073709551615];
  optional R self = 7;
  map<int32, R.Part> parts_by_id = 8;
  extensions 100 to 199;
  message In { optional old.R.E e = 1; }
}
extend R { optional string note = 100; }
`;

const texts = fc.string({ unit: 'binary', maxLength: 8 });
const int32 = fc.integer();
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('NaN', 'Infinity', '-Infinity'),
);
const float = fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('NaN', '-Infinity'));
const base64 = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const enums = fc.constantFrom('A', 'B', 'C', 7);
const inner = fc.record({ x: int32, e: enums }, { requiredKeys: [] });
const plain = fc.jsonValue({ maxDepth: 3, noUnicodeString: true } as object);
const message = fc.record(
  {
    name: texts,
    n: int32,
    inByName: fc.dictionary(texts, inner),
    list: fc.array(inner),
    packed: fc.array(int64),
    unpacked: fc.array(int32),
    d: double,
    f: float,
    by: base64,
    flags: fc.dictionary(fc.constantFrom('true', 'false'), int64),
    numbers: fc.dictionary(int64, enums),
    struct: fc.dictionary(texts, plain),
    anyValue: plain,
    listValue: fc.array(plain),
    at: fc
      .date({ min: new Date(-62135596800000), max: new Date(253402300799000), noInvalidDate: true })
      .map((date) => date.toISOString()),
    took: fc
      .tuple(fc.integer({ min: -3e8, max: 3e8 }), fc.integer({ min: 0, max: 999 }))
      .map(([s, ms]) => `${s}.${String(ms).padStart(3, '0')}s`),
    any: fc.record({ '@type': fc.constant('x/p.M.In'), x: int32 }),
    mask: fc.constantFrom('', 'a', 'userName,a.bC'),
    wrapped: int64,
    wrappedBytes: base64,
    perhaps: int32,
    u64: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
    u32: fc.nat(),
    s32: int32,
    f32: fc.nat(),
    f64: fc.nat(),
    sf32: int32,
    sf64: int64,
    yes: fc.boolean(),
    one: enums,
    some: fc.array(enums),
    texts: fc.array(texts),
    doubles: fc.array(double),
    blobs: fc.dictionary(fc.nat().map(String), base64),
    self: fc.record({ name: texts, self: fc.record({ n: int32 }) }),
    c: inner,
  },
  { requiredKeys: [] },
);

/** Parsed JSON without what two writers may write in different ways. */
function comparable(json: string): unknown {
  return JSON.parse(json, (key, value) =>
    value === 0 ? 0 : key === 'f' && typeof value === 'number' ? Math.fround(value) : value,
  );
}

test('descriptors are those of protoc', async () => {
  const files = { 'every.proto': everyType, 'old.proto': proto2 };
  const { descriptors } = await ask(files, []);
  for (const [name, text] of Object.entries(files)) {
    const theirs = fromBinary(FileDescriptorProtoSchema, Buffer.from(descriptors[name] ?? '', 'hex'));
    const ours = readFiles({ type: 'PROTOBUF', text, references: [] }).registry.getFile('')?.proto;
    expect(ours && outline(ours)).toEqual(outline(theirs));
  }
});

/** Everything of a descriptor but its name and what has no influence on data. */
function outline(file: FileDescriptorProto): unknown {
  const ignored = ['name', 'service', 'reservedRange', 'reservedName', 'extensionRange'];
  const top: Record<string, unknown> = { ...JSON.parse(toJsonString(FileDescriptorProtoSchema, file)), name: '' };
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => !ignored.slice(1).includes(key));
    const kept = entries.filter(
      ([key, part]) => !(key === 'options' && JSON.stringify(part) === '{"deprecated":true}'),
    );
    return Object.fromEntries(kept.map(([key, part]) => [key, strip(part)]));
  };
  return strip(top);
}

test('any JSON of a schema becomes a payload that Google reads the same way, and back', async () => {
  const samples = fc.sample(message, 300).map((one) => JSON.stringify(one));
  const codec = compileProtobuf({ type: 'PROTOBUF', text: everyType, references: [] });
  const encoder = codec.encoder({ bare: [0] });
  const decoder = codec.decoder({ bare: [0] });
  const ours = samples.map((json) => Buffer.from(encoder.encode(Buffer.from(json))));
  const read = await ask(
    { 'm.proto': everyType },
    ours.map((bytes) => ({ message: 'p.M', hex: bytes.toString('hex') })),
  );
  const written = await ask(
    { 'm.proto': everyType },
    samples.map((json) => ({ message: 'p.M', json })),
  );
  expect(samples.length).toBe(300);
  for (const [at, json] of samples.entries()) {
    const theirs = read.answers[at]?.json ?? read.answers[at]?.error ?? '';
    expect(comparable(decoded(decoder, ours[at] as Buffer)), json).toEqual(comparable(theirs));
    const hex = written.answers[at]?.hex;
    expect(hex, `${json} ${written.answers[at]?.error}`).toBeDefined();
    expect(comparable(decoded(decoder, Buffer.from(hex ?? '', 'hex'))), json).toEqual(comparable(theirs));
  }
});

test('groups, required fields, extensions and closed enums of proto2 are as Google writes them', async () => {
  const samples = [
    '{"id":1,"part":[{"s":"x","raw":"AAE="},{}],"e":"Y","es":["X","Y"],"d":"-Infinity","big":"0","[old.note]":"n"}',
    '{"id":-16,"self":{"id":2},"partsById":{"5":{"s":""}}}',
  ];
  const codec = compileProtobuf({ type: 'PROTOBUF', text: proto2, references: [] });
  const { answers } = await ask(
    { 'old.proto': proto2 },
    samples.map((json) => ({ message: 'old.R', json })),
  );
  for (const [at, json] of samples.entries()) {
    expect(codec.encoder().encode(Buffer.from(json)).toString('hex')).toBe(`00${answers[at]?.hex}`);
    expect(decoded(codec.decoder(), Buffer.from(`00${answers[at]?.hex}`, 'hex'))).toBe(json);
  }
});
