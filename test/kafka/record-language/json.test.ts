import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFormat } from '../../../src/kafka/record-language/format.ts';
import { compileJson } from '../../../src/kafka/record-language/json.ts';
import { compileParser } from '../../../src/kafka/record-language/parse.ts';
import { createArena, takeBytes } from '../../../src/kafka/records/arena.ts';
import { nextBatch, nextRecord } from '../../../src/kafka/records/batch-reader.ts';
import { type RecordCursor, recordOrigin } from '../../../src/kafka/records/cursor.ts';
import { cursorAt, cursorOver, type PlainRecord, writeBatch } from '../records/batches.ts';
import { anyTimestamp } from '../records/timestamps.ts';

function json(record: Partial<PlainRecord>, options: { pretty?: boolean; metaOnly?: boolean } = {}): string {
  const full = { key: null, value: null, headers: [], timestamp: 1622505600123, ...record };
  return printed(cursorAt(full, 42n, recordOrigin('foo', 3)), options);
}

function printed(cursor: RecordCursor, options: { pretty?: boolean; metaOnly?: boolean } = {}): string {
  const arena = createArena();
  compileJson(options)(cursor, arena);
  return takeBytes(arena).toString();
}

const rest = '"timestamp":1622505600123,"partition":3,"offset":42}\n';

describe('a record as JSON', () => {
  test.each<[string, Partial<PlainRecord>, string]>([
    ['without key and value', {}, ''],
    ['with empty key and value', { key: Buffer.alloc(0), value: Buffer.alloc(0) }, '"key":"","value":"",'],
    [
      'with text',
      { key: Buffer.from('k'), value: Buffer.from('v"\\\n\u00e9') },
      '"key":"k","value":"v\\"\\\\\\n\u00e9",',
    ],
    ['with control characters', { value: Buffer.from('\0\u001b\t\u007f') }, '"value":"\\u0000\\u001b\\t\u007f",'],
    ['with bytes that are no text', { value: Buffer.from([0xff, 0xfe]) }, '"value":"//4=","value_encoding":"base64",'],
    [
      'with headers in order, twice the same and null',
      {
        headers: [
          [Buffer.from('b'), Buffer.from('2')],
          [Buffer.from('a'), null],
          [Buffer.from('b'), Buffer.from([0x80])],
        ],
      },
      '"headers":[{"key":"b","value":"2"},{"key":"a","value":null},{"key":"b","value":"gA==","value_encoding":"base64"}],',
    ],
  ])('%s', (_name, record, fields) => {
    const line = json(record);
    expect(line).toBe(`{"topic":"foo",${fields}${rest}`);
    expect(JSON.parse(json(record, { pretty: true }))).toEqual(JSON.parse(line));
  });

  test('indented as JSON.stringify indents', () => {
    const record = {
      key: Buffer.from('k'),
      headers: [
        [Buffer.from('a'), Buffer.from('1')],
        [Buffer.from('b'), null],
      ] as const,
    };
    const pretty = json(record, { pretty: true });
    expect(pretty).toBe(`${JSON.stringify(JSON.parse(pretty), null, 2)}\n`);
  });

  test('without any character that a reader of lines may take for the end of one', () => {
    const text = 'a\u2028b\u2029\u2028 \u2027\u202a\u20ac\n\r"\u2028';
    const line = json({ value: Buffer.from(text) });
    expect(line.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(JSON.parse(line).value).toBe(text);
    expect(line).toContain('a\\u2028b\\u2029\\u2028 \u2027\u202a\u20ac\\n\\r\\"\\u2028"');
  });

  test('with the size of the value in its place on request', () => {
    expect(json({ key: Buffer.from('k'), value: Buffer.from('abc') }, { metaOnly: true })).toBe(
      `{"topic":"foo","key":"k","value_size":3,${rest}`,
    );
    expect(json({}, { metaOnly: true })).toBe(`{"topic":"foo","value_size":0,${rest}`);
  });

  test.each([
    ['00000001', 'commit'],
    ['00000000', 'abort'],
    ['00000009', 'unknown'],
  ])('with what a marker of key %s says of its transaction', (key, control) => {
    const cursor = cursorAt({ key: Buffer.from(key, 'hex'), value: null, headers: [], timestamp: 5 }, 7n);
    cursor.attributes |= 0x30;
    expect(JSON.parse(printed(cursor))).toMatchObject({ offset: 7, control });
  });

  test('with the type of a timestamp that the broker set, and with large offsets exactly', () => {
    const cursor = cursorAt({ key: null, value: null, headers: [], timestamp: 5 }, 9007199254740993n);
    cursor.attributes |= 8;
    expect(printed(cursor)).toBe(
      '{"topic":"foo","timestamp":5,"timestamp_type":"append","partition":3,"offset":9007199254740993}\n',
    );
  });
});

describe('the topic of an envelope', () => {
  const envelope = Buffer.from('{"topic":"from","value":"x","timestamp":1,"partition":2,"offset":3}');
  const topicFor = (layout: string, input: Buffer, topic?: string) => {
    const parser = compileParser(layout).create(topic === undefined ? {} : { topic });
    parser.push(input);
    parser.end();
    parser.next();
    return parser.record.topic;
  };

  test('says where the record goes when nothing else does', () => {
    expect(topicFor('json', envelope)).toBe('from');
  });

  test('yields to the topic of the command line, so that a copy does not go back to its source', () => {
    expect(topicFor('json', envelope, 'to')).toBe('to');
  });

  test('of a layout wins over it', () => {
    expect(topicFor('%t %v', Buffer.from('from x'), 'to')).toBe('from');
  });
});

describe('an envelope says', () => {
  const read = (text: string) => {
    const parser = compileParser('json').create();
    parser.push(Buffer.from(text));
    parser.next();
    return parser.record;
  };

  test.each([
    ['{"value":"x"}', false],
    ['{"key":null,"value":"x"}', true],
    ['{"key":"","value":"x"}', true],
    ['{"key":"k","value":"x"}', true],
  ])('whether it has a key: %s', (text, hasKey) => {
    expect(read(text).hasKey).toBe(hasKey);
  });

  test.each<[string, bigint]>([
    ['{"timestamp":1700000000123456789}', 1700000000123456789n],
    ['{"timestamp" : -9223372036854775808 }', -(2n ** 63n)],
    ['{"timestamp":9007199254740993,"headers":[{"key":"a","value":"\\"timestamp\\":1"}]}', 9007199254740993n],
    ['{"timestamp":1,"timestamp":9007199254740993}', 9007199254740993n],
    ['{"timestamp":1.7e18}', 1_700_000_000_000_000_000n],
  ])('a timestamp of more than 53 bits exactly: %s', (text, timestamp) => {
    expect(read(text)).toMatchObject({ timestamp: Number.NaN, exactTimestamp: timestamp, hasTimestamp: true });
  });

  test('of two records each its own', () => {
    const parser = compileParser('json').create();
    parser.push(Buffer.from('{"key":"k","timestamp":9007199254740993}{"value":"v"}{"timestamp":5}'));
    parser.next();
    expect(parser.next() && [parser.record.hasKey, parser.record.hasTimestamp]).toEqual([false, false]);
    expect(parser.next() && parser.record.timestamp).toBe(5);
  });
});

describe('an envelope is refused', () => {
  test.each([
    ['[]', 'a JSON object is expected'],
    ['{"vlaue":"x"}', 'unknown field "vlaue"'],
    ['{"value":{"a":1}}', '"value" is not text (JSON values are written as text)'],
    ['{"value":"x","value_encoding":"hex"}', '"value_encoding" is not "base64"'],
    ['{"value":"x","value_encoding":"base64"}', '"value" is not base64'],
    ['{"headers":{}}', '"headers" is not a list'],
    ['{"headers":[{"value":"x"}]}', 'a header has no "key"'],
    ['{"headers":[1]}', 'a header is not an object'],
    ['{"timestamp":"now"}', '"timestamp" is not a whole number'],
    ['{"timestamp":1.5}', '"timestamp" is not a whole number'],
    ['{"timestamp":9223372036854775808}', '"timestamp" takes more than 64 bits'],
    ['{"timestamp":1e300}', '"timestamp" takes more than 64 bits'],
    ['{"partition":9007199254740993}', '"partition" is not a whole number'],
    ['{"topic":5}', '"topic" is not text'],
    ['{"value":"x","control":"commit"}', 'the marker of a transaction cannot be written'],
    ['{"value":"a\\ud800"}', '"value" has half a character'],
    ['{"value":"v","headers":[{"key":"\\udc00","value":null}]}', '"key" has half a character'],
  ])('%s: %s', (text, reason) => {
    const parser = compileParser('json').create();
    parser.push(Buffer.from(text));
    expect(() => parser.next()).toThrow(reason);
  });
});

test('an envelope of bytes that are not UTF-8 is refused, where decoding would change them', () => {
  const parser = compileParser('json').create();
  parser.push(Buffer.concat([Buffer.from('{"value":"'), Buffer.of(0xff), Buffer.from('"}')]));
  expect(() => parser.next()).toThrow('it is not UTF-8 (bytes that are not are written in base64)');
});

const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 30 }).map((value) => Buffer.from(value)),
  fc.string({ maxLength: 20 }).map((value) => Buffer.from(value)),
  fc.constantFrom('"\\\n\t\u0001\u007f\u2028<&>', '\u00e9\u{1f600}', '').map((value) => Buffer.from(value)),
);
const record: fc.Arbitrary<PlainRecord> = fc.record({
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc.array(fc.tuple(bytes, fc.option(bytes) as fc.Arbitrary<Buffer | null>), { maxLength: 3 }),
  timestamp: fc.oneof(fc.integer({ min: -1, max: 2 ** 42 }), anyTimestamp),
});
const records = fc.array(record, { minLength: 1, maxLength: 12 });

function print(list: readonly PlainRecord[], layout: string | { readonly pretty: boolean }): Buffer {
  const format = typeof layout === 'string' ? compileFormat(layout) : compileJson(layout);
  const arena = createArena();
  const cursor = cursorOver(writeBatch(list));
  while (nextBatch(cursor)) while (nextRecord(cursor)) format(cursor, arena);
  return Buffer.from(takeBytes(arena));
}

function readBack(layout: string, input: Buffer, chunkBytes: number): PlainRecord[] {
  const parser = compileParser(layout).create();
  const list: PlainRecord[] = [];
  const take = () => {
    while (parser.next()) {
      const { keyBytes, keyStart, keyLength, valueBytes, valueStart, valueLength, headers, timestamp, exactTimestamp } =
        parser.record;
      const copy = (source: Uint8Array, start: number, length: number) =>
        length < 0 ? null : Buffer.from(source.subarray(start, start + length));
      list.push({
        key: copy(keyBytes, keyStart, keyLength),
        value: copy(valueBytes, valueStart, valueLength),
        headers: headers.map(
          ({ key, value }) => [Buffer.from(key), value === null ? null : Buffer.from(value)] as const,
        ),
        timestamp: Number.isNaN(timestamp) ? exactTimestamp : timestamp,
      });
    }
  };
  for (let at = 0; at < input.length; at += chunkBytes) {
    parser.push(input.subarray(at, at + chunkBytes));
    take();
  }
  parser.end();
  take();
  return list;
}

describe('what one side prints the other reads', () => {
  test.each([{ pretty: false }, { pretty: true }])('as JSON, losing nothing (%j)', (style) => {
    const property = fc.property(records, fc.integer({ min: 1, max: 200 }), (list, chunkBytes) => {
      expect(readBack('json', print(list, style), chunkBytes)).toEqual(list);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test.each([
    '%K %V %H %d %k%v%h{%K %V %k%v}',
    '%K{big32}%V{little64}%H{big16}%d{big64}%k%v%h{%K{hex8}%V{hex64}%k%v}',
    '%d %k{hex} %v{base64}\\n%H %h{%k{base64},%v{hex};}',
  ])('in the layout %s, but for null, which becomes empty', (layout) => {
    const flat = (list: readonly PlainRecord[]) =>
      list.map((one) => ({
        ...one,
        key: one.key === null || one.key.length === 0 ? null : one.key,
        value: one.value ?? Buffer.alloc(0),
        headers: one.headers.map(([key, value]) => [key, value ?? Buffer.alloc(0)] as const),
      }));
    const property = fc.property(records, fc.integer({ min: 1, max: 200 }), (list, chunkBytes) => {
      expect(readBack(layout, print(list, layout), chunkBytes)).toEqual(flat(list));
    });
    fc.assert(property, { numRuns: 300 });
  });
});
