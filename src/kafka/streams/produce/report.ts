import { createArena, takeBytes } from '../../../bytes/arena.ts';
import { nextBatch, nextRecord, openRecords, openUnpacked } from '../../records/batches/batch-reader.ts';
import { writeAppendTime, writeBaseOffset } from '../../records/batches/batch-writer.ts';
import { createCursor, recordOrigin } from '../../records/batches/cursor.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import type { Batch } from './lane.ts';
import type { ReportSink } from './request.ts';

/** Prints written records in the order in which the brokers acknowledged them. */
export interface Reporter {
  /**
   * Takes a delivered batch that starts at this offset; -1 if the broker did not report it (`--acks 0`, or a batch that
   * was found in the log). `logAppendTimeMs` replaces the timestamps unless it is -1. `release` is called when the
   * memory of the batch is free again.
   */
  report(batch: Batch, baseOffset: bigint, logAppendTimeMs: bigint): void;
  /** The number of batches that are delivered but not printed. */
  readonly waiting: number;
  /** Resolves when everything taken so far is printed. */
  flush(): Promise<void>;
  /** The first failure of the sink or of formatting; undefined for none. */
  readonly failure: unknown;
}

/** The options of a reporter. */
export interface ReporterOptions {
  /** The format of a record; undefined to print nothing. */
  readonly format: CompiledFormat | undefined;
  readonly sink: ReportSink;
  release(batch: Batch): void;
}

/**
 * Chunks below this size in bytes are copied, since a stream may keep a reference to them without asking for a pause;
 * for larger ones it always asks.
 */
const copyBelowBytes = 1 << 17;
const flushBytes = 1 << 18;

/** Creates a reporter that reads the records from the memory of their writer. */
export function createReporter({ format, sink, release }: ReporterOptions): Reporter {
  const cursor = createCursor({ checkCrc: false });
  const arena = createArena();
  const queue: Batch[] = [];
  let running: Promise<void> | undefined;
  let failure: unknown;

  async function writeArena(): Promise<void> {
    const bytes = takeBytes(arena);
    const caughtUp = sink.write(bytes.length < copyBelowBytes ? Buffer.from(bytes) : bytes);
    if (caughtUp !== undefined) await caughtUp;
  }
  async function print(batch: Batch, print: CompiledFormat): Promise<void> {
    const { bytes, lane } = batch;
    openRecords(cursor, recordOrigin(lane.topic, lane.partition), { bytes, start: 0, end: bytes.length });
    while (nextBatch(cursor)) {
      openUnpacked(cursor, batch.writer.records);
      while (nextRecord(cursor)) {
        print(cursor, arena);
        if (arena.length >= flushBytes) await writeArena();
      }
    }
    if (arena.length > 0) await writeArena();
  }
  async function run(format: CompiledFormat): Promise<void> {
    try {
      for (let batch = queue[0]; batch !== undefined; batch = queue[0]) {
        await print(batch, format);
        queue.shift();
        release(batch);
      }
    } catch (error) {
      failure ??= error;
    }
    running = undefined;
  }

  return {
    report(batch, baseOffset, logAppendTimeMs) {
      if (format === undefined) return release(batch);
      writeBaseOffset(batch.bytes, baseOffset);
      if (logAppendTimeMs >= 0n) writeAppendTime(batch.bytes, logAppendTimeMs);
      queue.push(batch);
      running ??= run(format);
    },
    get waiting() {
      return queue.length;
    },
    async flush() {
      while (running !== undefined) await running;
      if (failure !== undefined) throw failure;
    },
    get failure() {
      return failure;
    },
  };
}
