import { availableParallelism } from 'node:os';
import { nextTurn } from '../../../clock.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import type { SchemaName } from '../../../serde/wire-format.ts';
import type { FilterSource, RecordFilter } from '../../records/filter/filter.ts';
import type { DecodeOptions } from '../../records/language/decode-options.ts';
import type { RecordDecoding, UndecodedRecords } from '../../records/language/decoding.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import { type FormatSource, isStateless } from '../../records/language/format-source.ts';
import type { FetchedChunk } from './answer.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { PartitionPosition } from './position.ts';
import { createWalker, type WalkedRecords, type Walker } from './walk.ts';
import type { ThreadOptions } from './walk-messages.ts';
import type { Damage, Piece, Sifted } from './walk-piece.ts';
import type { FetchSchema, WalkThread } from './walk-thread.ts';

/** The destination of printed bytes, with back-pressure. */
export interface PrintSink {
  /** Writes a chunk; if it returns a promise, that resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** The options of a printer. */
export interface PrintOptions {
  readonly format: CompiledFormat;
  /** The source of the format, so that a thread can compile it as well; without it, no thread is used. */
  readonly formatSource?: FormatSource | undefined;
  /** How the keys or values are decoded that the format prints. */
  readonly decode?: PrintDecoding | undefined;
  /** Which of the records are printed; undefined: all. */
  readonly filter?: PrintFilter | undefined;
  /** The number of records to print in total; Infinity for no limit. */
  readonly limit: number;
  readonly printControl: boolean;
  /** Leaves out the records of aborted transactions. */
  readonly readCommitted: boolean;
}

/** Decoding with schemas of a registry. */
export interface PrintDecoding {
  readonly options: DecodeOptions;
  /** The decoding of the main thread. */
  readonly decoding: RecordDecoding;
  readonly fetchSchema: FetchSchema;
  /** Called with the records of a piece that could not be decoded. */
  onUndecoded(records: UndecodedRecords): void;
}

/** Printing only what matches. */
export interface PrintFilter {
  readonly source: FilterSource;
  /** The filter of the main thread. */
  readonly filter: RecordFilter;
  /** Called with what the filter did for each piece that was printed. */
  onSifted(sifted: Sifted): void;
}

/** Prints fetched records directly from the bytes of the answer. */
export interface RecordPrinter {
  /** Announces how many records are still expected; for many records, the printer starts a thread. */
  expect(records: bigint): void;
  /** Prints the wanted records of one answer; `printed` of the positions follows what the sink has accepted. */
  print(chunks: readonly FetchedChunk[]): Promise<void>;
  /** Records printed so far. */
  readonly count: number;
  /** Whether the limit is reached. */
  readonly isFull: boolean;
  /** Stops printing; resolves when the piece being written is written and counted as printed. Never rejects. */
  close(): Promise<void>;
}

/** The resources and callbacks of a printer. */
export interface PrintTools {
  readonly sink: PrintSink;
  /** Takes back the memory of answers. */
  readonly memory: Pick<AnswerMemory, 'release'>;
  /** Starts a thread that walks records (default: a worker thread, if the machine has a second processor). */
  readonly startThread?: StartThread | undefined;
  /** Called before each piece to run what is due; printing waits for it. It may revoke positions. */
  readonly interlude?: (() => Promise<void> | undefined) | undefined;
}

/** Starts a walk thread; resolves before the thread is ready. */
export type StartThread = (options: ThreadOptions) => Promise<WalkThread>;

/** The sizes at which buffered output is written, by the main thread and by a walk thread, in bytes. */
const pieceBytes = 1 << 18;
const threadPieceBytes = 1 << 20;
/** Pieces below this size, in bytes, are copied: a stream may keep a reference to them without asking for a pause. */
const copyBelowBytes = 1 << 17;
/** More bytes than this take about as long to print, with code that is not yet compiled, as a thread takes to start. */
const shortBytes = 2 << 20;
/** The number of records that take as long as a thread takes to start and warm up. */
const manyRecords = 500_000;
/** The records that a filter looks at one by one before a thread is started: what it skips in batches is quick. */
const manyLooks = 50_000;

interface Printing {
  readonly options: PrintOptions;
  readonly tools: PrintTools;
  readonly walker: Walker;
  count: number;
  /** The records that the filter has looked at one by one. */
  looks: number;
  /** Whether a thread was requested. */
  hasStarted: boolean;
  /** The thread while it is not ready yet. */
  starting: WalkThread | undefined;
  /** Settles when the thread is ready or has failed to start. */
  startingEnds: Promise<void> | undefined;
  /** The thread once it is ready. */
  thread: WalkThread | undefined;
  /** Settles when nothing is being written. */
  writing: Promise<void>;
  isClosed: boolean;
}

/** Opens a printer with its own walker. */
export function openRecordPrinter(options: PrintOptions, tools: PrintTools): RecordPrinter {
  const { printControl, readCommitted, format, decode, filter } = options;
  const walker = createWalker({
    format,
    decoding: decode?.decoding,
    filter: filter?.filter,
    printControl,
    readCommitted,
    pieceBytes,
  });
  const printing: Printing = {
    options,
    tools,
    walker,
    count: 0,
    looks: 0,
    hasStarted: false,
    starting: undefined,
    startingEnds: undefined,
    thread: undefined,
    writing: Promise.resolve(),
    isClosed: false,
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
      // Only a short first output is worth compiling the format in the main thread as well; the rest waits for the thread.
      // With a filter little is formatted, and much is done before the thread has started.
      const waits = options.filter === undefined && (printing.count > 0 || sizeOf(chunks) > shortBytes);
      if (waits) await printing.startingEnds;
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
  const { formatSource: source, limit, printControl, readCommitted, decode, filter } = options;
  // With a limit, the thread would also count records that turn out to belong to another member.
  const isCounted = limit < Number.POSITIVE_INFINITY && tools.interlude !== undefined;
  const isWorth = filter === undefined ? limit - printing.count >= manyRecords : printing.looks >= manyLooks;
  const isMany = records >= manyRecords && !isCounted && isWorth;
  if (!isMany || hasStarted || isClosed || source === undefined || !isStateless(source)) return;
  const start = tools.startThread ?? (availableParallelism() < 2 ? undefined : startWorker);
  if (start === undefined) return;
  printing.hasStarted = true;
  printing.startingEnds = prepareThread(
    printing,
    start({
      source,
      decode: decode?.options,
      conditions: filter?.source,
      printControl,
      readCommitted,
      pieceBytes: threadPieceBytes,
    }),
  );
}

async function startWorker(options: ThreadOptions): Promise<WalkThread> {
  const { startWalkThread } = await import('./walk-thread.ts');
  return startWalkThread(options);
}

/** Switches to the thread once it is ready; the main thread prints if it fails to start. Never rejects. */
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
      if (piece.missing !== undefined) await learn(options.decode, piece.missing);
      // Let the event loop read the socket, so that the broker can continue to send.
      if (!piece.isLast) await nextTurn();
    }
  }
}

async function learn(decode: PrintDecoding | undefined, schema: SchemaName): Promise<void> {
  await decode?.decoding.learn(schema, await decode.fetchSchema(schema));
}

async function printThere(
  printing: Printing,
  thread: WalkThread,
  { chunks, memory }: { readonly chunks: readonly FetchedChunk[]; readonly memory: ArrayBuffer },
): Promise<void> {
  const { options, tools } = printing;
  const limit = options.limit - printing.count;
  const answer = { chunks: chunks.map(walked), memory, limit, fetchSchema: options.decode?.fetchSchema };
  tools.memory.release(await thread.walk(answer, (chunk, piece) => take(printing, chunk.chunk, piece)));
}

/** Converts a chunk to the form that walkers take. */
function walked(chunk: FetchedChunk): WalkedRecords & { readonly chunk: FetchedChunk } {
  const { topic, partition, end } = chunk.position;
  return { ...chunk, topic, partition, end, chunk };
}

/** Writes a piece to the sink, and waits for a slow reader. */
async function take(printing: Printing, chunk: FetchedChunk, piece: Piece): Promise<void> {
  const due = printing.tools.interlude?.();
  if (due !== undefined) await due;
  if (chunk.position.isRevoked) return;
  // A commit of the offsets printed so far may already be in progress.
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
  report(printing, piece);
  const { position } = chunk;
  // If the log turned out to be cut meanwhile, the position has moved to where reading continues.
  const isCurrent = chunk.jumps === position.jumps;
  if (isCurrent && (damage === undefined || reached > position.printed)) position.printed = reached;
  if (damage !== undefined) throw corruptError(position, damage);
  if (!isLast || !isCurrent) return;
  if (position.end !== undefined && chunk.to >= position.end && !isCut) position.done = true;
  // Another request would return the same records again.
  if (chunk.to <= chunk.from) throw behindError(chunk);
}

/** Reports what was filtered and could not be decoded. */
function report(printing: Printing, { sifted, undecoded }: Piece): void {
  const { filter, decode } = printing.options;
  if (undecoded !== undefined) decode?.onUndecoded(undecoded);
  if (sifted === undefined) return;
  printing.looks += sifted.tested + sifted.refuted;
  filter?.onSifted(sifted);
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
  if (damage.isUndecodable === true) return undecodableError(position, damage);
  const place = `topic "${position.topic}" partition ${position.partition} at offset ${damage.baseOffset}`;
  return new CliError(exitCodes.failure, `unable to read ${place}: ${damage.reason}`, {
    code: 'CORRUPT_MESSAGE',
    target: position.topic,
    hints: [`continue after it with -p ${position.partition} -o OFFSET`],
  });
}

function undecodableError({ topic }: PartitionPosition, { reason }: Damage): CliError {
  return new CliError(exitCodes.failure, `unable to decode ${reason}`, {
    code: 'UNDECODABLE_RECORD',
    target: topic,
    hints: ['print its bytes with --on-decode-error raw, or leave such records out with --on-decode-error skip'],
  });
}
