import type { Context } from '../../context.ts';
import { durationToMs } from '../../format/duration.ts';
import { compileFormat } from '../../kafka/records/language/format.ts';
import type { OffsetRange } from '../../kafka/streams/consume/offset-words.ts';
import type { Consumption } from '../../kafka/streams/consume/request.ts';

/** A record of the topic with the logs of transforms. */
export interface LogRecord {
  readonly offset: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** The name of the transform. */
  readonly key: string;
  readonly value: Buffer;
}

/** Each record with fixed lengths in front, so that it can be cut out of the bytes of a printer again. */
const layout = '%o{big64}%d{big64}%K{big32}%k%V{big32}%v';
const headBytes = 20;

/** What to read. */
export interface LogRange {
  readonly topic: string;
  readonly partition: number;
  readonly range: OffsetRange;
}

/** A read of records that can be stopped: it then ends after those that have arrived. */
export interface LogReading {
  readonly records: AsyncIterable<LogRecord>;
  stop(): void;
}

/** Resolves the offsets of a range; its records are read as they are taken. */
export async function readLogRecords(context: Context, { topic, partition, range }: LogRange): Promise<LogReading> {
  const [kafka, config] = await Promise.all([context.kafka(), context.config()]);
  const consumption = await kafka.consume({
    topics: [topic],
    regex: false,
    partitions: [partition],
    range,
    limit: Number.POSITIVE_INFINITY,
    group: undefined,
    format: compileFormat(layout),
    readCommitted: false,
    printControl: false,
    fetchMaxBytes: 8 << 20,
    fetchMaxPartitionBytes: 4 << 20,
    rack: '',
    fetchMaxWaitMs: durationToMs(config.get('globals.fetch_max_wait')),
    warn: (line) => context.warn(line),
    onPrinted: () => undefined,
  });
  return { records: recordsOf(consumption), stop: consumption.stop };
}

/** Pumps into a queue; the consumption waits until its records are taken. */
async function* recordsOf(consumption: Consumption): AsyncGenerator<LogRecord> {
  let [left, changed, drained]: [Buffer, PromiseWithResolvers<void>, () => void] = [
    Buffer.alloc(0),
    Promise.withResolvers<void>(),
    () => undefined,
  ];
  let outcome: { readonly error?: unknown } | undefined;
  const queue: LogRecord[] = [];
  const end = (how: { readonly error?: unknown }): void => {
    outcome = how;
    changed.resolve();
  };
  const pumping = consumption
    .pump({
      write(chunk) {
        left = cutRecords(Buffer.concat([left, chunk]), queue);
        changed.resolve();
        return new Promise((resolve) => {
          drained = resolve;
        });
      },
    })
    .then(
      () => end({}),
      (error: unknown) => end({ error }),
    );
  try {
    for (;;) {
      for (let record = queue.shift(); record !== undefined; record = queue.shift()) yield record;
      if (outcome !== undefined) break;
      changed = Promise.withResolvers();
      drained();
      await changed.promise;
    }
    if ('error' in outcome) throw outcome.error;
  } finally {
    consumption.stop();
    drained();
    await pumping;
  }
}

/** Adds the whole records at the start of some bytes to a list, and returns the rest. */
export function cutRecords(bytes: Buffer, records: LogRecord[]): Buffer {
  let at = 0;
  while (bytes.length - at >= headBytes) {
    const keyAt = at + headBytes;
    const valueAt = keyAt + bytes.readUInt32BE(keyAt - 4) + 4;
    if (bytes.length < valueAt) break;
    const end = valueAt + bytes.readUInt32BE(valueAt - 4);
    if (bytes.length < end) break;
    records.push({
      offset: bytes.readBigInt64BE(at),
      timestamp: Number(bytes.readBigInt64BE(at + 8)),
      key: bytes.toString('utf8', keyAt, valueAt - 4),
      // A copy: the printer uses its memory again.
      value: Buffer.from(bytes.subarray(valueAt, end)),
    });
    at = end;
  }
  return Buffer.from(bytes.subarray(at));
}
