import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createArena, takeBytes } from '../../../../src/bytes/arena.ts';
import { nextBatch, nextRecord } from '../../../../src/kafka/records/batches/batch-reader.ts';
import {
  type BatchWriter,
  createBatchWriter,
  writeBaseOffset,
} from '../../../../src/kafka/records/batches/batch-writer.ts';
import { type Compression, compressions } from '../../../../src/kafka/records/batches/compression/compressions.ts';
import { recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import { type CompiledFormat, compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { compileReport } from '../../../../src/kafka/records/language/report-format.ts';
import { createLane, sealLane } from '../../../../src/kafka/streams/produce/lane.ts';
import { createReporter } from '../../../../src/kafka/streams/produce/report.ts';
import { appendTo, cursorOver, type PlainRecord } from '../../records/batches/batches.ts';
import { anyTimestamp } from '../../records/batches/timestamps.ts';

const everything =
  '%t/%p@%o %e %x %y %d{strftime[%F %T]} %d %K %k %V %v %h{%k=%v;} %a{compression} %a{timestamp-type}\\n';

interface Reporting {
  readonly compression: Compression;
  readonly baseOffset: bigint;
  readonly appendTime?: bigint;
  readonly topic?: string;
}

function writerWith(records: readonly PlainRecord[], compression: Compression): BatchWriter {
  const writer = createBatchWriter({ compression, maxBytes: 2 ** 30 });
  appendTo(writer, records);
  return writer;
}

/** The report of a batch whose compressed bytes are dropped on delivery. */
async function reported(
  records: readonly PlainRecord[],
  format: CompiledFormat,
  reporting: Reporting,
): Promise<string> {
  const { compression, baseOffset, appendTime = -1n, topic = 'foo' } = reporting;
  const lane = createLane(topic, 3, 1);
  lane.open = { writer: writerWith(records, compression), createdAt: 0, createdWallMs: 0, numbers: [1, 1] };
  const batch = sealLane(lane, { producerId: 7n, producerEpoch: 2 });
  if (batch === undefined) throw new Error('there is no batch');
  let text = '';
  let released = 0;
  const sink = {
    write(chunk: Uint8Array) {
      text += Buffer.from(chunk).toString('latin1');
      return undefined;
    },
  };
  const reporter = createReporter({ format, sink, release: () => released++ });
  const isPacked = (batch.bytes.readInt16BE(21) & 7) !== 0;
  if (isPacked) batch.bytes.fill(0xff, 61);
  reporter.report(batch, baseOffset, appendTime);
  await reporter.flush();
  expect(released).toBe(1);
  return text;
}

/** The same report, from decompressing the bytes that were sent. */
function unpacked(records: readonly PlainRecord[], layout: string, { compression, baseOffset }: Reporting): string {
  const bytes = writerWith(records, compression).finish({ producerId: 7n, producerEpoch: 2, baseSequence: 0 });
  writeBaseOffset(bytes, baseOffset);
  const cursor = cursorOver(bytes, recordOrigin('foo', 3));
  const format = compileFormat(layout);
  const arena = createArena();
  while (nextBatch(cursor)) while (nextRecord(cursor)) format(cursor, arena);
  return takeBytes(arena).toString('latin1');
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value)),
  fc.nat(3000).map((length) => Buffer.alloc(length, 'abc')),
);
const record: fc.Arbitrary<PlainRecord> = fc.record({
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc.array(fc.tuple(bytes, fc.option(bytes)), { maxLength: 2 }) as fc.Arbitrary<PlainRecord['headers']>,
  timestamp: anyTimestamp,
});

const plain = (count: number): PlainRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ key: null, value: Buffer.from(`v${index}`.padEnd(100, 'x')), headers: [], timestamp: 5 + index },
  }));

describe('a report is printed from the memory of the writer', () => {
  test.each(compressions)('as from the bytes that were sent with %s', async (compression) => {
    const property = fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 20 }),
      fc.bigInt({ min: 0n, max: 2n ** 62n }),
      async (records, baseOffset) => {
        const reporting = { compression, baseOffset };
        expect(await reported(records, compileFormat(everything), reporting)).toBe(
          unpacked(records, everything, reporting),
        );
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  test.each(compressions)('with the time at which the broker appended, exactly, with %s', async (compression) => {
    const reporting = { compression, baseOffset: 1n, appendTime: 2n ** 60n + 1n };
    const format = compileFormat('%o %d %a{timestamp-type} %a{compression}\\n');
    expect(await reported(plain(2), format, reporting)).toBe(
      `1 ${2n ** 60n + 1n} 1 ${compression}\n2 ${2n ** 60n + 1n} 1 ${compression}\n`,
    );
  });
});

test.each([
  [-1n, '5 0'],
  [0n, '0 1'],
  [1n, '1 1'],
])('an append time of %s', async (appendTime, expected) => {
  const reporting = { compression: 'none', baseOffset: 1n, appendTime } as const;
  expect(await reported(plain(1), compileFormat('%d %a{timestamp-type}'), reporting)).toBe(expected);
});

describe('an offset that the broker did not report', () => {
  const unknown = { compression: 'none', baseOffset: -1n } as const;

  test.each([
    ['%o', '-1-1-1'],
    ['%o{hex} ', 'ffffffffffffffff '.repeat(3)],
    ['%o{bool} %v{hex}\\n', undefined],
  ])('is -1 for every record, in a record format: %s', async (layout, expected) => {
    const text = await reported(plain(3), compileFormat(layout), unknown);
    if (expected !== undefined) expect(text).toBe(expected);
    else expect(text).toMatch(/^(true 76[0-9a-f]+\n){3}$/);
  });

  test('is null in JSON and YAML, and a phrase in text', async () => {
    expect(await reported(plain(2), compileReport('json'), unknown)).toBe(
      '{"topic":"foo","partition":3,"offset":null,"timestamp":5}\n{"topic":"foo","partition":3,"offset":null,"timestamp":6}\n',
    );
    expect(parseYaml(await reported(plain(1), compileReport('yaml'), unknown))).toEqual({
      ...{ topic: 'foo', partition: 3, offset: null, timestamp: 5 },
    });
    expect(await reported(plain(1), compileReport('text'), unknown)).toBe(
      'Produced to partition 3 with timestamp 5; the broker did not report the offset.\n',
    );
    expect(await reported(plain(1), compileReport('unacknowledged'), unknown)).toBe(
      'Sent to partition 3 with timestamp 5.\n',
    );
  });
});

describe('weir reports', () => {
  const known = { compression: 'none', baseOffset: 2n ** 53n + 1n } as const;

  test('offsets and timestamps exactly, in every style', async () => {
    expect(await reported(plain(1), compileReport('text'), known)).toBe(
      'Produced to partition 3 at offset 9007199254740993 with timestamp 5.\n',
    );
    expect(await reported(plain(1), compileReport('json'), known)).toBe(
      '{"topic":"foo","partition":3,"offset":9007199254740993,"timestamp":5}\n',
    );
  });

  test.each([
    '123',
    'null',
    'true',
    '1e3',
    '.5',
    '0x10',
    '1_000',
    '12.30',
    '-',
    '--',
    '.inf',
    'no',
    '2001-01-01',
    'a.b_c-d',
  ])('the topic %s as text that YAML and JSON read back', async (topic) => {
    const yaml = await reported(plain(1), compileReport('yaml'), { compression: 'none', baseOffset: 7n, topic });
    const expected = { topic, partition: 3, offset: 7, timestamp: 5 };
    expect(parseYaml(yaml)).toEqual(expected);
    expect(parseYaml(yaml, { version: '1.1' })).toEqual(expected);
    const json = await reported(plain(1), compileReport('json'), { compression: 'none', baseOffset: 7n, topic });
    expect(JSON.parse(json)).toEqual(expected);
  });
});

test('a small chunk stays as it was written, although the memory that it was formatted in is used again', async () => {
  const chunks: Uint8Array[] = [];
  const sink = {
    write(chunk: Uint8Array) {
      chunks.push(chunk);
      return undefined;
    },
  };
  const reporter = createReporter({ format: compileFormat('%v'), sink, release: () => undefined });
  for (const value of ['one', 'two']) {
    const lane = createLane('foo', 0, 1);
    const record = { key: null, value: Buffer.from(value), headers: [], timestamp: 0 };
    lane.open = { writer: writerWith([record], 'none'), createdAt: 0, createdWallMs: 0, numbers: [1, 1] };
    const batch = sealLane(lane, { producerId: 7n, producerEpoch: 2 });
    if (batch === undefined) throw new Error('there is no batch');
    reporter.report(batch, 0n, -1n);
    await reporter.flush();
  }
  expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(['one', 'two']);
});
