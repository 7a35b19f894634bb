import { availableParallelism } from 'node:os';
import { CliError, exitCodes } from '../../errors.ts';
import type { CompiledFormat } from '../record-language/format.ts';
import { type FormatSource, isStateless } from '../record-language/format-source.ts';
import type { FetchedChunk } from './answer.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { PartitionPosition } from './position.ts';
import { createWalker, type Damage, type Piece, type WalkedRecords, type Walker } from './walk.ts';
import type { ThreadOptions } from './walk-messages.ts';
import type { WalkThread } from './walk-thread.ts';

/** Where printed bytes go, with back-pressure. */
export interface PrintSink {
  /** Writes; the promise, when there is one, resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** How records are printed. */
export interface PrintOptions {
  readonly format: CompiledFormat;
  /** What the format is compiled from, so that a thread can compile it as well; without it no thread is used. */
  readonly formatSource?: FormatSource | undefined;
  /** Records to print in all; Infinity for no limit. */
  readonly limit: number;
  readonly printControl: boolean;
  /** Leaves out the records of aborted transactions. */
  readonly readCommitted: boolean;
}

/** Prints fetched records, straight from the answer's bytes. */
export interface RecordPrinter {
  /** Says how many records are still to come, as far as is known: for many, a thread is started. */
  expect(records: bigint): void;
  /** Prints what is wanted of one answer; the positions' `printed` follows what was handed to the sink. */
  print(chunks: readonly FetchedChunk[]): Promise<void>;
  /** Records printed so far. */
  readonly count: number;
  /** The limit is reached. */
  readonly isFull: boolean;
  /** Prints no more; resolves when the piece that is being written is written, and counted as printed. Never rejects. */
  close(): Promise<void>;
}

/** What a printer works with. */
export interface PrintTools {
  readonly sink: PrintSink;
  /** Gets the memory of answers back. */
  readonly memory: Pick<AnswerMemory, 'release'>;
  /** Starts a thread that walks records (default: a worker thread, if the machine has a second processor). */
  readonly startThread?: StartThread | undefined;
  /** Does what has become due before each piece; meanwhile nothing is printed. It may revoke positions. */
  readonly interlude?: (() => Promise<void> | undefined) | undefined;
}

/** Starts a thread; resolves before the thread is ready. */
export type StartThread = (options: ThreadOptions) => Promise<WalkThread>;

/** Output waits up to this size, so that a stream is not bothered with every record; larger where threads hand it over. */
const pieceBytes = 1 << 18;
const threadPieceBytes = 1 << 20;
/** A stream may keep a reference to smaller pieces without saying so; larger ones always make it ask for a pause. */
const copyBelowBytes = 1 << 17;
/** More than this takes about as long to print, with code that is not compiled yet, as a thread takes to start. */
const shortBytes = 2 << 20;
/** So many records take as long as a thread takes to start and to warm up. */
const manyRecords = 500_000;

interface Printing {
  readonly options: PrintOptions;
  readonly tools: PrintTools;
  readonly walker: Walker;
  count: number;
  /** A thread was asked for. */
  hasStarted: boolean;
  /** The thread while it is not ready yet. */
  starting: WalkThread | undefined;
  /** Settled when the thread is ready or has failed to start. */
  startingEnds: Promise<void> | undefined;
  /** It is ready; undefined as long as this thread does it all. */
  thread: WalkThread | undefined;
  /** Settled when nothing is being written. */
  writing: Promise<void>;
  isClosed: boolean;
}

/** A printer with a walker of its own. */
export function createRecordPrinter(options: PrintOptions, tools: PrintTools): RecordPrinter {
  const { printControl, readCommitted, format } = options;
  const walker = createWalker({ format, printControl, readCommitted, pieceBytes });
  const printing: Printing = {
    ...{ options, tools, walker, count: 0, hasStarted: false, starting: undefined, startingEnds: undefined },
    ...{ thread: undefined, writing: Promise.resolve(), isClosed: false },
  };
  return {
    get count() {
      return printing.count;
    },
    get isFull() {
      return printing.count >= options.limit;
    },
    expect: (records) => expectRecords(printing, records),
    async print(chunks) {
      const memory = chunks[0]?.records.buffer;
      if (printing.count >= options.limit || memory === undefined) return;
      // Only a short first output is worth compiling the format in this thread, too: anything else waits for the thread.
      if (printing.count > 0 || sizeOf(chunks) > shortBytes) await printing.startingEnds;
      const { thread } = printing;
      // Shared memory cannot be transferred to another thread.
      if (thread === undefined || !(memory instanceof ArrayBuffer)) {
        await printHere(printing, chunks);
        tools.memory.release(memory);
      } else await printThere(printing, thread, { chunks, memory });
      expectRecords(
        printing,
        chunks.reduce((sum, chunk) => sum + recordsBehind(chunk), 0n),
      );
    },
    close() {
      printing.isClosed = true;
      printing.starting?.close();
      printing.starting = undefined;
      printing.thread?.close();
      return printing.writing.catch(() => undefined);
    },
  };
}

function sizeOf(chunks: readonly FetchedChunk[]): number {
  return chunks.reduce((sum, { records }) => sum + records.length, 0);
}

function recordsBehind({ position: { end }, to, highWatermark }: FetchedChunk): bigint {
  const until = end === undefined || end > highWatermark ? highWatermark : end;
  return until > to ? until - to : 0n;
}

function expectRecords(printing: Printing, records: bigint): void {
  const { hasStarted, isClosed, options, tools } = printing;
  const { formatSource: source, limit, printControl, readCommitted } = options;
  // A thread walks up to the limit, and cannot know of records that turn out to be another member's.
  const isCounted = limit < Number.POSITIVE_INFINITY && tools.interlude !== undefined;
  const isMany = records >= manyRecords && limit - printing.count >= manyRecords && !isCounted;
  if (!isMany || hasStarted || isClosed || source === undefined || !isStateless(source)) return;
  const start = tools.startThread ?? (availableParallelism() < 2 ? undefined : startWorker);
  if (start === undefined) return;
  printing.hasStarted = true;
  printing.startingEnds = prepareThread(
    printing,
    start({ source, printControl, readCommitted, pieceBytes: threadPieceBytes }),
  );
}

async function startWorker(options: ThreadOptions): Promise<WalkThread> {
  const { startWalkThread } = await import('./walk-thread.ts');
  return startWalkThread(options);
}

/** Hands over to a thread once it is ready. If it fails to start, this thread prints. Never rejects. */
async function prepareThread(printing: Printing, start: Promise<WalkThread>): Promise<void> {
  try {
    const thread = await start;
    if (printing.isClosed) return thread.close();
    printing.starting = thread;
    await thread.ready;
    printing.thread = printing.starting;
  } catch {
    printing.starting?.close();
  }
  printing.starting = undefined;
}

async function printHere(printing: Printing, chunks: readonly FetchedChunk[]): Promise<void> {
  const { options, walker } = printing;
  for (const chunk of chunks) {
    if (printing.count >= options.limit) break;
    for (const piece of walker.walk(walked(chunk), options.limit - printing.count)) {
      await take(printing, chunk, piece);
      // Lets the socket be read, so that the broker can go on sending.
      if (!piece.isLast) await nextTurn();
    }
  }
}

async function printThere(
  printing: Printing,
  thread: WalkThread,
  { chunks, memory }: { readonly chunks: readonly FetchedChunk[]; readonly memory: ArrayBuffer },
): Promise<void> {
  const { options, tools } = printing;
  const limit = options.limit - printing.count;
  const answer = { chunks: chunks.map(walked), memory, limit };
  tools.memory.release(await thread.walk(answer, (chunk, piece) => take(printing, chunk.chunk, piece)));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The chunk as a walker wants it. */
function walked(chunk: FetchedChunk): WalkedRecords & { readonly chunk: FetchedChunk } {
  const { topic, partition, end } = chunk.position;
  return { ...chunk, topic, partition, end, chunk };
}

/** Hands a piece to the sink, and waits for a slow reader. */
async function take(printing: Printing, chunk: FetchedChunk, piece: Piece): Promise<void> {
  const due = printing.tools.interlude?.();
  if (due !== undefined) await due;
  if (chunk.position.isRevoked) return;
  // A commit of what was printed so far may already be under way.
  if (printing.isClosed) throw new Error('the printer is closed');
  printing.writing = write(printing, chunk, piece);
  await printing.writing;
}

async function write(printing: Printing, chunk: FetchedChunk, piece: Piece): Promise<void> {
  const { bytes, count, reached, isLast, isCut, damage } = piece;
  if (bytes.length > 0) {
    const caughtUp = printing.tools.sink.write(bytes.length < copyBelowBytes ? Buffer.from(bytes) : bytes);
    if (caughtUp !== undefined) await caughtUp;
  }
  printing.count += count;
  const { position } = chunk;
  if (damage === undefined || reached > position.printed) position.printed = reached;
  if (damage !== undefined) throw corruptError(position, damage);
  if (!isLast) return;
  if (position.end !== undefined && chunk.to >= position.end && !isCut) position.done = true;
  // Asking again would return the same records for ever.
  if (chunk.to <= chunk.from) throw behindError(chunk);
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

function corruptError(position: PartitionPosition, damage: Damage): CliError {
  const place = `topic "${position.topic}" partition ${position.partition} at offset ${damage.baseOffset}`;
  return new CliError(exitCodes.failure, `unable to read ${place}: ${damage.reason}`, {
    code: 'CORRUPT_MESSAGE',
    target: position.topic,
    hints: [`continue after it with -p ${position.partition} -o OFFSET`],
  });
}
