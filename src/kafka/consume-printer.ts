import { CliError, exitCodes } from '../errors.ts';
import type { FetchedChunk } from './consume-answer.ts';
import type { PartitionPosition } from './consume-position.ts';
import type { AbortedTransaction } from './protocol/fetch.ts';
import type { CompiledFormat } from './record-format.ts';
import { type Arena, createArena, takeBytes } from './records/arena.ts';
import { nextBatch, nextRecord, openRecords } from './records/batch-reader.ts';
import { CorruptRecordsError } from './records/corrupt.ts';
import {
  controlType,
  createCursor,
  exactBaseOffset,
  exactOffset,
  isControlBatch,
  isTransactional,
  offsetAfterBatch,
  offsetsAreSafe,
  type RecordCursor,
  recordOrigin,
} from './records/cursor.ts';

/** Where printed bytes go, with back-pressure. */
export interface PrintSink {
  /** Writes; the promise, when there is one, resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** How records are printed. */
export interface PrintOptions {
  readonly format: CompiledFormat;
  /** Records to print in all; Infinity for no limit. */
  readonly limit: number;
  readonly printControl: boolean;
  /** Leaves out the records of aborted transactions. */
  readonly readCommitted: boolean;
}

/** Prints fetched records, straight from the answer's bytes. */
export interface RecordPrinter {
  /** Prints what is wanted of a chunk; the position's `printed` follows what was handed to the sink. */
  print(chunk: FetchedChunk): Promise<void>;
  /** Records printed so far. */
  readonly count: number;
  /** The limit is reached. */
  readonly isFull: boolean;
}

/** Output waits in the arena up to this size, so that a stream is not bothered with every record. */
const flushBytes = 1 << 18;
/** A stream may keep a reference to smaller pieces without saying so; larger ones always make it ask for a pause. */
const copyBelowBytes = 1 << 17;

interface Printing {
  readonly options: PrintOptions;
  readonly sink: PrintSink;
  readonly cursor: RecordCursor;
  readonly arena: Arena;
  count: number;
  /** Bytes of the arena that are whole records. */
  whole: number;
}

/** A printer with an arena and a cursor of its own. */
export function createRecordPrinter(options: PrintOptions, sink: PrintSink): RecordPrinter {
  const printing: Printing = {
    ...{ options, sink, count: 0, whole: 0 },
    cursor: createCursor(),
    arena: createArena(flushBytes + (flushBytes >> 1)),
  };
  return {
    get count() {
      return printing.count;
    },
    get isFull() {
      return printing.count >= options.limit;
    },
    async print(chunk) {
      try {
        await printChunk(printing, chunk);
      } catch (error) {
        if (!(error instanceof CorruptRecordsError)) throw error;
        // What comes before it is whole, and is not kept back.
        printing.arena.length = printing.whole;
        await flush(printing);
        const { position } = chunk;
        if (error.baseOffset > position.printed) position.printed = error.baseOffset;
        throw corruptError(position, error);
      }
    },
  };
}

/** One chunk on its way to the sink. */
interface Walk {
  readonly chunk: FetchedChunk;
  readonly end: bigint | undefined;
  readonly aborted: AbortedFilter;
  /** The batch under the cursor is printed without looking at each offset. */
  isPlain: boolean;
  /** There is a batch under the cursor whose records are not all walked. */
  inBatch: boolean;
  /** Nothing behind the cursor is wanted. */
  ended: boolean;
}

async function printChunk(printing: Printing, chunk: FetchedChunk): Promise<void> {
  const { cursor } = printing;
  if (printing.count >= printing.options.limit) return;
  const { position, records } = chunk;
  openRecords(cursor, originOf(chunk), { bytes: records, start: 0, end: records.length });
  const walk: Walk = {
    ...{ chunk, end: position.end, aborted: abortedFilter(chunk.abortedTransactions) },
    ...{ isPlain: false, inBatch: false, ended: false },
  };
  for (;;) {
    const more = fillArena(printing, walk);
    await flush(printing);
    if (!more) break;
    position.printed = exactOffset(cursor) + 1n;
  }
  finishChunk(printing, walk);
  // Asking again would bring the same again, without end.
  if (chunk.to <= chunk.from) throw behindError(chunk);
}

/** Hands what is formatted to the sink, and waits for a slow reader. */
async function flush(printing: Printing): Promise<void> {
  const { arena, sink } = printing;
  if (arena.length === 0) return;
  printing.whole = 0;
  const bytes = takeBytes(arena);
  const caughtUp = sink.write(bytes.length < copyBelowBytes ? Buffer.from(bytes) : bytes);
  if (caughtUp !== undefined) await caughtUp;
}

/** What was read counts as printed up to the chunk's end, or up to where printing stopped. */
function finishChunk(printing: Printing, walk: Walk): void {
  const { chunk, end } = walk;
  const { position } = chunk;
  const stoppedInside = printing.count >= printing.options.limit && walk.inBatch;
  const reached = stoppedInside ? exactOffset(printing.cursor) + 1n : chunk.to;
  position.printed = end !== undefined && reached > end ? end : reached;
  if (end !== undefined && chunk.to >= end && !stoppedInside) position.done = true;
}

function originOf({ position, logStartOffset, lastStableOffset, highWatermark }: FetchedChunk) {
  const origin = position.origin;
  const marks = {
    logStart: markOf(logStartOffset),
    lastStable: markOf(lastStableOffset),
    highWatermark: markOf(highWatermark),
  };
  const isSame = origin.logStart === marks.logStart && origin.lastStable === marks.lastStable;
  if (isSame && origin.highWatermark === marks.highWatermark) return origin;
  position.origin = recordOrigin(position.topic, position.partition, marks);
  return position.origin;
}

/** A plain number where that is exact: formats write those faster. */
function markOf(offset: bigint): number | bigint {
  return offset <= Number.MAX_SAFE_INTEGER ? Number(offset) : offset;
}

/** Formats records until the arena is full enough (true) or the chunk, the limit or the end is reached (false). */
function fillArena(printing: Printing, walk: Walk): boolean {
  const { cursor, options, arena } = printing;
  if (options.limit <= printing.count) return false;
  for (;;) {
    if (!walk.inBatch && !openBatch(printing, walk)) return false;
    if (walk.isPlain) {
      while (nextRecord(cursor)) {
        options.format(cursor, arena);
        printing.count += 1;
        printing.whole = arena.length;
        if (arena.length >= flushBytes) return true;
      }
    } else if (fillChecked(printing, walk)) return true;
    if (walk.ended || (printing.count >= options.limit && walk.inBatch && !walk.isPlain)) return false;
    walk.inBatch = false;
  }
}

/** The same where offsets, the limit or the end have to be looked at for every record. */
function fillChecked(printing: Printing, walk: Walk): boolean {
  const { cursor, options, arena } = printing;
  const { from } = walk.chunk;
  while (printing.count < options.limit && nextRecord(cursor)) {
    const offset = exactOffset(cursor);
    if (offset < from) continue;
    if (walk.end !== undefined && offset >= walk.end) {
      walk.ended = true;
      return false;
    }
    options.format(cursor, arena);
    printing.count += 1;
    printing.whole = arena.length;
    if (arena.length >= flushBytes) return true;
  }
  return false;
}

/** Goes to the next batch that has something to print; false when there is none. */
function openBatch(printing: Printing, walk: Walk): boolean {
  const { cursor, options } = printing;
  const { chunk, end, aborted } = walk;
  while (printing.count < options.limit && nextBatch(cursor)) {
    // Message sets know their offsets only record by record.
    const isBatch = cursor.magic === 2;
    if (isBatch && offsetAfterBatch(cursor) <= chunk.from) continue;
    if (end !== undefined && isBatch && exactBaseOffset(cursor) >= end) return false;
    if (isControlBatch(cursor)) {
      if (options.readCommitted) aborted.close(cursor);
      if (!options.printControl) continue;
    } else if (options.readCommitted && aborted.covers(cursor)) continue;
    walk.inBatch = true;
    walk.isPlain = isBatch && isWanted(printing, walk);
    return true;
  }
  return false;
}

/** Whether every record of the batch is to be printed. */
function isWanted({ cursor, count, options }: Printing, { chunk, end }: Walk): boolean {
  return (
    offsetsAreSafe(cursor) &&
    exactBaseOffset(cursor) >= chunk.from &&
    (end === undefined || offsetAfterBatch(cursor) <= end) &&
    count + cursor.recordCount < options.limit &&
    !(isControlBatch(cursor) && options.readCommitted)
  );
}

interface AbortedFilter {
  /** Whether the batch belongs to an aborted transaction. */
  covers(cursor: RecordCursor): boolean;
  /** Takes in the marker that ends a transaction. */
  close(cursor: RecordCursor): void;
}

/** The list of aborted transactions in a Fetch answer, applied batch by batch in order (KIP-98). */
function abortedFilter(transactions: readonly AbortedTransaction[]): AbortedFilter {
  const waiting = [...transactions].sort((left, right) => (left.firstOffset < right.firstOffset ? -1 : 1));
  const open = new Set<number>();
  return {
    covers(cursor) {
      if (!isTransactional(cursor)) return false;
      const after = offsetAfterBatch(cursor);
      while (waiting[0] !== undefined && waiting[0].firstOffset < after) {
        open.add(Number(waiting.shift()?.producerId));
      }
      return open.has(cursor.producerId);
    },
    close(cursor) {
      const { at, recordsLeft, opened } = cursor;
      if (nextRecord(cursor) && controlType(cursor) === 'abort') open.delete(cursor.producerId);
      // As before the look, in case the marker is printed.
      Object.assign(cursor, { at, recordsLeft, opened });
    },
  };
}

function behindError({ position: { topic, partition }, from }: FetchedChunk): CliError {
  const reason = 'the broker sent only batches that end before it';
  return new CliError(
    exitCodes.failure,
    `unable to read topic "${topic}" partition ${partition} at offset ${from}: ${reason}`,
    {
      code: 'CORRUPT_MESSAGE',
      target: topic,
    },
  );
}

function corruptError(position: PartitionPosition, error: CorruptRecordsError): CliError {
  const place = `topic "${position.topic}" partition ${position.partition} at offset ${error.baseOffset}`;
  return new CliError(exitCodes.failure, `unable to read ${place}: ${error.reason}`, {
    code: 'CORRUPT_MESSAGE',
    target: position.topic,
    hints: [`read on behind it with -p ${position.partition} -o OFFSET`],
    cause: error,
  });
}
