import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena, takeBytes } from '../../../../src/bytes/arena.ts';
import { nextBatch, nextRecord } from '../../../../src/kafka/records/batches/batch-reader.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { compileJson } from '../../../../src/kafka/records/language/json.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { cursorOver, type PlainRecord, writeBatch } from '../batches/batches.ts';
import { anyTimestamp } from '../batches/timestamps.ts';

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
