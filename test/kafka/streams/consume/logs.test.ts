import { describe, expect, it } from 'vitest';
import { createBatchWriter, stampBatch, writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { surveyBatches } from '../../../../src/kafka/streams/consume/position.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { batchAt, fetchAnswer, fetchedOffset, offsetsAnswer } from '../../record-answers.ts';
import { wrapMessages, writeMessage } from '../../records/batches/reference.ts';
import { read, requestOf } from './consuming.ts';

interface Log {
  /** In the order of the log. */
  readonly batches: readonly Buffer[];
  readonly start?: bigint;
  readonly end: bigint;
  /** Number of batches in an answer. */
  readonly perFetch?: number;
}

/** A broker whose only partition of `foo` holds these bytes. */
async function brokerWith({ batches, start = 0n, end, perFetch = 1 }: Log): Promise<ScriptedBroker> {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    ListOffsets: (arrival) => offsetsAnswer(arrival, start, end),
    Fetch(arrival) {
      const from = fetchedOffset(arrival);
      const wanted = batches.filter((bytes) => (surveyBatches(bytes).end?.offset ?? 0n) > from).slice(0, perFetch);
      return fetchAnswer({ records: Buffer.concat(wanted), highWatermark: end });
    },
  });
  return self.broker;
}

/** Extends a batch's offsets past its last record, as compaction leaves them. */
function withLastOffset(bytes: Buffer, base: bigint, last: bigint): Buffer {
  bytes.writeInt32BE(Number(last - base), 23);
  stampBatch(bytes, { producerId: -1n, producerEpoch: -1, baseSequence: -1 });
  return bytes;
}

/** A batch that compaction has emptied: it keeps its offsets but has no records. */
function emptyBatch(base: bigint, last: bigint): Buffer {
  const writer = createBatchWriter({ compression: 'none', maxBytes: 1000 });
  const bytes = Buffer.from(writer.finish({ producerId: -1n, producerEpoch: -1, baseSequence: -1 }));
  writeBaseOffset(bytes, base);
  return withLastOffset(bytes, base, last);
}

const text = (value: string): Buffer => Buffer.from(value);

describe('a log', () => {
  it.each([1, 10])('with compacted gaps and empty batches is read completely (%d per fetch)', async (perFetch) => {
    const batches = [
      withLastOffset(batchAt(3n, ['a', 'b']), 3n, 9n),
      emptyBatch(10n, 14n),
      emptyBatch(20n, 29n),
      batchAt(40n, ['c']),
      emptyBatch(50n, 59n),
    ];
    const broker = await brokerWith({ batches, end: 60n, perFetch });
    expect(await read([broker], requestOf(':end'))).toBe('3=a 4=b 40=c');
  });

  it('that begins in the middle of a gap is read from there', async () => {
    const batches = [withLastOffset(batchAt(3n, ['a', 'b']), 3n, 9n), batchAt(12n, ['c'])];
    const broker = await brokerWith({ batches, end: 13n });
    expect(await read([broker], requestOf('7:13'))).toBe('12=c');
  });

  it.each([1, 10])('with offsets beyond 2^53 is read exactly (%d per fetch)', async (perFetch) => {
    const base = 2n ** 53n + 1n;
    const batches = [batchAt(base, ['a', 'b']), batchAt(base + 2n, ['c']), batchAt(base + 3n, ['d', 'e'])];
    const log = { batches, start: base, end: base + 5n, perFetch };
    const all = [...'abcde'].map((value, index) => `${base + BigInt(index)}=${value}`);
    expect(await read([await brokerWith(log)], requestOf(':end'))).toBe(all.join(' '));
    expect(await read([await brokerWith(log)], requestOf(`${base + 1n}:${base + 4n}`))).toBe(all.slice(1, 4).join(' '));
    const marks = requestOf(`${base + 4n}:end`, { format: compileFormat('%[ %| %] %]{hex64}') });
    const end = base + 5n;
    expect(await read([await brokerWith(log)], marks)).toBe(`0 ${end} ${end} ${end.toString(16).padStart(16, '0')}`);
    const lastTwo = requestOf('-2', { limit: 2 });
    expect(await read([await brokerWith(log)], lastTwo)).toBe(all.slice(3).join(' '));
  });

  it('is read up to the largest possible offset', async () => {
    const last = 2n ** 63n - 2n;
    const broker = await brokerWith({ batches: [batchAt(last, ['z'])], start: last, end: last + 1n });
    expect(await read([broker], requestOf(':end'))).toBe(`${last}=z`);
  });

  it.each([0, 1] as const)('of magic %d, compressed or not, is read', async (magic) => {
    const message = (offset: bigint, value: string | null) => ({
      ...{ magic, offset, key: null, value: value === null ? null : text(value), timestamp: 5n },
    });
    const batches = [
      writeMessage(message(0n, 'a')),
      wrapMessages([message(1n, 'b'), message(4n, null), message(6n, 'd')]),
      writeMessage(message(7n, 'e')),
      batchAt(8n, ['f']),
    ];
    const log = { batches, end: 9n, perFetch: 2 };
    expect(await read([await brokerWith(log)], requestOf(':end'))).toBe('0=a 1=b 4= 6=d 7=e 8=f');
    expect(await read([await brokerWith(log)], requestOf('4:8'))).toBe('4= 6=d 7=e');
  });

  it('with a damaged batch is printed up to it, then the batch is named', async () => {
    const bad = batchAt(2n, ['c', 'd']);
    bad[bad.length - 2] = 0x7a;
    let printed = '';
    const broker = await brokerWith({ batches: [batchAt(0n, ['a', 'b']), bad], end: 4n, perFetch: 2 });
    const reading = read([broker], requestOf(':end'), {}, (chunk) => {
      printed += chunk;
    });
    await expect(reading).rejects.toThrow(/^unable to read topic "foo" partition 0 at offset 2: .*checksum/);
    expect(printed).toBe('0=a 1=b ');
  });
});
