import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFiles } from '../../../src/serde/protobuf/files.ts';
import { compileProtobuf } from '../../../src/serde/protobuf/protobuf.ts';
import { decoded } from '../decoded.ts';
import { dataFacts } from './data-facts.ts';
import { everyType, groupsAndMore } from './every-type.ts';
import { values } from './random-values.ts';

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

/** Parsed JSON without what two writers may write in different ways. */
function comparable(json: string): unknown {
  return JSON.parse(json, (key, value) =>
    value === 0 ? 0 : key === 'f' && typeof value === 'number' ? Math.fround(value) : value,
  );
}

test('descriptors are those of protoc', async () => {
  const files = { 'every.proto': everyType, 'old.proto': groupsAndMore };
  const { descriptors } = await ask(files, []);
  for (const [name, text] of Object.entries(files)) {
    const theirs = fromBinary(FileDescriptorProtoSchema, Buffer.from(descriptors[name] ?? '', 'hex'));
    const ours = readFiles({ type: 'PROTOBUF', text, references: [] }).registry.getFile('')?.proto;
    expect(ours && dataFacts(ours)).toEqual(dataFacts(theirs));
  }
});

test('any JSON of a schema becomes a payload that Google reads the same way, and back', async () => {
  const samples = fc.sample(values, 300).map((one) => JSON.stringify(one));
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
  const codec = compileProtobuf({ type: 'PROTOBUF', text: groupsAndMore, references: [] });
  const { answers } = await ask(
    { 'old.proto': groupsAndMore },
    samples.map((json) => ({ message: 'old.R', json })),
  );
  for (const [at, json] of samples.entries()) {
    expect(codec.encoder().encode(Buffer.from(json)).toString('hex')).toBe(`00${answers[at]?.hex}`);
    expect(decoded(codec.decoder(), Buffer.from(`00${answers[at]?.hex}`, 'hex'))).toBe(json);
  }
});
