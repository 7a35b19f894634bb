import { type Arena, createArena } from '../../../bytes/arena.ts';
import type { SchemaName } from '../../../serde/wire-format.ts';
import { nextBatch, nextRecord, openRecords } from '../../records/batches/batch-reader.ts';
import { CorruptRecordsError } from '../../records/batches/corrupt.ts';
import {
  createCursor,
  exactBaseOffset,
  exactOffset,
  isControlBatch,
  offsetAfterBatch,
  offsetsAreSafe,
  type RecordCursor,
  type RecordOrigin,
  recordOrigin,
} from '../../records/batches/cursor.ts';
import type { RecordFilter } from '../../records/filter/filter.ts';
import { MissingSchemaError, type RecordDecoding, UndecodableError } from '../../records/language/decoding.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import { type AbortedFilter, type AbortedTransaction, abortedFilter } from './aborted-transactions.ts';
import {
  beginBatch,
  countRecord,
  createSifter,
  isBusy,
  nextCandidate,
  type Sifter,
  takeSifted,
  takes,
} from './sift.ts';
import type { Damage, Piece } from './walk-piece.ts';

/** Which records to format, and how. */
export interface WalkOptions {
  readonly format: CompiledFormat;
  /** Decodes the records that `format` prints. */
  readonly decoding?: RecordDecoding | undefined;
  /** Leaves out the records that do not match. */
  readonly filter?: RecordFilter | undefined;
  readonly printControl: boolean;
  /** Leaves out the records of aborted transactions. */
  readonly readCommitted: boolean;
  /** A piece ends after the record that makes it this long, in bytes. */
  readonly pieceBytes: number;
}

/** Records of one partition as a broker sent them. */
export interface WalkedRecords {
  readonly topic: string;
  readonly partition: number;
  readonly records: Buffer;
  /** Records below this offset were not asked for; brokers send whole batches. */
  readonly from: bigint;
  /** The offset after these records. */
  readonly to: bigint;
  /** The end offset, exclusive; undefined for no end. */
  readonly end: bigint | undefined;
  readonly logStartOffset: bigint;
  readonly lastStableOffset: bigint;
  readonly highWatermark: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
}

/** Formats records in pieces. */
export interface Walker {
  /** Walks records in order, at most `limit` of them; the last piece has `isLast` set. */
  walk(chunk: WalkedRecords, limit: number): Generator<Piece, void>;
}

interface Walking {
  readonly options: WalkOptions;
  readonly cursor: RecordCursor;
  readonly arena: Arena;
  readonly sifter: Sifter | undefined;
}

/** The state of walking one chunk. */
interface Walk {
  readonly chunk: WalkedRecords;
  readonly aborted: AbortedFilter;
  readonly limit: number;
  /** Records formatted so far. */
  count: number;
  /** The length of the complete records in the arena, in bytes. */
  whole: number;
  /** Whether every record of the batch under the cursor was asked for, so that no offset is checked. */
  isPlain: boolean;
  /** Whether the batch under the cursor has records left to walk. */
  inBatch: boolean;
  /** Whether no record after the cursor is wanted. */
  ended: boolean;
  /** Whether the record under the cursor waits for its schema. */
  isPending: boolean;
}

/** Creates a walker with its own arena and cursor. */
export function createWalker(options: WalkOptions): Walker {
  const arena = createArena(options.pieceBytes + (options.pieceBytes >> 1));
  const { filter, decoding } = options;
  const sifter = filter === undefined ? undefined : createSifter(filter, decoding);
  const walking: Walking = { options, arena, cursor: createCursor(), sifter };
  const origins = new Map<string, RecordOrigin>();
  return { walk: (chunk, limit) => walk(walking, chunk, { limit, origin: originOf(origins, chunk) }) };
}

function* walk(
  walking: Walking,
  chunk: WalkedRecords,
  { limit, origin }: { readonly limit: number; readonly origin: RecordOrigin },
): Generator<Piece, void> {
  const { cursor, arena } = walking;
  openRecords(cursor, origin, { bytes: chunk.records, start: 0, end: chunk.records.length });
  const state: Walk = {
    chunk,
    limit,
    aborted: abortedFilter(chunk.abortedTransactions),
    count: 0,
    whole: 0,
    isPlain: false,
    inBatch: false,
    ended: false,
    isPending: false,
  };
  for (let isLast = false; !isLast; ) {
    const before = state.count;
    const outcome = fillOrFail(walking, state);
    const missing = typeof outcome === 'object' && 'missing' in outcome ? outcome.missing : undefined;
    isLast = outcome !== true && missing === undefined;
    const damage = typeof outcome === 'object' && 'reason' in outcome ? outcome : undefined;
    yield pieceOf(walking, state, { before, isLast, damage, missing });
    arena.length = 0;
    state.whole = 0;
  }
}

/** Fills the arena; on damage, keeps the complete records before it. */
function fillOrFail(walking: Walking, state: Walk): boolean | Damage | { readonly missing: SchemaName } {
  try {
    return fillArena(walking, state);
  } catch (error) {
    walking.arena.length = state.whole;
    if (error instanceof MissingSchemaError) return { missing: error.schema };
    if (error instanceof UndecodableError) {
      return { baseOffset: exactOffset(walking.cursor), reason: error.message, isUndecodable: true };
    }
    if (!(error instanceof CorruptRecordsError)) throw error;
    return { baseOffset: error.baseOffset, reason: error.reason };
  }
}

interface PieceEnd {
  /** The records before the piece. */
  readonly before: number;
  readonly isLast: boolean;
  readonly damage: Damage | undefined;
  readonly missing: SchemaName | undefined;
}

function pieceOf(
  { cursor, arena, options, sifter }: Walking,
  state: Walk,
  { before, isLast, damage, missing }: PieceEnd,
): Piece {
  const { chunk, limit, inBatch, count } = state;
  const isCut = isLast && damage === undefined && count >= limit && inBatch;
  const bytes = arena.bytes.subarray(0, arena.length);
  const undecoded = options.decoding?.takeUndecoded();
  const sifted = sifter && takeSifted(sifter);
  return { bytes, count: count - before, isLast, isCut, damage, missing, undecoded, sifted, reached: reachedBy() };

  function reachedBy(): bigint {
    if (damage !== undefined) return damage.baseOffset;
    if (missing !== undefined) return exactOffset(cursor);
    if (!isLast || isCut) return exactOffset(cursor) + 1n;
    return chunk.end !== undefined && chunk.to > chunk.end ? chunk.end : chunk.to;
  }
}

/** Returns the same object as long as the marks are unchanged, so that formats can cache values derived from it. */
function originOf(origins: Map<string, RecordOrigin>, chunk: WalkedRecords): RecordOrigin {
  const name = `${chunk.topic}/${chunk.partition}`;
  const marks = {
    logStart: markOf(chunk.logStartOffset),
    lastStable: markOf(chunk.lastStableOffset),
    highWatermark: markOf(chunk.highWatermark),
  };
  const last = origins.get(name);
  const isSame = last?.logStart === marks.logStart && last.lastStable === marks.lastStable;
  if (last !== undefined && isSame && last.highWatermark === marks.highWatermark) return last;
  const origin = recordOrigin(chunk.topic, chunk.partition, marks);
  origins.set(name, origin);
  return origin;
}

/** Converts an offset to a number if that is exact, because formats write numbers faster. */
function markOf(offset: bigint): number | bigint {
  return offset <= Number.MAX_SAFE_INTEGER ? Number(offset) : offset;
}

/** Formats records until the piece is large enough (true), or until the records end or a limit is reached (false). */
function fillArena(walking: Walking, state: Walk): boolean {
  if (state.limit <= state.count) return false;
  for (;;) {
    if (!state.inBatch && !openBatch(walking, state)) return false;
    if (fillFromBatch(walking, state)) return true;
    if (state.ended || (state.count >= state.limit && state.inBatch)) return false;
    state.inBatch = false;
  }
}

/** Formats the records of the batch under the cursor that are printed; true if the piece is large enough. */
function fillFromBatch(walking: Walking, state: Walk): boolean {
  const { cursor, options, arena, sifter } = walking;
  const { format, pieceBytes } = options;
  const isAll = state.isPlain && sifter === undefined && options.decoding === undefined;
  if (isAll && state.count + cursor.recordCount < state.limit) return fillWithAll(walking, state);
  while (state.count < state.limit && (state.isPending || nextInBatch(walking, state))) {
    // If its schema is not known yet, the record is opened again when it is.
    state.isPending = true;
    const isTaken = isPrinted(walking);
    state.isPending = false;
    if (isTaken) {
      format(cursor, arena);
      state.count += 1;
      state.whole = arena.length;
      if (arena.length >= pieceBytes) return true;
    }
    if (sifter !== undefined && isBusy(sifter)) return true;
  }
  return false;
}

/** Does the same for a batch of which every record is printed; without checks, a tenth less processor time. */
function fillWithAll({ cursor, options, arena }: Walking, state: Walk): boolean {
  const { format, pieceBytes } = options;
  while (nextRecord(cursor)) {
    format(cursor, arena);
    state.count += 1;
    state.whole = arena.length;
    if (arena.length >= pieceBytes) return true;
  }
  return false;
}

/** Whether the record under the cursor is printed; it is decoded then. */
function isPrinted({ cursor, options, sifter }: Walking): boolean {
  if (sifter !== undefined) return takes(sifter, cursor);
  return options.decoding === undefined || options.decoding.open(cursor);
}

/** Moves to the next record of the batch that may be printed; false after the last one. */
function nextInBatch({ cursor, sifter }: Walking, state: Walk): boolean {
  if (!state.isPlain) {
    if (!nextInRange(cursor, state)) return false;
    if (sifter !== undefined) countRecord(sifter);
    return true;
  }
  if (sifter === undefined) return nextRecord(cursor);
  return (cursor.opened || beginBatch(sifter, cursor)) && nextCandidate(sifter, cursor);
}

/** Moves to the next record of the batch that was asked for; notes the end of the range. */
function nextInRange(cursor: RecordCursor, state: Walk): boolean {
  const { from, end } = state.chunk;
  while (nextRecord(cursor)) {
    const offset = exactOffset(cursor);
    if (offset < from) continue;
    state.ended = end !== undefined && offset >= end;
    return !state.ended;
  }
  return false;
}

/** Moves to the next batch with records to format; false when there is none. */
function openBatch({ cursor, options }: Walking, state: Walk): boolean {
  const { end } = state.chunk;
  while (state.count < state.limit && nextBatch(cursor)) {
    // In message sets, offsets are known only record by record.
    const isBatch = cursor.magic === 2;
    if (isBatch && end !== undefined && exactBaseOffset(cursor) >= end) return false;
    if (isBatch && !mayHaveRecords(cursor, options, state)) continue;
    state.inBatch = true;
    state.isPlain = isBatch && isInRange(cursor, state.chunk);
    return true;
  }
  return false;
}

/** Whether a batch may have records to format. */
function mayHaveRecords(cursor: RecordCursor, { readCommitted, printControl }: WalkOptions, state: Walk): boolean {
  const { chunk, aborted } = state;
  const isControl = isControlBatch(cursor);
  // A marker below `from` counts as well: the broker may list the transaction that it ends.
  if (isControl && readCommitted) aborted.close(cursor);
  if (offsetAfterBatch(cursor) <= chunk.from) return false;
  return isControl ? printControl : !(readCommitted && aborted.covers(cursor));
}

/** Whether every record of the batch was asked for. */
function isInRange(cursor: RecordCursor, { from, end }: WalkedRecords): boolean {
  return (
    offsetsAreSafe(cursor) && exactBaseOffset(cursor) >= from && (end === undefined || offsetAfterBatch(cursor) <= end)
  );
}
