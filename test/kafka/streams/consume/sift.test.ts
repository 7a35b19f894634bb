import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { type FilterSource, openFilter, type RecordFilter } from '../../../../src/kafka/records/filter/filter.ts';
import { createDecoding, decodedFields, type RecordDecoding } from '../../../../src/kafka/records/language/decoding.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { createWalker, type WalkedRecords } from '../../../../src/kafka/streams/consume/walk.ts';
import type { Sifted } from '../../../../src/kafka/streams/consume/walk-piece.ts';
import { codecOf } from '../../../../src/serde/codec.ts';
import type { SchemaSource } from '../../../../src/serde/schema.ts';
import { framed } from '../../../../src/serde/wire-format.ts';
import { type PlainRecord, writeBatch } from '../../records/batches/batches.ts';
import { type RecordText, recordOf } from '../../records/filter/filtering.ts';

interface Walked {
  readonly found: readonly string[];
  readonly reached: readonly bigint[];
  readonly sifted: readonly Sifted[];
}

/** Walks batches, each at the offset after the one before. */
function walkAll(
  batches: readonly (readonly PlainRecord[])[],
  filter: RecordFilter,
  more: Partial<WalkedRecords> & {
    readonly limit?: number;
    readonly compression?: 'none' | 'lz4';
    readonly decoding?: RecordDecoding;
  } = {},
): Walked {
  const { limit = Number.POSITIVE_INFINITY, compression = 'none', decoding, ...chunk } = more;
  let base = 0n;
  const records = batches.map((batch) => {
    const bytes = writeBatch(batch, { compression });
    writeBaseOffset(bytes, base);
    base += BigInt(batch.length);
    return bytes;
  });
  const walker = createWalker({
    ...{
      format: compileFormat('%o '),
      filter,
      decoding,
      printControl: false,
      readCommitted: false,
      pieceBytes: 1 << 16,
    },
  });
  const all = {
    ...{ topic: 't', partition: 2, records: Buffer.concat(records), from: 0n, to: base, end: undefined },
    ...{ logStartOffset: 0n, lastStableOffset: base, highWatermark: base, abortedTransactions: [] },
    ...chunk,
  };
  let text = '';
  const [reached, sifted]: [bigint[], Sifted[]] = [[], []];
  for (const piece of walker.walk(all, limit)) {
    text += piece.bytes.toString();
    reached.push(piece.reached);
    if (piece.sifted !== undefined) sifted.push(piece.sifted);
  }
  return { found: text.split(' ').filter((one) => one !== ''), reached, sifted };
}

const sum = ({ sifted }: Walked, name: 'records' | 'tested' | 'skippedByHead' | 'skippedByBytes' | 'undecided') =>
  sifted.reduce((total, one) => total + one[name], 0);

const where = (...conditions: readonly string[]): FilterSource => ({ where: conditions });

const order = (at: number, more: RecordText = {}): PlainRecord =>
  recordOf({ key: `k${at}`, value: JSON.stringify({ id: at, status: at === 25 ? 'LOST' : 'PAID' }), ...more });
const batches = [0, 10, 20, 30].map((base) => Array.from({ length: 10 }, (_, at) => order(base + at)));

/** A filter that counts how many records it tests. */
function countingTests(filter: RecordFilter) {
  let count = 0;
  const counting: RecordFilter = {
    ...filter,
    test(cursor) {
      count += 1;
      return filter.test(cursor);
    },
  };
  return { filter: counting, tests: () => count };
}

describe('a filter in the walker', () => {
  it.each<readonly [string, FilterSource, Readonly<Record<string, unknown>>]>([
    [
      'skips batches without the bytes',
      where('value.status == "LOST"'),
      { found: ['25'], bytes: 3, head: 0, tested: 1 },
    ],
    [
      'skips batches by offset',
      where('offset >= 20 && offset < 22'),
      { found: ['20', '21'], bytes: 0, head: 3, tested: 10 },
    ],
    ['skips other partitions', where('partition == 3'), { found: [], bytes: 0, head: 4, tested: 0 }],
    ['skips old batches', where('timestampMs > 1000'), { found: [], bytes: 0, head: 4, tested: 0 }],
    [
      'looks for one of several',
      where('value.status == "LOST" || key == "k13"'),
      { found: ['13', '25'], bytes: 2, head: 0, tested: 2 },
    ],
    [
      'tests all that have no bytes in common',
      where('value.id + 0 > 37'),
      { found: ['38', '39'], bytes: 0, head: 0, tested: 40 },
    ],
    ['looks at numbers where they are', where('value.id > 37'), { found: ['38', '39'], bytes: 0, head: 0, tested: 2 }],
    [
      'looks at texts that are in most records',
      where('value.status != "PAID" || value.id == 3'),
      { found: ['3', '25'], bytes: 0, head: 0, tested: 2 },
    ],
  ])('%s', async (_, source, expected) => {
    const walked = walkAll(batches, await openFilter(source));
    const [bytes, head, tested] = [sum(walked, 'skippedByBytes'), sum(walked, 'skippedByHead'), sum(walked, 'tested')];
    expect({ found: walked.found, bytes, head, tested }).toEqual(expected);
    expect(sum(walked, 'records')).toBe(40);
  });

  it('counts matches for the limit, and reaches the last match', async () => {
    const walked = walkAll(batches, await openFilter(where('key.endsWith("5")')), { limit: 2 });
    expect(walked).toMatchObject({ found: ['5', '15'], reached: [16n] });
    expect(sum(walked, 'records')).toBe(16);
    const all = walkAll(batches, await openFilter(where('value.status == "NONE"')), { limit: 2 });
    expect(all).toMatchObject({ found: [], reached: [40n] });
  });

  it('keeps to the range', async () => {
    const walked = walkAll(batches, await openFilter(where('key.endsWith("5")')), { from: 6n, end: 35n });
    expect(walked).toMatchObject({ found: ['15', '25'], reached: [35n] });
    expect(sum(walked, 'records')).toBe(29);
  });

  it('ends a piece after much work, so that others can run', async () => {
    const many = [Array.from({ length: 40_000 }, (_, at) => order(at))];
    const walked = walkAll(many, await openFilter(where('value.id + 0 < 0')));
    expect(walked.reached).toEqual([16_384n, 32_768n, 40_000n]);
  });

  it('tests few of the records that it skips, only to say what to do', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => [order(at % 20), order(at % 20)]);
    const filter = await openFilter(where('value.status == "LOST" && value.id == "x17"'));
    const counting = countingTests(filter);
    const walked = walkAll(many, counting.filter);
    expect([walked.found, counting.tests(), sum(walked, 'tested'), sum(walked, 'undecided')]).toEqual([[], 10, 0, 0]);
    const quoted = walkAll(many, await openFilter(where('value.id == "17"')));
    expect([sum(quoted, 'skippedByBytes'), sum(quoted, 'records'), sum(quoted, 'undecided')]).toEqual([
      1_000, 2_000, 0,
    ]);
    expect(quoted.sifted[0]?.skippedFaults).toEqual({
      first: 't/2 at offset 0: value.id is a number, and "17" is text',
      advice: 'value.id is a number in these records: compare it with 17, without quotes',
    });
  });

  it('ends one also after few records that take long', async () => {
    const many = Array.from({ length: 40 }, () => recordOf({ value: 'x'.repeat(100_000) }));
    const sizes = Array.from({ length: 10 }, () => 'size(valueAsText)').join(' + ');
    const walked = walkAll([many], await openFilter(where(`${sizes} < 0`)));
    expect(walked.reached).toEqual([32n, 40n]);
  });

  it('looks for bytes again after batches that are full of them', async () => {
    const full = Array.from({ length: 40 }, () => Array.from({ length: 10 }, (_, at) => order(at)));
    const walked = walkAll(
      [...full, ...batches],
      await openFilter(where('value.status == "PAID" && key == "k7" && value.id == 7')),
    );
    expect(walked.found.length).toBe(41);
  });
});

// Few words, so that many match, with what JSON escapes, and what is not text.
const words = ['ab', 'a"b', 'a/bu', 'éa', 'b\\u', 'u😀', 'aab', 'a\nb', 'b\ufffdaa', 'abab'];
const part = fc.constantFrom(...words);
const word = fc.oneof(
  part,
  part,
  fc.tuple(part, part).map((parts) => parts.join('')),
  fc.constant(''),
);

/** JSON in which any character may be escaped in one of several ways. */
const escapedJson = (value: unknown, ways: readonly number[]): string => {
  let at = 0;
  const escaped = (character: string): string => {
    const way = ways[at++ % ways.length] ?? 0;
    if (way === 1) return [...character].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    return way === 2 && character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1);
  };
  const text = (one: string): string => `"${one.split('').map(escaped).join('')}"`;
  const space = ways.length > 3 ? ' ' : '';
  const write = (one: unknown): string => {
    if (typeof one === 'string') return text(one);
    if (Array.isArray(one)) return `[${one.map(write).join(',')}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const members = Object.entries(one).map(([name, inner]) => `${text(name)}${space}:${space}${write(inner)}`);
    // Names that are there twice: the last one counts.
    const others = ways.length === 2 ? ['"s":"ab"', '"n":1'] : [];
    return `{${[...others, ...members].join(`,${space}`)}}`;
  };
  return write(value);
};

const scalar = fc.oneof(
  fc.nat(2),
  fc.nat(2),
  fc.constantFrom(-1, 1.5, 0.1, 1e21, 1e-7, 2 ** 53, 0.1234567890123456, 123456789012.25, true, false, null, [1], {
    n: 2,
  }),
  word,
);

const anyValue = fc.oneof(
  fc
    .tuple(
      fc.record(
        { s: word, n: scalar, l: fc.array(word, { maxLength: 2 }), o: fc.dictionary(word, word, { maxKeys: 2 }) },
        { requiredKeys: [] },
      ),
      fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 5 }),
    )
    .map(([value, ways]) => escapedJson(value, ways)),
  word,
  fc.constant(null),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
);

const anyRecord = fc
  .record({
    key: fc.oneof(word, fc.constant(null)),
    value: anyValue,
    headers: fc.array(fc.tuple(word, word), { maxLength: 2 }),
    timestamp: fc.nat(4),
  })
  .map(recordOf);

const quoted = word.map((text) => JSON.stringify(text));
const texts = fc.constantFrom(
  'value.s',
  'record.value.s',
  'value.l[0]',
  'value.o.ab',
  'value',
  'key',
  'keyAsText',
  'valueAsText',
  'headers.ab',
  'headers["éa"]',
  'record["headers"].abab',
);
const simple = fc.oneof(
  fc.tuple(texts, fc.constantFrom('==', '!='), quoted).map((parts) => parts.join(' ')),
  fc.tuple(quoted, fc.constantFrom('=='), texts).map((parts) => parts.join(' ')),
  fc
    .tuple(texts, fc.constantFrom('contains', 'startsWith', 'endsWith'), quoted)
    .map(([of, name, text]) => `${of}.${name}(${text})`),
  fc.tuple(texts, fc.array(quoted, { maxLength: 3 })).map(([of, list]) => `${of} in [${list}]`),
  fc
    .tuple(
      texts,
      fc.constantFrom('a+b', 'ab?u', 'bu?', '^a.b', 'é{1,2}a', 'x{0}ab', '[ab]/b', '(x|b)u', 'a/b', 'ab$', 'abx*'),
    )
    .map(([of, pattern]) => `${of}.matches('${pattern}')`),
  fc.tuple(quoted, fc.constantFrom('headers', 'value.l', 'value.o', 'value')).map(([text, of]) => `${text} in ${of}`),
  fc
    .tuple(fc.constantFrom('value.l', 'value.o', 'headers', 'value.l.filter(y, y != "ab")'), quoted)
    .map(([of, text]) => `${of}.exists(x, x == ${text} || x.contains("bu"))`),
  fc
    .tuple(
      fc.constantFrom('value.n', 'record.value.n', 'value["n"]', 'value.o.ab', 'key.n'),
      fc.constantFrom('==', '!=', '<', '<=', '>', '>='),
      fc.constantFrom(0, 1, 2, -1, 1.5, 0.1, 0.1234567890123456, 9007199254740992, true, false, null),
      fc.boolean(),
    )
    .filter(([, operator, other]) => typeof other === 'number' || operator === '==' || operator === '!=')
    .map(([of, operator, other, isFirst]) => (isFirst ? `${of} ${operator} ${other}` : `${other} ${operator} ${of}`)),
  fc.constantFrom(
    'has(value.s)',
    'has(value.o.ab)',
    'has(headers.ab)',
    'value.n > 1',
    'offset > 3',
    'offset <= 5',
    '4 >= offset',
    'partition == 2',
    'partition in [1, 3]',
    'timestampMs >= 2',
    'timestampMs == 1',
  ),
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    simple,
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
      .map(([one, operator, other]) => `(${one} ${operator} ${other})`),
    tie('condition').map((one) => `!${one.startsWith('(') ? one : `(${one})`}`),
    fc.tuple(tie('condition'), tie('condition')).map(([one, other]) => `(${one} ? ${other} : value.n == 1)`),
  ),
}));
const only = (source: Partial<FilterSource>): FilterSource => ({ where: [], ...source });
const anySource: fc.Arbitrary<FilterSource> = fc.oneof(
  { weight: 6, arbitrary: simple.map((one) => where(one)) },
  { weight: 6, arbitrary: condition.map((one) => where(one)) },
  fc.tuple(simple, condition).map((both) => where(...both)),
  fc.array(word, { minLength: 1, maxLength: 2 }).map((keys) => only({ keys })),
  fc.tuple(word, word).map(([name, value]) => only({ headers: [`${name}=${value}`] })),
  word.map((one) => only({ contains: [one] })),
);

it('finds the same with all stages as with the exact one alone', async () => {
  const chunk = fc.array(fc.array(anyRecord, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 8 });
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(anySource, chunk, fc.boolean(), async (source, plain, isPacked) => {
      const compression = isPacked ? 'lz4' : 'none';
      const filter = await openFilter(source);
      const exact: RecordFilter = { ...filter, bounds: {}, need: undefined, isRefuted: () => false };
      const [quick, slow] = [filter, exact].map((one) => walkAll(plain, one, { compression })) as [Walked, Walked];
      matches += slow.found.length;
      expect(quick.found, JSON.stringify(source)).toEqual(slow.found);
      expect(sum(quick, 'records')).toBe(sum(slow, 'records'));
    }),
    { numRuns: 1_000 },
  );
  expect(matches).toBeGreaterThan(100);
});

// Texts that are stored as they are, and texts that schemas make: names, symbols, base64, times, numbers, escapes.
const stored = ['ab', 'aab', 'x\nbcd', '\u0001zab', 'éa', 'a"b', 'u😀'];
const made = [
  'LO_ST',
  'state',
  'kindOf',
  'YWFi',
  '1970-01-01',
  '1234567',
  'tru',
  'u0001zab',
  '0001zab',
  'nbcd',
  'Infi',
];
const schemas: readonly SchemaSource[] = [
  {
    type: 'AVRO',
    text: JSON.stringify({
      ...{ type: 'record', name: 'state' },
      fields: [
        { name: 's', type: 'string' },
        { name: 'kindOf', type: { type: 'enum', name: 'Kind', symbols: ['LO_ST', 'ab'] } },
        { name: 'n', type: 'long' },
        { name: 'is', type: 'boolean' },
        { name: 'o', type: { type: 'map', values: 'string' } },
      ],
    }),
    references: [],
  },
  {
    type: 'AVRO',
    text: JSON.stringify({
      ...{ type: 'record', name: 'r' },
      fields: [
        { name: 's', type: ['null', 'string'] },
        { name: 'b', type: 'bytes' },
        { name: 'n', type: 'double' },
      ],
    }),
    references: [],
  },
  {
    type: 'PROTOBUF',
    text: `syntax = "proto3"; import "google/protobuf/timestamp.proto";
      message M { string s = 1; bytes b = 2; int64 n = 3; google.protobuf.Timestamp t = 4; map<string, string> o = 5;
        enum Kind { ab = 0; LO_ST = 1; } Kind kind_of = 6; }`,
    references: [],
  },
  { type: 'JSON', text: '{"type": "object"}', references: [] },
];
const fitting: readonly (readonly [schema: number, value: unknown])[] = [
  ...stored.flatMap((s, at): readonly (readonly [number, unknown])[] => {
    const [o, kindOf] = [{ [stored.at(at - 1) ?? '']: s }, at % 2 === 0 ? 'LO_ST' : 'ab'];
    const latin = s.replace(/[^\0-\xff]/gu, 'é');
    return [
      [0, { s, kindOf, n: at % 3 === 0 ? 1234567 : at, is: at % 4 === 0, o }],
      [1, { s: at % 4 === 0 ? null : { string: s }, b: latin, n: ['Infinity', 1.5, 1][at % 3] }],
      [2, { s, b: Buffer.from(s).toString('base64'), n: '1234567', o, kindOf, t: '1970-01-01T00:00:17Z' }],
      [3, { s, n: 2, o }],
    ];
  }),
  [2, { s: 'ab', b: 'YWFi', kindOf: 'LO_ST' }],
  // Without a schema.
  [-1, 'LO_ST'],
  [-1, '{"s":"LO_ST"}'],
];
const conditionsOn = (text: string): readonly FilterSource[] => {
  const quoted = JSON.stringify(text);
  const fields = ['value.s', 'value.s.string', 'value.kindOf', 'value.b', 'value.t', 'value.n', 'valueAsText'];
  return [
    only({ contains: [text] }),
    ...fields.flatMap((of) => [where(`${of} == ${quoted}`), where(`${of}.contains(${quoted})`)]),
    ...[`value.s.startsWith(${quoted})`, `value.b.endsWith(${quoted})`].map((one) => where(one)),
    ...[`${quoted} in value.o`, `${quoted} in value`, `value.o.exists(k, k == ${quoted})`].map((one) => where(one)),
    ...[`value.kindOf != ${quoted}`, `value.s == "aab" || value.s == ${quoted}`].map((one) => where(one)),
  ];
};

it('finds the same in what schemas decode with all stages as with the exact one alone', async () => {
  const codecs = await Promise.all(schemas.map(codecOf));
  const options = { key: false, value: true, onError: 'raw' } as const;
  const decoding = createDecoding(options);
  for (const [id, schema] of schemas.entries()) await decoding.learn(id, schema);
  const records = fitting.map(([id, value]) => {
    const payload = codecs[id]?.encoder().encode(Buffer.from(JSON.stringify(value)));
    return recordOf({ key: 'LOST', value: payload === undefined ? String(value) : framed(id, payload) });
  });
  let [matches, skipped] = [0, 0];
  for (const source of [...stored, ...made].flatMap(conditionsOn)) {
    const filter = await openFilter(source, decodedFields(options, decoding));
    const exact: RecordFilter = { ...filter, bounds: {}, need: undefined, ifKept: [], isRefuted: () => false };
    for (const [at, record] of records.entries()) {
      const [quick, slow] = [filter, exact].map((one) => walkAll([[record]], one, { decoding })) as [Walked, Walked];
      if (quick.found.length !== slow.found.length)
        throw new Error(`${JSON.stringify(source)} misses ${JSON.stringify(fitting[at])}`);
      matches += slow.found.length;
      skipped += sum(quick, 'skippedByBytes');
    }
  }
  expect(Math.min(matches, skipped)).toBeGreaterThan(500);
});

it.each([
  ['{"n":1,"\\u006e":5}', 'value.n > 2'],
  ['{"n":1,"n":5}', 'value.n > 2'],
  ['{"o":{"n":1},"n":5}', 'value.n > 2'],
  ['{"n" :\t5 }', 'value.n > 2'],
  ['{"n":5}', '2 < value.n && 5 >= value.n'],
  ['\r\n\t{"n":5}', 'value.n > 2'],
  ['{"n":[1]}', 'value.n[0] == 1'],
  ['{"n":1,"o":{"n":{}}}', 'value.o.n != 1'],
  ['{"n":1e2}', 'value.n == 100'],
  ['{"n":0.18482547879153710}', 'value.n == 0.18482547879153710'],
  ['{"n":12345678901234567}', 'value.n == 12345678901234567'],
  ['{"n":"a\\"b"}', 'value.n == "a\\"b"'],
  ['{"n":true}', 'value.n == true && value.n != false'],
])('looks at the bytes of %s for %s', async (value, text) => {
  const others = [recordOf({ value: '{"n":-1}' }), recordOf({ value: '{"n":null,"o":{"n":1}}' })];
  const filter = await openFilter(where(text));
  expect(walkAll([[...others, recordOf({ value })]], filter).found).toEqual(['2']);
  // Not a whole batch.
  expect(walkAll([[...others, recordOf({ value })]], filter, { from: 1n }).found).toEqual(['2']);
  expect(walkAll([others, [recordOf({ value }), recordOf({ value })]], filter, { end: 3n }).found).toEqual(['2']);
});

it('does not take the end of another name for the field, which is missing then', async () => {
  const walked = walkAll(
    [[recordOf({ value: '{"o.n":1}' }), recordOf({ value: '{"n":1}' })]],
    await openFilter(where('value.n > 2')),
  );
  expect([sum(walked, 'undecided'), sum(walked, 'tested')]).toEqual([1, 1]);
});

/** What people write of a value that a schema describes, and whether it holds; a reason if that is not known. */
const meanings: readonly {
  readonly schema: SchemaSource;
  readonly value: unknown;
  readonly hold: readonly string[];
  readonly fail: readonly string[];
  readonly unknown?: readonly string[];
}[] = [
  {
    schema: {
      type: 'AVRO',
      text: JSON.stringify({
        ...{ type: 'record', name: 'Order', namespace: 'shop' },
        fields: [
          { name: 'note', type: ['null', 'string'] },
          { name: 'gone', type: ['null', 'string'] },
          { name: 'count', type: ['null', 'int', 'string'] },
          {
            name: 'to',
            type: ['null', { type: 'record', name: 'Address', fields: [{ name: 'city', type: ['string', 'int'] }] }],
          },
          { name: 'kind', type: ['string', { type: 'enum', name: 'Kind', symbols: ['NEW', 'OLD'] }] },
          { name: 'Kind', type: 'string' },
          {
            name: 'own',
            type: { type: 'record', name: 'own', fields: [{ name: 'string', type: ['null', 'string'] }] },
          },
          { name: 'tags', type: ['null', { type: 'array', items: ['null', 'string', 'long'] }] },
          { name: 'map', type: { type: 'map', values: ['int', 'Address'] } },
          { name: 'list', type: ['null', 'own'] },
          { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
          {
            name: 'cents',
            type: ['null', { type: 'fixed', name: 'F', size: 3, logicalType: 'decimal', precision: 6, scale: 2 }],
          },
          { name: 'raw', type: 'bytes' },
          { name: 'odd', type: { type: 'map', values: ['null', 'string'] } },
          { name: 'big', type: 'long' },
          {
            name: 'wide',
            type: { type: 'fixed', name: 'W', size: 64, logicalType: 'decimal', precision: 99, scale: 0 },
          },
        ],
      }),
      references: [],
    },
    value: {
      note: { string: 'gift' },
      gone: null,
      count: { int: 7 },
      to: { 'shop.Address': { city: { string: 'Ulm' } } },
      kind: { 'shop.Kind': 'NEW' },
      Kind: 'other',
      own: { string: { string: 'mine' } },
      tags: { array: [{ string: 'vip' }, null, { long: 17 }] },
      map: { a: { int: 1 }, b: { 'shop.Address': { city: { int: 89 } } } },
      list: { 'shop.own': { string: null } },
      price: 19.22,
      cents: { 'shop.F': -1 },
      raw: '\u0001',
      odd: { string: null },
      wide: 5,
    },
    hold: [
      'value.note == "gift"',
      'value.note.string == "gift" && value.gone == null && value.note != null && value.to != null',
      'value.note in ["gift"] && value.note.startsWith("gi") && value["note"]["string"].endsWith("ft")',
      'has(value.note) && has(value.note.string) && has(value.to.Address) && !has(value.count.string)',
      'value.count > 6 && value.count.int == 7 && value.count + 1 == 8 && value.count < 8',
      'value.to.city == "Ulm" && value.to.Address.city.string == "Ulm" && value.to["shop.Address"].city == "Ulm"',
      'value.kind == "NEW" && value.Kind == "other"',
      'value.kind.Kind == "NEW"',
      'value.own.string == "mine" && value.own.string.string == "mine"',
      '"vip" in value.tags && value.tags.exists(t, t == 17) && value.tags[1] == null && value.tags.array[0] == "vip"',
      'value.tags.exists(t, t.long == 17) && value.wide == 5',
      'value.tags.exists(t, t.string == "vip") && value.to[["shop.Address"][0]].city == "Ulm"',
      '"string" in value.list && "Address" in value.map["b"] && "own" in value.list && value.map.b.city == 89',
      'value.map.a == 1 && value.map.b.Address.city == 89 && value.map["a"].int == 1',
      'value.list.string == null && value.list.own.string == null',
      'value.price == 19.22 && value.price > 19 && value.cents == -1 && value.cents.F < 0',
      'value.big == 9007199254740993 && value.big > 9007199254740992',
      'value.raw == "\\u0001"',
      'value.odd != null',
    ],
    fail: [
      'value.note == "other" || value.note == null || value.gone == "gift" || value.gone != null',
      'value.note == "string" || value.to == "gift" || value.kind == "shop.Kind"',
      'value.count > 7 || value.count == 8 || value.count.int < 7',
      'value.big == 9007199254740992 || value.price < 19.22',
    ],
    unknown: [
      'value.count == "7"',
      'value.kind.string == "NEW"',
      'value.note.ing == "gift"',
      'value.note.string.string == "gift"',
      'value.note > 5',
      'value.price == "19.22"',
    ],
  },
  {
    schema: {
      type: 'AVRO',
      text: '["null", "string", {"type": "record", "name": "a.R", "fields": []}]',
      references: [],
    },
    value: { string: 'gift' },
    hold: ['value == "gift"', 'value.string == "gift" && has(value.string) && !has(value.R)', 'value != null'],
    fail: ['value == null', 'has(value.R)'],
    unknown: ['value.R == "gift"', 'value == "gift" && headers.string == "gift"'],
  },
  {
    schema: {
      type: 'PROTOBUF',
      text: 'syntax = "proto2"; message M { extensions 100 to 200; } extend M { optional int64 more = 100; }',
      references: [],
    },
    value: { '[more]': '5' },
    hold: ['value["[more]"] == 5'],
    fail: ['value["[more]"] > 5'],
  },
  {
    schema: {
      type: 'PROTOBUF',
      text: `syntax = "proto3"; import "google/protobuf/wrappers.proto"; import "google/protobuf/any.proto";
        message M { int64 order_id = 1; uint64 u = 2; repeated fixed64 l = 3; map<string, sint64> m = 4; M inner = 5;
          google.protobuf.Int64Value w = 6; string s = 7; sfixed64 f = 8; google.protobuf.Any any = 9; int32 i = 10;
          google.protobuf.Any wrapped = 11; bool paid = 12; enum Kind { NEW = 0; OLD = 1; } Kind kind = 13; string text = 14;
          optional int32 count = 15; oneof one { int32 either = 16; } double d = 17; bytes b = 18; repeated Kind kinds = 19; }`,
      references: [],
    },
    value: {
      orderId: '9007199254740993',
      u: '18446744073709551615',
      l: ['1', '2'],
      m: { a: '-5' },
      inner: { orderId: '17', inner: { u: '3', kind: 'OLD', paid: true } },
      w: '12',
      s: '17',
      any: { '@type': 'x/M', orderId: '4' },
      i: 3,
      wrapped: { '@type': 'type.googleapis.com/google.protobuf.UInt64Value', value: '8' },
    },
    hold: [
      'value.orderId == 9007199254740993 && value.orderId > 9007199254740992 && value.orderId != 9007199254740992',
      'value.u == 18446744073709551615u && value.u > 5',
      '2 in value.l && value.l.exists(x, x > 1) && value.l == [1, 2] && value.m.a == -5 && value.m.a < 0',
      'value.inner.orderId == 17 && value.inner.inner.u % 2 == 1 && int(value.inner.orderId) == 17',
      'value.w >= 12 && value.s == "17" && value.any.orderId == 4 && value.i == 3',
      'value.f == 0 && value.f < 5 && value.paid == false && !value.paid && value.text == "" && value.kind == "NEW"',
      'value.kind.startsWith("NE") && value.inner.kind in ["NEW"] && value.d <= 0 && value.b.size() == 0 && value.f != 7',
      'size(value.kinds) == 0 && !value.kinds.exists(k, k == "NEW") && !has(value.f) && !has(value.count)',
      'value.kind == "NEW"',
      'value.kind == "NEW" || value.i > 5',
      'value.orderId > 17 && value.inner.i == 0 && value.inner.s == "" && value.inner.s != "17"',
      'value.wrapped.value == 8 && string(value.inner.orderId).startsWith("1")',
    ],
    fail: [
      'value.orderId == 9007199254740992',
      'value.orderId > 9007199254740993',
      'value.inner.orderId < 17',
      'value.kind == "OLD"',
      'value.paid',
    ],
    unknown: [
      'value.count == 0',
      'value.either == 0',
      'value.any.inner.i == 0',
      'value.s == 17',
      'value.s > 5',
      'value.inner.orderId == "17"',
    ],
  },
];

const cases = meanings.flatMap(({ schema, value, hold, fail, unknown = [] }) =>
  [hold, fail, unknown].flatMap((conditions, at) =>
    conditions.map((condition) => ({ schema, value, condition, is: ['true', 'false', 'unknown'][at] })),
  ),
);

it.each(cases)('$schema.type: $condition is $is', async ({ schema, value, condition, is }) => {
  const options = { key: false, value: true, onError: 'raw' } as const;
  const decoding = createDecoding(options);
  await decoding.learn(1, schema);
  const encode = (one: string) => codecOf(schema).then((codec) => codec.encoder().encode(Buffer.from(one)));
  // The type of JSON that a number cannot hold is written by hand.
  const json = JSON.stringify(value).replace(
    /}$/,
    schema.type === 'AVRO' && 'raw' in Object(value) ? ',"big":9007199254740993}' : '}',
  );
  const record = recordOf({ value: framed(1, await encode(json)) });
  const filter = await openFilter(where(condition), decodedFields(options, decoding));
  const exact: RecordFilter = { ...filter, bounds: {}, need: undefined, ifKept: [], isRefuted: () => false };
  const [quick, slow] = [filter, exact].map((one) => walkAll([[record]], one, { decoding })) as [Walked, Walked];
  expect(slow.found.length).toBe(is === 'true' ? 1 : 0);
  expect(sum(slow, 'undecided')).toBe(is === 'unknown' ? 1 : 0);
  expect(quick.found).toEqual(slow.found);
});

it('knows the integers of the message that a payload fits', async () => {
  const options = { key: false, value: true, onError: 'raw' } as const;
  const decoding = createDecoding(options);
  // Whether the type of the entries of a map counts as a message depends on the serializer.
  const text =
    'syntax = "proto3"; message M { map<string, int32> m = 1; message A { int64 id = 5; } message B { string x = 1; } }';
  await decoding.learn(1, { type: 'PROTOBUF', text, references: [] });
  const record = recordOf({ value: framed(1, Buffer.of(4, 0, 2, 0x28, 17)) });
  const filter = await openFilter(where('value.id == 17'), decodedFields(options, decoding));
  expect(walkAll([[record]], filter, { decoding }).found).toEqual(['0']);
});

it('tests what needs no schema before it decodes', async () => {
  const decoding = createDecoding({ key: false, value: true, onError: 'raw' });
  const schema: SchemaSource = { type: 'AVRO', text: '"int"', references: [] };
  await decoding.learn(1, schema);
  const value = framed(1, (await codecOf(schema)).encoder().encode(Buffer.from('7')));
  const records = ['a', 'b', 'c'].map((key) => recordOf({ key, value }));
  const filter = await openFilter(where('key != "b"'));
  expect(walkAll([records], filter, { decoding }).found).toEqual(['0', '2']);
});

it('tests few of the records that are skipped because their schema keeps texts', async () => {
  const options = { key: false, value: true, onError: 'raw' } as const;
  const decoding = createDecoding(options);
  const text = '{"type":"record","name":"R","fields":[{"name":"n","type":"int"}]}';
  const schema: SchemaSource = { type: 'AVRO', text, references: [] };
  await decoding.learn(1, schema);
  const codec = await codecOf(schema);
  const records = Array.from({ length: 100 }, (_, n) =>
    recordOf({ value: framed(1, codec.encoder().encode(Buffer.from(JSON.stringify({ n })))) }),
  );
  const filter = await openFilter(where('value.n.contains("LOST")'), decodedFields(options, decoding));
  const counting = countingTests(filter);
  const walked = walkAll([records], counting.filter, { decoding });
  expect([counting.tests(), sum(walked, 'undecided'), sum(walked, 'skippedByBytes')]).toEqual([7, 0, 1]);
  expect(walked.sifted[0]?.skippedFaults).toEqual({
    first: 't/2 at offset 0: value.n is a number, not text',
    advice: 'value.n is a number in these records: convert it (string(value.n))',
  });
});

it('looks for what decoded keys are made of', async () => {
  const options = { key: true, value: false, onError: 'raw' } as const;
  const decoding = createDecoding(options);
  const [schema] = schemas as [SchemaSource];
  await decoding.learn(0, schema);
  const keyOf = async (s: string) => {
    const key = { s, kindOf: 'LO_ST', n: 17, is: true, o: {} };
    return framed(0, (await codecOf(schema)).encoder().encode(Buffer.from(JSON.stringify(key))));
  };
  const records = [recordOf({ key: await keyOf('other') }), recordOf({ key: await keyOf('wanted') })];
  for (const source of [
    where('key.s == "wanted"'),
    where('keyAsText.contains("s\\":\\"wanted")'),
    only({ contains: ['ante'] }),
  ]) {
    const filter = await openFilter(source, decodedFields(options, decoding));
    expect(
      walkAll(
        records.map((one) => [one]),
        filter,
        { decoding },
      ),
    ).toMatchObject({ found: ['1'] });
  }
});
