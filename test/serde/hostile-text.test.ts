import { create, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  EnumValueDescriptorProtoSchema,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { afterEach, expect, test } from 'vitest';
import { takeCensus } from '../../src/serde/avro/census.ts';
import { emitDecoder as emitAvro } from '../../src/serde/avro/emit.ts';
import { parseSchema } from '../../src/serde/avro/parse-schema.ts';
import { codecOf } from '../../src/serde/codec.ts';
import { emitDecoder as emitProtobuf } from '../../src/serde/protobuf/decode/fast/emit.ts';
import { createPlanner } from '../../src/serde/protobuf/decode/plan.ts';
import { readFiles } from '../../src/serde/protobuf/files.ts';
import { MismatchError, PayloadError, SchemaError, type SchemaSource } from '../../src/serde/schema.ts';
import { decoded } from './decoded.ts';

/** Code that leaves a mark where it runs, for each place in generated code that its text could break out of. */
const mark = 'globalThis.weirCanary=1';
const texts: readonly string[] = [
  `a*/${mark};/*`,
  `";${mark};"`,
  `';${mark};'`,
  `\`;${mark};\``,
  `\${${mark}}`,
  `\\";${mark};//`,
  `\n${mark}\n`,
  `\u2028${mark}\u2028`,
  `];${mark};[`,
  `)}${mark};{(`,
  `a.b['${mark}']`,
  `constructor.constructor("${mark}")()`,
  '__proto__',
  'constructor',
  'toString',
];

afterEach(() => {
  expect(globalThis).not.toHaveProperty('weirCanary');
  expect({}).not.toHaveProperty('polluted');
});

/** Uses a schema in every way; whatever it refuses, it must refuse as an error for people. */
async function use(source: SchemaSource, values: readonly string[], payloads: readonly Buffer[]): Promise<void> {
  const attempt = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      const isForPeople =
        error instanceof SchemaError || error instanceof MismatchError || error instanceof PayloadError;
      expect(isForPeople, String(error)).toBe(true);
      return undefined;
    }
  };
  const codec = await codecOf(source).catch((error) => {
    expect(error).toBeInstanceOf(SchemaError);
    return undefined;
  });
  if (codec === undefined) return;
  const example = attempt(() => codec.example());
  const encoder = attempt(() => codec.encoder()) as ReturnType<typeof codec.encoder> | undefined;
  const encoded = [...values, String(example)].map((json) =>
    attempt(() => Buffer.from(encoder?.encode(Buffer.from(json)) ?? '')),
  );
  for (const payload of [...payloads, ...encoded]) {
    if (!Buffer.isBuffer(payload)) continue;
    const json = attempt(() => decoded(codec.decoder(), payload));
    if (typeof json === 'string') JSON.parse(json);
  }
}

/** Places in a JSON Schema for text of its author. */
const places: readonly ((text: string) => unknown)[] = [
  ($id) => ({ $id, type: 'object', properties: { a: { $id: `x/${$id}`, type: 'string' } } }),
  (id) => ({ $schema: 'http://json-schema.org/draft-04/schema#', id, definitions: { a: { id } }, type: 'object' }),
  (text) => ({ $defs: { a: { $id: text, type: 'string' } }, properties: { a: { $ref: text } } }),
  (text) => ({ $ref: `#/definitions/${text}`, definitions: { [text]: { type: 'object' } } }),
  (text) => ({ $ref: text }),
  (text) => ({ $schema: text, $comment: text, title: text, description: text, $anchor: text, [text]: text }),
  (text) => ({ properties: { [text]: { type: 'string' } }, required: [text], additionalProperties: false }),
  (text) => ({ patternProperties: { [text]: { type: 'string' } }, propertyNames: { pattern: text } }),
  (text) => ({ properties: { a: { pattern: text }, b: { format: text }, c: { contentMediaType: text } } }),
  (text) => ({ properties: { a: { enum: [text, { [text]: text }] }, b: { const: text }, c: { default: text } } }),
  (text) => ({ dependencies: { [text]: [text] }, examples: [{ [text]: text }], not: { const: { [text]: text } } }),
  ($anchor) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicRef: `#${$anchor}`,
    $defs: { a: { $dynamicAnchor: $anchor } },
    dependentRequired: { [$anchor]: [$anchor] },
    dependentSchemas: { [$anchor]: { unevaluatedProperties: { const: $anchor } } },
  }),
];

test('no text of a JSON Schema is run, wherever it is', async () => {
  for (const text of texts) {
    const entry = JSON.stringify(text);
    const values = ['{}', entry, '{"a":"b"}', `{${entry}:${entry}}`, `{"a":${entry},"b":${entry},"c":${entry}}`];
    for (const place of places) {
      const reference = { name: text, text: JSON.stringify(place(`${text}/2`)) };
      for (const references of [[], [reference]]) {
        const source = { type: 'JSON', text: JSON.stringify(place(text)), references } as const;
        await use(
          source,
          values,
          values.map((value) => Buffer.from(value)),
        );
      }
    }
  }
});

const avroPlaces: readonly ((text: string) => unknown)[] = [
  (name) => ({ type: 'record', name, namespace: name, fields: [{ name: 'a', type: 'string' }] }),
  (name) => ({
    type: 'record',
    name: 'R',
    fields: [{ name, type: 'string', default: name, doc: name, aliases: [name] }],
  }),
  (symbol) => ({ type: 'enum', name: 'E', symbols: ['A', symbol], default: symbol }),
  (name) => ['null', { type: 'fixed', name, size: 2 }],
  (text) => ({ type: 'string', [text]: text, logicalType: text }),
  (text) => ({ type: 'map', values: { type: text } }),
];

test('no text of an Avro schema is run, wherever it is', async () => {
  for (const text of texts) {
    const entry = JSON.stringify(text);
    const values = ['{"a":"b"}', `{${entry}:${entry}}`, entry, `{${entry}:"ab"}`];
    for (const place of avroPlaces) {
      const source = { type: 'AVRO', text: JSON.stringify(place(text)), references: [] } as const;
      await use(source, values, [Buffer.of(0), Buffer.of(2), Buffer.of(2, 97, 98), Buffer.of(1, 1, 1)]);
    }
  }
});

/** A descriptor can have names that no .proto file can. */
function descriptorWith(text: string): string {
  const field = { label: Label.OPTIONAL, defaultValue: '' };
  const file = create(FileDescriptorProtoSchema, {
    ...{ name: text, package: text, syntax: 'proto2' },
    messageType: [
      create(DescriptorProtoSchema, {
        name: `M${text}`,
        field: [
          create(FieldDescriptorProtoSchema, { ...field, name: text, jsonName: text, number: 1, type: Type.STRING }),
          create(FieldDescriptorProtoSchema, {
            ...field,
            name: 'e',
            number: 2,
            type: Type.ENUM,
            typeName: `.${text}.E`,
          }),
          create(FieldDescriptorProtoSchema, { ...field, name: 's', number: 3, type: Type.STRING, defaultValue: text }),
        ],
      }),
    ],
    enumType: [
      create(EnumDescriptorProtoSchema, {
        name: 'E',
        value: [text, 'B'].map((name, number) => create(EnumValueDescriptorProtoSchema, { name, number })),
      }),
    ],
  });
  return Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64');
}

const protoPlaces: readonly ((text: string) => string)[] = [
  descriptorWith,
  (text) => `syntax = "proto3"; message M { string a = 1 [json_name = ${JSON.stringify(text)}]; }`,
  (text) => `syntax = "proto2"; message M { optional string a = 1 [default = ${JSON.stringify(text)}]; }`,
  (text) => `syntax = "proto3"; message ${text} { string ${text} = 1; } enum E { ${text} = 0; }`,
  (text) =>
    `syntax = "proto3"; /* ${text} */ option java_package = ${JSON.stringify(text)}; message M { E e = 1; } enum E { __proto__ = 0; constructor = 1; }`,
];

test('no text of a Protobuf schema is run, wherever it is', async () => {
  for (const text of texts) {
    const entry = JSON.stringify(text);
    const values = ['{}', '{"a":"b"}', `{${entry}:${entry},"e":${entry},"s":"b"}`, '{"e":"constructor"}'];
    for (const place of protoPlaces) {
      const source = { type: 'PROTOBUF', text: place(text), references: [] } as const;
      await use(source, values, [
        Buffer.of(0),
        Buffer.of(0, 10, 1, 97),
        Buffer.of(0, 8, 1),
        Buffer.of(0, 16, 1, 16, 0),
      ]);
    }
  }
});

test('generated code has no text at all: neither names nor strings', () => {
  const avro = parseSchema({
    type: 'AVRO',
    text: JSON.stringify({
      ...{ type: 'record', name: 'canary.canary' },
      fields: [
        { name: 'canary1', type: { type: 'enum', name: 'canary2', symbols: ['canary3'] } },
        { name: 'canary4', type: ['null', { type: 'fixed', name: 'canary5', size: 2 }, 'canary2'] },
        { name: 'canary6', type: { type: 'map', values: { type: 'array', items: 'long' } }, default: {} },
      ],
    }),
    references: [],
  });
  const files = readFiles({
    type: 'PROTOBUF',
    text: `syntax = "proto2"; message canary { optional string canary1 = 1 [json_name = "canary2", default = "canary3"];
      repeated canary4 canary5 = 2; required bytes canary6 = 3; oneof canary7 { canary canary8 = 4; int64 canary9 = 5; } }
      enum canary4 { canary10 = 0; canary11 = 1; }`,
    references: [],
  });
  const message = files.messages[0];
  expect(message).toBeDefined();
  const codes = [emitAvro(avro, takeCensus(avro)).code, message && emitProtobuf(createPlanner(files)(message))?.code];
  for (const code of codes) {
    expect(code).toMatch(/^function u0/);
    expect(code).not.toMatch(/canary|["'`\\]|[^\x20-\x7e\n]/);
  }
});
