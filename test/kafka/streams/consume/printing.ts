import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import { createBatchWriter, stampBatch, writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import type { FetchedChunk } from '../../../../src/kafka/streams/consume/answer.ts';
import { createPosition, surveyBatches } from '../../../../src/kafka/streams/consume/position.ts';
import { openRecordPrinter, type PrintOptions } from '../../../../src/kafka/streams/consume/printer.ts';

/** How a batch is made. */
export interface BatchOptions {
  readonly producerId?: bigint;
  readonly transactional?: boolean;
  /** Makes it a control batch with this marker. */
  readonly marker?: 'commit' | 'abort';
}

/** A batch of the values at `base`, as a broker would send it. */
export function batch(base: bigint, values: readonly string[], options: BatchOptions = {}): Buffer {
  const { producerId = -1n, transactional = false, marker } = options;
  const writer = createBatchWriter({ compression: 'none', maxBytes: 1 << 20, transactional });
  const record = createOutgoingRecord();
  for (const value of values) {
    record.valueBytes = Buffer.from(value);
    record.valueLength = record.valueBytes.length;
    record.timestamp = 1;
    if (marker !== undefined) {
      record.keyBytes = Buffer.from([0, 0, 0, marker === 'commit' ? 1 : 0]);
      record.keyLength = 4;
    }
    writer.append(record);
  }
  const stamp = { producerId, producerEpoch: producerId < 0n ? -1 : 0, baseSequence: -1 };
  const bytes = Buffer.from(writer.finish(stamp));
  if (marker !== undefined) bytes.writeInt16BE(bytes.readInt16BE(21) | 0x20, 21);
  stampBatch(bytes, stamp);
  writeBaseOffset(bytes, base);
  return bytes;
}

/** Removes records from the end of a batch but keeps its offsets, as compaction does. */
export function withLastOffsetDelta(bytes: Buffer, delta: number): Buffer {
  bytes.writeInt32BE(delta, 23);
  stampBatch(bytes, { producerId: -1n, producerEpoch: -1, baseSequence: -1 });
  return bytes;
}

/** One partition of an answer, read from `offset` to `end`. */
export function chunkOf(
  records: Buffer,
  more: Partial<FetchedChunk> & { end?: bigint; offset?: bigint } = {},
): FetchedChunk {
  const { end, offset = 0n, ...rest } = more;
  return {
    position: createPosition({ topic: 't', partition: 3, offset, end }),
    from: offset,
    to: surveyBatches(records).end?.offset ?? offset,
    jumps: 0,
    records,
    logStartOffset: 0n,
    lastStableOffset: 100n,
    highWatermark: 100n,
    abortedTransactions: [],
    ...rest,
  };
}

/** Accepts returned memory and drops it. */
export const memory = { release: () => undefined };

/** Prints answers of one partition each. */
export async function print(chunks: readonly FetchedChunk[], options: Partial<PrintOptions> = {}) {
  let text = '';
  const sink = {
    write(chunk: Uint8Array) {
      text += Buffer.from(chunk).toString();
      return undefined;
    },
  };
  const format = compileFormat('%v ');
  const printer = openRecordPrinter(
    { format, limit: Number.POSITIVE_INFINITY, printControl: false, readCommitted: false, ...options },
    { sink, memory },
  );
  for (const chunk of chunks) await printer.print([chunk]);
  return { text: text.trim(), count: printer.count, isFull: printer.isFull };
}
