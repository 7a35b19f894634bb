import { nextTurn } from '../../../clock.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import type { SchemaName } from '../../../serde/wire-format.ts';
import type { RecordFilter } from '../../records/filter/filter.ts';
import type { FetchSchema, RecordDecoding, UndecodedRecords } from '../../records/language/decoding.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import type { FetchedChunk } from './answer.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { PartitionPosition } from './position.ts';
import { createWalker, type Walker } from './walk.ts';
import type { Damage, Piece, Sifted } from './walk-piece.ts';

/** The destination of printed bytes, with back-pressure. */
export interface PrintSink {
  /** Writes a chunk; if it returns a promise, that resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** The options of a printer. */
export interface PrintOptions {
  readonly format: CompiledFormat;
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
  readonly decoding: RecordDecoding;
  readonly fetchSchema: FetchSchema;
  /** Called with the records of a piece that could not be decoded. */
  onUndecoded(records: UndecodedRecords): void;
}

/** Printing only what matches. */
export interface PrintFilter {
  readonly filter: RecordFilter;
  /** Called with what the filter did for each piece that was printed. */
  onSifted(sifted: Sifted): void;
}

/** Prints fetched records directly from the bytes of the answer. */
export interface RecordPrinter {
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
  /** Called before each piece to run what is due; printing waits for it. It may revoke positions. */
  readonly interlude?: (() => Promise<void> | undefined) | undefined;
}

/** The size at which buffered output is written, in bytes. */
const pieceBytes = 1 << 18;
/** Pieces below this size, in bytes, are copied: a stream may keep a reference to them without asking for a pause. */
const copyBelowBytes = 1 << 17;

interface Printing {
  readonly options: PrintOptions;
  readonly tools: PrintTools;
  readonly walker: Walker;
  count: number;
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
    async print(chunks) {
      const memory = chunks[0]?.records.buffer;
      if (printing.count >= options.limit || memory === undefined) return;
      await printAll(printing, chunks);
      tools.memory.release(memory);
    },
    close() {
      printing.isClosed = true;
      return printing.writing.catch(() => undefined);
    },
  };
}

async function printAll(printing: Printing, chunks: readonly FetchedChunk[]): Promise<void> {
  const { options, walker } = printing;
  for (const chunk of chunks) {
    if (printing.count >= options.limit) break;
    const { topic, partition, end } = chunk.position;
    for (const piece of walker.walk({ ...chunk, topic, partition, end }, options.limit - printing.count)) {
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
  if (sifted !== undefined) filter?.onSifted(sifted);
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
