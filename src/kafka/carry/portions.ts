import { checkBatch, nextBatch, nextRecord, openRecords } from '../records/batches/batch-reader.ts';
import { createOutgoingRecord } from '../records/batches/batch-records.ts';
import type { BatchWriter } from '../records/batches/batch-writer.ts';
import { type Compression, compressions } from '../records/batches/compression/compressions.ts';
import {
  createCursor,
  exactBaseOffset,
  exactOffset,
  isControlBatch,
  offsetAfterBatch,
  type RecordCursor,
  type RecordOrigin,
} from '../records/batches/cursor.ts';
import { type AbortedFilter, abortedFilter } from '../streams/consume/aborted-transactions.ts';
import type { WalkedRecords } from '../streams/consume/walk.ts';
import { adoptBatch, isAdoptable } from './adopt.ts';
import { endBatch, type Packed, type Packer, packRecord, type Revision, type WriterPool } from './packer.ts';

/** Records of one partition as a broker sent them, in memory that may be changed. */
export type ArrivedRecords = Pick<
  WalkedRecords,
  'partition' | 'records' | 'from' | 'to' | 'end' | 'abortedTransactions'
>;

/** A batch for one partition of the destination. */
export interface Parcel {
  /** Holds the finished batch; it takes no more records. */
  readonly writer: BatchWriter;
  readonly partition: number;
  /** The offset in the source of its first record. */
  readonly from: bigint;
  /** The offset in the source of a batch whose bytes are those of the answer; undefined for one that was built. */
  readonly adoptedAt: bigint | undefined;
}

/** Batches that hold everything of a source partition up to an offset. */
export interface Portion {
  readonly parcels: readonly Parcel[];
  /** The offset after the last source record, or of what was left out after it. */
  readonly upTo: bigint;
}

/** How records become batches of the destination. */
export interface PortionOptions {
  readonly pool: WriterPool;
  /** The size in bytes above which the destination takes no batch. */
  readonly maxBatchBytes: number;
  /** The same for each partition, if they are those of several destinations. */
  readonly maxBytesOf?: (partition: number) => number;
  readonly isTransactional: boolean;
  /** Changes records on their way into other batches; undefined to leave them as they are. */
  readonly revise?: Revision | undefined;
  /** Whether the offsets of records in batches that are built are noted in the pool. */
  readonly notesOffsets?: boolean;
  /** The destination's partition for a record; undefined for the one with the source's number. */
  readonly partitionOf: ((cursor: RecordCursor, partition: number) => number) | undefined;
  /** Whether a record is copied; undefined for every record. */
  readonly wants: ((cursor: RecordCursor) => boolean) | undefined;
  /** Called with the first record that is copied. */
  readonly onFirst?: ((cursor: RecordCursor) => void) | undefined;
}

/**
 * Batches below this size are joined with their neighbors: a request carries one batch of each partition, and costs as
 * much as building a batch of this size. Compressed ones have several times as many records for their size.
 */
const smallBytes = { none: 64 << 10, compressed: 16 << 10 };
/** Rebuilt batches are handed on when they have this size together, before compression. */
const packedBytes = 4 << 20;

/** Makes portions of what was fetched from one partition after the other. */
export interface Porter {
  /**
   * Yields everything in the chunk, in order: batches that can stay as they are, in the chunk's own memory, and others
   * that are built from its records. Markers and records of aborted transactions are left out.
   * @throws CorruptRecordsError after what comes before the damage
   */
  portions(chunk: ArrivedRecords, origin: RecordOrigin): Generator<Portion, void>;
}

/** The state of dividing one chunk. */
interface Division {
  readonly chunk: ArrivedRecords;
  readonly aborted: AbortedFilter;
  /** Batches not yet handed on. */
  parcels: Parcel[];
  /** Whether no record after the cursor is wanted. */
  isOver: boolean;
  /** The offset after the last record that was rebuilt, or `from`. */
  rebuilt: bigint;
}

interface Porting {
  readonly options: PortionOptions;
  readonly cursor: RecordCursor;
  /** The batches that are being built, by partition. */
  readonly packers: Map<number, Packer>;
  /** The size of the records in them and in the batches that they have ended since the last portion. */
  packed: number;
  /** Called with the next record that is copied, and then no more. */
  onFirst: PortionOptions['onFirst'];
}

/** Creates a porter. */
export function createPorter(options: PortionOptions): Porter {
  const { onFirst } = options;
  const cursor = createCursor({ checkCrc: 'messages' });
  const porting: Porting = { options, cursor, packers: new Map(), packed: 0, onFirst };
  return { portions: (chunk, origin) => portions(porting, chunk, origin) };
}

function* portions(porting: Porting, chunk: ArrivedRecords, origin: RecordOrigin): Generator<Portion, void> {
  const { cursor } = porting;
  const { records, abortedTransactions, from } = chunk;
  openRecords(cursor, origin, { bytes: records, start: 0, end: records.length });
  const aborted = abortedFilter(abortedTransactions);
  const division: Division = { chunk, aborted, parcels: [], isOver: false, rebuilt: from };
  try {
    while (!division.isOver && nextBatch(cursor)) {
      const isTaken = isWanted(porting, division);
      const isWhole = isTaken && staysWhole(porting, division);
      // The broker that takes a whole batch checks it: its checksum is not made anew, but follows from the source's.
      if (!isWhole && !division.isOver && cursor.magic === 2) checkBatch(cursor);
      if (!isTaken) continue;
      if (isWhole) {
        endPackers(porting, division);
        division.parcels.push(adopted(porting, division));
        yield* takePortions(porting, division, offsetAfterBatch(cursor));
        continue;
      }
      repack(porting, division);
      if (porting.packed < packedBytes) continue;
      endPackers(porting, division);
      yield* takePortions(porting, division, division.rebuilt);
    }
  } catch (error) {
    // What was read before the damage is copied.
    endPackers(porting, division);
    yield* takePortions(porting, division, division.rebuilt);
    throw error;
  }
  endPackers(porting, division);
  yield* takePortions(porting, division, endOf(chunk));
}

function adopted(porting: Porting, { chunk }: Division): Parcel {
  const { cursor, options } = porting;
  if (porting.onFirst !== undefined && nextRecord(cursor)) showFirst(porting);
  const { source, batchStart, batchEnd, recordCount } = cursor;
  const bytes = source.subarray(batchStart, batchEnd);
  const adoptedAt = exactBaseOffset(cursor);
  const writer = adoptBatch(bytes, recordCount, options.isTransactional);
  return { writer, partition: chunk.partition, from: adoptedAt, adoptedAt };
}

/** Takes what is finished. Batches for one partition are in order: what is left out before one is before its portion. */
function* takePortions({ options }: Porting, division: Division, upTo: bigint): Generator<Portion, void> {
  const { parcels } = division;
  division.parcels = [];
  division.rebuilt = upTo;
  if (options.partitionOf !== undefined || parcels.length < 2) yield { parcels, upTo };
  else for (const [at, parcel] of parcels.entries()) yield { parcels: [parcel], upTo: parcels[at + 1]?.from ?? upTo };
}

function endOf({ end, to }: ArrivedRecords): bigint {
  return end !== undefined && to > end ? end : to;
}

/** Whether the batch under the cursor has records to copy. */
function isWanted({ cursor }: Porting, division: Division): boolean {
  const { chunk, aborted } = division;
  if (cursor.magic !== 2) return true;
  const { end } = chunk;
  if (end !== undefined && exactBaseOffset(cursor) >= end) {
    division.isOver = true;
    return false;
  }
  if (isControlBatch(cursor)) {
    // A marker below `from` counts as well: the broker may list the transaction that it ends.
    aborted.close(cursor);
    return false;
  }
  return cursor.recordCount > 0 && offsetAfterBatch(cursor) > chunk.from && !aborted.covers(cursor);
}

/** Whether the batch under the cursor is copied without being unpacked. */
function staysWhole(porting: Porting, { chunk }: Division): boolean {
  const { cursor, options, packers } = porting;
  const { partitionOf, wants, revise } = options;
  if ((partitionOf ?? wants ?? revise) !== undefined || !isAdoptable(cursor)) return false;
  const size = cursor.batchEnd - cursor.batchStart;
  if (size > options.maxBatchBytes || !isWithin(cursor, chunk.from, chunk.end)) return false;
  const compression = compressionOf(cursor);
  const small = compression === 'none' ? smallBytes.none : smallBytes.compressed;
  if (size >= small) return true;
  const open = packers.get(chunk.partition)?.open?.compression;
  return open !== compression && !isSmallNext(cursor, small);
}

/** Whether a complete batch below that size follows the one under the cursor. */
function isSmallNext({ source, next, end }: RecordCursor, small: number): boolean {
  if (end - next < 12) return false;
  const size = source.readInt32BE(next + 8) + 12;
  return size < small && size <= end - next;
}

function compressionOf({ attributes }: RecordCursor): Compression {
  return compressions[attributes & 7] ?? 'none';
}

/** Adds the wanted records of the batch under the cursor to batches that are being built. */
function repack(porting: Porting, division: Division): void {
  const { cursor } = porting;
  const isInside = isWithin(cursor, division.chunk.from, division.chunk.end);
  let last = -1;
  try {
    while (nextRecord(cursor)) {
      if (isInside || isInRange(cursor, division)) pack(porting, division);
      if (division.isOver) return;
      last = cursor.offsetDelta;
    }
  } catch (error) {
    if (last >= 0) division.rebuilt = exactBaseOffset(cursor) + BigInt(last) + 1n;
    throw error;
  }
  const after = cursor.magic === 2 ? offsetAfterBatch(cursor) : exactOffset(cursor) + 1n;
  division.rebuilt = after > endOf(division.chunk) ? endOf(division.chunk) : after;
}

function isInRange(cursor: RecordCursor, division: Division): boolean {
  const { from, end } = division.chunk;
  const offset = exactOffset(cursor);
  division.isOver = end !== undefined && offset >= end;
  return offset >= from && !division.isOver;
}

/** Adds the record under the cursor to the batch for its partition. */
function pack(porting: Porting, division: Division): void {
  const { cursor, options } = porting;
  const { wants, partitionOf } = options;
  const { partition: chunkPartition } = division.chunk;
  if (wants !== undefined && !wants(cursor)) return;
  showFirst(porting);
  const partition = partitionOf === undefined ? chunkPartition : partitionOf(cursor, chunkPartition);
  porting.packed += cursor.recordEnd - cursor.timestampAt;
  const full = packRecord(packerFor(porting, partition), cursor, compressionOf(cursor));
  if (full !== undefined) division.parcels.push(built(full, partition));
}

function showFirst(porting: Porting): void {
  porting.onFirst?.(porting.cursor);
  porting.onFirst = undefined;
}

/** Whether every record of the batch is between `from` and `end`. In message sets that is known only record by record. */
function isWithin(cursor: RecordCursor, from: bigint, end: bigint | undefined): boolean {
  return (
    cursor.magic === 2 && exactBaseOffset(cursor) >= from && (end === undefined || offsetAfterBatch(cursor) <= end)
  );
}

function packerFor({ packers, options }: Porting, partition: number): Packer {
  const existing = packers.get(partition);
  if (existing !== undefined) return existing;
  const packer: Packer = {
    pool: options.pool,
    maxBytes: options.maxBytesOf?.(partition) ?? options.maxBatchBytes,
    revise: options.revise,
    notesOffsets: options.notesOffsets ?? false,
    record: createOutgoingRecord(),
    open: undefined,
  };
  packers.set(partition, packer);
  return packer;
}

function built({ writer, from }: Packed, partition: number): Parcel {
  return { writer, from, partition, adoptedAt: undefined };
}

/** Ends the batches that are being built. */
function endPackers(porting: Porting, division: Division): void {
  for (const [partition, packer] of porting.packers) {
    const packed = endBatch(packer);
    if (packed !== undefined) division.parcels.push(built(packed, partition));
  }
  porting.packed = 0;
}
