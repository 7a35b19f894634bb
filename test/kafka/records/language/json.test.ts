import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createArena, takeBytes } from '../../../../src/bytes/arena.ts';
import { type RecordCursor, recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import { compileJson, type JsonFormatOptions } from '../../../../src/kafka/records/language/json.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { cursorAt, type PlainRecord } from '../batches/batches.ts';
import { parse } from './parsing.ts';

function json(record: Partial<PlainRecord>, options: JsonFormatOptions = {}): string {
  const full = { key: null, value: null, headers: [], timestamp: 1622505600123, ...record };
  return printed(cursorAt(full, 42n, recordOrigin('foo', 3)), options);
}

function printed(cursor: RecordCursor, options: JsonFormatOptions = {}): string {
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

  test('as YAML escapes what YAML forbids in a text', () => {
    const text = '\u007f\u0085\u009b31m\ufeff\uffff\u2028\u00e9\u00a0\u{1f600}\ufffd';
    const record = {
      ...{ key: Buffer.from(text), value: Buffer.from('\u009f'.repeat(40_000)), timestamp: 1 },
      headers: [[Buffer.from(text), Buffer.from(text)]] as const,
    };
    const arena = createArena(16);
    compileJson({ isYaml: true })(cursorAt(record, 42n, recordOrigin('foo', 3)), arena);
    const yaml = takeBytes(arena).toString();
    expect(yaml).toContain('key: "\\u007f\\u0085\\u009b31m\\ufeff\\uffff\\u2028\u00e9\u00a0\u{1f600}\ufffd"');
    // Everything but the printable characters of YAML 1.2, and the line end of YAML 1.1.
    expect(yaml).not.toMatch(/[^\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\ufeff/u);
    const header = { key: text, value: text };
    expect(parseYaml(yaml)).toMatchObject({ key: text, value: '\u009f'.repeat(40_000), headers: [header], offset: 42 });
  });

  test('on a terminal escapes whatever could control it or mislead its reader, in JSON and YAML', () => {
    const text = '\u007f\u009b31m\u00ad\u061c\u202egpj.exe\u{e0041}\u00e9\u{1f600}';
    const record = { key: Buffer.from(text), value: Buffer.from('\u009f'.repeat(40_000)) };
    const shown = json(record, { isForTerminal: true });
    const end = '\\u202egpj.exe';
    expect(shown).toContain(`"key":"\\u007f\\u009b31m\\u00ad\\u061c${end}\\udb40\\udc41\u00e9\u{1f600}"`);
    expect(shown).not.toMatch(/[\u007f-\u009f]/);
    expect(JSON.parse(shown)).toEqual(JSON.parse(json(record)));
    expect(json(record)).toContain(`"key":"${text}"`);
    const yaml = json(record, { isForTerminal: true, isYaml: true });
    expect(yaml).toContain(`${end}\\U000e0041\u00e9`);
    expect(parseYaml(yaml)).toMatchObject({ key: text });
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

  test('without any character that a line reader may treat as a line end', () => {
    const text = 'a\u2028b\u2029\u2028 \u2027\u202a\u20ac\n\r"\u2028';
    const line = json({ value: Buffer.from(text) });
    expect(line.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(JSON.parse(line).value).toBe(text);
    expect(line).toContain('a\\u2028b\\u2029\\u2028 \u2027\u202a\u20ac\\n\\r\\"\\u2028"');
  });

  test('one after another from batches of several partitions, with either timestamp type', () => {
    const format = compileJson();
    const arena = createArena();
    const line = (topic: string, partition: number, isAppend: boolean) => {
      const cursor = cursorAt(
        { key: null, value: null, headers: [], timestamp: 5 },
        7n,
        recordOrigin(topic, partition),
      );
      if (isAppend) cursor.attributes |= 8;
      const type = isAppend ? ',"timestamp_type":"append"' : '';
      const text = `{"topic":"${topic}","timestamp":5${type},"partition":${partition},"offset":7}\n`;
      format(cursor, arena);
      // The cursor of a partition stays, its batches change.
      cursor.attributes ^= 8;
      format(cursor, arena);
      return (
        text +
        text.replace(isAppend ? type : '"timestamp":5', isAppend ? '' : '"timestamp":5,"timestamp_type":"append"')
      );
    };
    const lines = [line('a', 1, false), line('a', 2, true), line('b', 1, true), line('a', 1, true)];
    expect(takeBytes(arena).toString()).toBe(lines.join(''));
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
  ])('with the outcome of the transaction for a marker with key %s', (key, control) => {
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

  test('determines the topic if nothing else does', () => {
    expect(topicFor('json', envelope)).toBe('from');
  });

  test('is overridden by the topic of the command line, so that a copy does not go back to its source', () => {
    expect(topicFor('json', envelope, 'to')).toBe('to');
  });

  test('of a layout overrides it', () => {
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

test('envelopes are the same whether a line arrives whole or byte by byte', () => {
  const part = fc.constantFrom(
    ...['{"value":"a"}', '{"key":"k","value":"{\\"x\\":1}"}', '{"timestamp":9007199254740993}', '{\n  "value": "b"\n}'],
    ...['{"value":"}\\n{"}', '{"headers":[{"key":"a","value":null}]}', '{"value":"\u00fc\u2028"}', '{}', '{"value":1}'],
    ...['\n', '\n', '\n', '\r\n', ' \n', ' ', '}', '{', '[1]\n', '{"a', '{"value":"\xff"}\n'],
  );
  const property = fc.property(fc.array(part, { maxLength: 12 }), fc.nat(20), (parts, size) => {
    const bytes = Buffer.concat(parts.map((text) => Buffer.from(text, text.includes('\xff') ? 'latin1' : 'utf8')));
    const inPieces = Array.from({ length: Math.ceil(bytes.length / (size + 1)) }, (_, index) =>
      bytes.subarray(index * (size + 1), (index + 1) * (size + 1)),
    );
    const byByte = parse(
      'json',
      [...bytes].map((byte) => Buffer.of(byte)),
    );
    expect(parse('json', [bytes])).toEqual(byByte);
    expect(parse('json', inPieces)).toEqual(byByte);
  });
  fc.assert(property, { numRuns: 3000 });
});

describe('an envelope is refused', () => {
  test.each([
    ['[]', 'expected a JSON object, found an array', "write each item on a line of its own: jq -c '.[]' FILE"],
    ['{"vlaue":"x"}', 'unknown field "vlaue"', ownJson('.vlaue')],
    ['{"my-id":1}', 'unknown field "my-id"', ownJson('.["my-id"]')],
    [
      '{"value":1}',
      '"value" is not a string (write a JSON value as a string, or encode it by a schema with --schema-id)',
    ],
    ['{"value":"x","value_encoding":"hex"}', '"value_encoding" must be "base64"'],
    ['{"value":"x","value_encoding":"base64"}', '"value" is not valid base64'],
    ['{"headers":{}}', '"headers" is not an array'],
    ['{"headers":[{"value":"x"}]}', 'a header has no "key"'],
    ['{"headers":[1]}', 'a header is not an object'],
    ['{"timestamp":"now"}', '"timestamp" is not an integer'],
    ['{"timestamp":1.5}', '"timestamp" is not an integer'],
    ['{"timestamp":9223372036854775808}', '"timestamp" exceeds 64 bits'],
    ['{"timestamp":1e300}', '"timestamp" exceeds 64 bits'],
    ['{"partition":9007199254740993}', '"partition" is not an integer'],
    ['{"topic":5}', '"topic" is not a string'],
    ['{"value":"x","control":"commit"}', 'a transaction marker cannot be produced'],
    ['{"value":"a\\ud800"}', '"value" has an unpaired surrogate'],
    ['{"value":"v","headers":[{"key":"\\udc00","value":null}]}', '"key" has an unpaired surrogate'],
  ])('%s: %s', (text, reason, hint = '') => {
    const parser = compileParser('json').create();
    parser.push(Buffer.from(text));
    expect(() => parser.next()).toThrow(reason);
    expect(() => parser.next()).toThrow(expect.objectContaining({ hints: hint === '' ? [] : hint.split('\n') }));
  });

  function ownJson(field: string): string {
    const records = `to take the key from a field, make records of them: jq -c '{key: ${field}, value: .}' FILE`;
    return `to write each line as a value, leave out the JSON format\n${records}`;
  }
});

test('an envelope of bytes that are not UTF-8 is refused, where decoding would change them', () => {
  const parser = compileParser('json').create();
  parser.push(Buffer.concat([Buffer.from('{"value":"'), Buffer.of(0xff), Buffer.from('"}')]));
  expect(() => parser.next()).toThrow('it is not UTF-8 (write other bytes in base64)');
});
