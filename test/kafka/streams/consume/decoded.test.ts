import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import type { DecodeOptions } from '../../../../src/kafka/records/language/decode-options.ts';
import type { FetchedSchema, UndecodedRecords } from '../../../../src/kafka/records/language/decoding.ts';
import { createDecoding } from '../../../../src/kafka/records/language/decoding.ts';
import { compileSource, type FormatSource } from '../../../../src/kafka/records/language/format-source.ts';
import type { SchemaSource } from '../../../../src/serde/schema.ts';
import { framed, type SchemaName } from '../../../../src/serde/wire-format.ts';
import { type PlainRecord, writeBatch } from '../../records/batches/batches.ts';
import { chunkOf, print } from './printing.ts';

const avro = (schema: unknown): SchemaSource => ({ type: 'AVRO', text: JSON.stringify(schema), references: [] });

const schemas: ReadonlyMap<SchemaName, FetchedSchema> = new Map<SchemaName, FetchedSchema>([
  [
    1,
    avro({
      type: 'record',
      name: 'Pair',
      fields: [
        { name: 'a', type: 'int' },
        { name: 'b', type: 'string' },
      ],
    }),
  ],
  [2, avro('long')],
  [3, avro('no such type')],
  [4, { unusable: 'it refers to itself' }],
  ['50010203-0405-0607-0809-0a0b0c0d0e0f', { type: 'PROTOBUF', text: 'message M {}', references: [] }],
  ['00010203-0405-0607-0809-0a0b0c0d0e0f', avro('string')],
]);

/** A positive number as Avro writes it. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

/** A record of schema 1. */
const pair = (a: number, b: string): Buffer =>
  framed(1, Buffer.concat([Buffer.of(...varint(a)), Buffer.of(...varint(b.length)), Buffer.from(b)]));
const long = (value: number): Buffer => framed(2, Buffer.of(value * 2));

interface Part {
  readonly key?: Buffer | null;
  readonly headers?: PlainRecord['headers'];
}

const record = (value: Buffer | null, { key = null, headers = [] }: Part = {}): PlainRecord => ({
  ...{ key, value, headers, timestamp: 5 },
});

interface Printed {
  readonly text: string;
  readonly asked: readonly SchemaName[];
  readonly undecoded: readonly UndecodedRecords[];
}

const plain: DecodeOptions = { key: false, value: true, onError: 'raw' };
const both: DecodeOptions = { ...plain, key: true };

async function printed(
  records: readonly PlainRecord[],
  source: FormatSource,
  options: DecodeOptions = plain,
  limit = Number.POSITIVE_INFINITY,
): Promise<Printed> {
  const asked: SchemaName[] = [];
  const undecoded: UndecodedRecords[] = [];
  const fetchSchema = async (name: SchemaName) => {
    asked.push(name);
    return schemas.get(name);
  };
  const decoding = createDecoding(options);
  const decode = { decoding, fetchSchema, onUndecoded: (some: UndecodedRecords) => void undecoded.push(some) };
  const format = compileSource(source, decoding);
  try {
    const { text } = await print([chunkOf(writeBatch(records))], { format, decode, limit });
    return { text, asked, undecoded };
  } catch (error) {
    return { text: error instanceof CliError ? `${error.code}: ${error.message}` : String(error), asked, undecoded };
  }
}

const layout = (text: string): FormatSource => ({ layout: text });
const json: FormatSource = { json: {}, isYaml: false };

describe('decoded records', () => {
  test('are printed as JSON, and each schema is asked for once', async () => {
    const records = [record(pair(1, 'x')), record(long(7)), record(pair(2, 'yy')), record(null)];
    expect(await printed(records, layout('%i %o=%v (%V) %v{base64}\\n'))).toEqual({
      text: [
        '1 0={"a":1,"b":"x"} (15) eyJhIjoxLCJiIjoieCJ9',
        '2 1=7 (1) Nw==',
        '3 2={"a":2,"b":"yy"} (16) eyJhIjoyLCJiIjoieXkifQ==',
        '4 3= (0)',
      ].join('\n'),
      asked: [1, 2],
      undecoded: [],
    });
  });

  test('have keys that are decoded only if asked for', async () => {
    const records = [record(pair(1, 'x'), { key: long(4) })];
    expect((await printed(records, layout('%K:%k %v'), both)).text).toBe('1:4 {"a":1,"b":"x"}');
    expect((await printed(records, layout('%K:%k{hex}'), { ...both, value: false })).text).toBe('1:34');
    expect((await printed(records, layout('%K:%k{hex} %v'))).text).toBe('6:000000000208 {"a":1,"b":"x"}');
  });

  test('stay intact when the other field makes the memory grow', async () => {
    const large = 'z'.repeat(20_000);
    const many = Array.from({ length: 3 }, (_, at) => record(pair(at, large), { key: pair(at, 'key') }));
    const { text } = await printed(many, layout('%k %v\\n'), both);
    expect(text.split('\n')).toEqual([0, 1, 2].map((a) => `{"a":${a},"b":"key"} {"a":${a},"b":"${large}"}`));
  });

  test('are nested in the JSON output, with the id of their schema', async () => {
    const records = [record(pair(1, 'x'), { key: long(4) }), record(null), record(Buffer.from('raw'))];
    const { text, undecoded } = await printed(records, json, both);
    expect(text.split('\n').map((line) => JSON.parse(line))).toEqual([
      {
        topic: 't',
        key: 4,
        key_schema_id: 2,
        value: { a: 1, b: 'x' },
        value_schema_id: 1,
        timestamp: 5,
        partition: 3,
        offset: 0,
      },
      { topic: 't', timestamp: 5, partition: 3, offset: 1 },
      { topic: 't', value: 'raw', timestamp: 5, partition: 3, offset: 2 },
    ]);
    expect(undecoded).toEqual([
      { count: 1, first: 'the value of topic "t" partition 3 at offset 2: it does not start with a schema id' },
    ]);
  });

  test('are indented in indented JSON', async () => {
    const { text } = await printed([record(pair(1, 'x'))], { json: { pretty: true }, isYaml: false });
    expect(text).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
    expect(text).toContain('  "value": {\n    "a": 1,\n    "b": "x"\n  },\n  "value_schema_id": 1,');
  });

  test('are on one line in YAML', async () => {
    const { text } = await printed([record(pair(1, 'x'))], { json: {}, isYaml: true });
    expect(text).toMatch(/^---\ntopic: "t"\nvalue: \{"a":1,"b":"x"\}\nvalue_schema_id: 1\n/);
  });

  test('take their schema from a header, before the prefix; the last of several counts', async () => {
    const guid = Buffer.from('01000102030405060708090a0b0c0d0e0f', 'hex');
    const headers = [
      [Buffer.from('trace'), Buffer.from('1')],
      [Buffer.from('__value_schema_id'), Buffer.from('0000000002', 'hex')],
      [Buffer.from('__value_schema_id'), guid],
    ] as const;
    const text = Buffer.concat([Buffer.of(4), Buffer.from('hi')]);
    const records = [
      record(pair(1, 'x')),
      record(text, { headers }),
      record(pair(2, 'y'), { headers: headers.slice(0, 1) }),
    ];
    const seen = await printed(records, layout('%v %h{%k }\\n'));
    expect(seen.text.split('\n')).toEqual([
      '{"a":1,"b":"x"} ',
      '"hi" trace __value_schema_id __value_schema_id ',
      '{"a":2,"b":"y"} trace',
    ]);
    expect(seen.asked).toEqual([1, '00010203-0405-0607-0809-0a0b0c0d0e0f']);
  });
});

test('a range begins and ends inside a batch, and what follows its end is not read', async () => {
  const bytes = writeBatch([0, 1, 2, 3].map((a) => record(pair(a, 'x'))));
  const damaged = Buffer.from(writeBatch([record(pair(9, 'x'))]));
  writeBaseOffset(damaged, 4n);
  damaged[damaged.length - 1] = 0xff;
  const decoding = createDecoding(plain);
  const decode = { options: plain, decoding, fetchSchema: async (name: SchemaName) => schemas.get(name), onUndecoded };
  const format = compileSource(layout('%o=%v;'), decoding);
  const read = (end: bigint) =>
    print([chunkOf(Buffer.concat([bytes, damaged]), { offset: 1n, end })], { format, decode });
  expect(await read(3n)).toMatchObject({ text: '1={"a":1,"b":"x"};2={"a":2,"b":"x"};', count: 2 });
  await expect(read(9n)).rejects.toMatchObject({ code: 'CORRUPT_MESSAGE' });

  function onUndecoded(): never {
    throw new Error('every record can be decoded');
  }
});

test('a text key beside a value with a schema is no failure, unless keys alone are decoded', async () => {
  const records = [record(pair(1, 'x'), { key: Buffer.from('ana') })];
  const lenient = await printed(records, layout('%k %v '), { ...both, plainKeys: true });
  expect(lenient).toMatchObject({ text: 'ana {"a":1,"b":"x"}', undecoded: [] });
  const strict = await printed(records, layout('%k '), { ...both, value: false });
  expect([strict.text, strict.undecoded.length]).toEqual(['ana', 1]);
});

describe('a value that cannot be decoded', () => {
  const records = [
    record(Buffer.from('raw')), // no prefix
    record(pair(1, 'x')),
    record(framed(9, Buffer.from('abc'))), // no such schema
    record(framed(3, Buffer.from('abc'))), // a schema that is not valid
    record(framed(1, Buffer.of(2, 40, 65))), // ends inside a string
    record(Buffer.alloc(0)),
    record(pair(2, 'y')),
  ];

  test('is printed as it is stored', async () => {
    const { text, asked, undecoded } = await printed(records, layout('%o=%v{hex};'));
    const hex = (json: string): string => Buffer.from(json).toString('hex');
    expect(text).toBe(
      [
        ...[`0=${hex('raw')}`, `1=${hex('{"a":1,"b":"x"}')}`, '2=0000000009616263', '3=0000000003616263'],
        ...['4=0000000001022841', '5=', `6=${hex('{"a":2,"b":"y"}')}`, ''],
      ].join(';'),
    );
    expect(asked).toEqual([1, 9, 3]);
    expect(undecoded.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  });

  test('is named with the reason why its schema cannot be used', async () => {
    const { text, undecoded } = await printed(
      [record(framed(4, Buffer.from('a'))), record(pair(1, 'x'))],
      layout('%V '),
    );
    expect(text).toBe('6 15');
    expect(undecoded).toEqual([
      {
        count: 1,
        first: 'the value of topic "t" partition 3 at offset 0: schema 4 cannot be used: it refers to itself',
      },
    ]);
  });

  test('counts once for a record, whatever else of it cannot be decoded or must be asked for', async () => {
    const bad = Buffer.from('raw');
    const some = [record(pair(1, 'x'), { key: bad }), record(bad, { key: bad }), record(long(1), { key: bad })];
    const { asked, undecoded } = await printed(some, layout('%v '), both);
    expect(asked).toEqual([1, 2]);
    expect(undecoded.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(undecoded[0]?.first).toContain('the key of topic "t" partition 3 at offset 0: ');
  });

  test('says what to do about ids in the form of Apicurio', async () => {
    const eight = await printed([record(Buffer.from('00000000000000000702', 'hex'))], layout('%v;'));
    expect(eight.undecoded[0]?.first).toBe(
      'the value of topic "t" partition 3 at offset 0: the registry has no schema 0; Apicurio writes ids of 8 bytes, unless producers set apicurio.registry.as-confluent',
    );
    const headers = [[Buffer.from('apicurio.value.globalId'), Buffer.from('0000000000000007', 'hex')]] as const;
    const global = await printed([record(Buffer.from('0000000001', 'hex'), { headers })], layout('%v;'));
    expect(global.undecoded[0]?.first).toContain('apicurio.registry.use-id=contentId');
    expect(global.asked).toEqual([]);
  });

  test('may name a message that its schema does not have, in a header', async () => {
    const indexes = Buffer.from('01500102030405060708090a0b0c0d0e0f020e', 'hex');
    const headers = [[Buffer.from('__value_schema_id'), indexes]] as const;
    const { text, undecoded } = await printed([record(Buffer.from('a'), { headers }), record(null)], layout('%v;'));
    expect(text).toBe('a;;');
    expect(undecoded).toMatchObject([{ count: 1, first: expect.stringContaining('no message type with the index 7') }]);
  });

  test('is left out with skip, and does not count', async () => {
    const skip: DecodeOptions = { ...plain, onError: 'skip' };
    expect((await printed(records, layout('%o=%v;'), skip)).text).toBe('1={"a":1,"b":"x"};6={"a":2,"b":"y"};');
    expect((await printed(records, layout('%i:%o '), skip, 2)).text).toBe('1:1 2:6');
    expect((await printed(records, layout('%i:%o '), skip, 1)).text).toBe('1:1');
  });

  test.each([
    [0, 'it does not start with a schema id'],
    [2, 'the registry has no schema 9'],
    [3, 'schema 3 cannot be used: '],
    [4, 'schema 1 does not fit at $.b: '],
    [5, 'it does not start with a schema id'],
  ])('ends the read with fail, after the records before it (record %d)', async (at, reason) => {
    const some = [record(pair(8, 'first')), records[at] ?? record(null)];
    const what = `the value of topic "t" partition 3 at offset 1: ${reason}`;
    const { text } = await printed(some, layout('%o=%v;'), { ...plain, onError: 'fail' }, 10);
    expect(text).toContain(`UNDECODABLE_RECORD: unable to decode ${what}`);
  });
});
