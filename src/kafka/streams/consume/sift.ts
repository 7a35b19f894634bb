import { nextRecord, openBatchRecords } from '../../records/batches/batch-reader.ts';
import { exactBaseOffset, exactOffset, offsetAfterBatch, type RecordCursor } from '../../records/batches/cursor.ts';
import type { Bounds } from '../../records/filter/bounds.ts';
import { addFault, type Faults, noFaults } from '../../records/filter/faults.ts';
import type { RecordFilter } from '../../records/filter/filter.ts';
import { createFinder, type Finder } from '../../records/filter/finder.ts';
import { seemsFramed } from '../../records/filter/framed.ts';
import { hasEscapes } from '../../records/filter/refute.ts';
import { type RecordDecoding, UndecodableError } from '../../records/language/decoding.ts';
import type { Sifted } from './walk-piece.ts';

/** A filter that is applied to the records of a walker, and what it has done. */
export interface Sifter {
  readonly filter: RecordFilter;
  readonly decoding: RecordDecoding | undefined;
  /** Whether conditions look at decoded fields: records are decoded before they are tested. */
  readonly decodesFirst: boolean;
  /** Looks for the bytes that a match contains; undefined if there are none. */
  readonly finder: Finder | undefined;
  /** Tells which records must be tested even without the bytes, because their schema does not keep texts. */
  readonly keeping: RecordDecoding | undefined;
  /** What was done since the last piece. */
  sifted: Counts;
  /** The work of the conditions since then. */
  steps: number;
  /** Whether no record was looked at yet for a schema id: one that does not match is enough. */
  looksForSchema: boolean;
  /** How often records were skipped by their bytes. */
  skips: number;
  /** Whether bytes are looked for in the batch, the hits in it, and the batches to leave out. */
  isSearching: boolean;
  hits: number;
  pause: number;
  /** Whether no record of the batch was to be tested so far. */
  isWithout: boolean;
  /** Whether the batch may have escapes of JSON. */
  mayHaveEscapes: boolean;
}

type Counts = { -readonly [Key in keyof Sifted]: Sifted[Key] };

/** The records and steps after which a piece ends, so that the thread is not blocked for long. */
const mostTested = 16_384;
const mostSteps = 4_000_000;
/** A glance at the bytes of a record, as work. */
const stepsToRefute = 32;

/** In a batch with more hits than records divided by this, looking for bytes saves nothing. */
const fewestPerHit = 4;
/** The batches after which bytes are looked for again. */
const patience = 32;

/** Creates a sifter. */
export function createSifter(filter: RecordFilter, decoding: RecordDecoding | undefined): Sifter {
  return {
    filter,
    decoding,
    decodesFirst: decoding !== undefined && filter.needsDecoding,
    finder: filter.need === undefined ? undefined : createFinder(filter.need),
    keeping: filter.ifKept.length > 0 ? decoding : undefined,
    sifted: noneSifted(),
    steps: 0,
    looksForSchema: filter.storedFields.length > 0,
    skips: 0,
    isSearching: false,
    hits: 0,
    pause: 0,
    isWithout: true,
    mayHaveEscapes: true,
  };
}

function noneSifted(): Counts {
  return {
    records: 0,
    tested: 0,
    refuted: 0,
    matched: 0,
    undecided: 0,
    faults: noFaults,
    skippedFaults: noFaults,
    framed: undefined,
    batches: 0,
    skippedByHead: 0,
    skippedByBytes: 0,
  };
}

/**
 * Begins with the batch under the cursor, of which all records are in the range; returns false if none of them can
 * match.
 * @throws CorruptRecordsError if it cannot be decompressed
 */
export function beginBatch(sifter: Sifter, cursor: RecordCursor): boolean {
  const { filter, finder, sifted } = sifter;
  sifted.batches += 1;
  sifter.isSearching = false;
  if (isOutside(cursor, filter.bounds)) {
    sifted.skippedByHead += 1;
    sifted.records += cursor.recordCount;
    return false;
  }
  if (cursor.recordCount === 0) return true;
  if (filter.peeksAt.length > 0) {
    openBatchRecords(cursor);
    sifter.mayHaveEscapes = hasEscapes(cursor.bytes, cursor.at, cursor.recordsEnd);
  }
  if (finder === undefined) return true;
  if (sifter.pause > 0) {
    sifter.pause -= 1;
    return true;
  }
  openBatchRecords(cursor);
  if (searchBatch(sifter, finder, cursor) || sifter.keeping !== undefined) return true;
  skipBatch(sifter, cursor);
  return false;
}

/** Looks for the bytes in a batch; false if it has none of them. */
function searchBatch(sifter: Sifter, finder: Finder, { recordCount, bytes, at, recordsEnd }: RecordCursor): boolean {
  if (sifter.hits * fewestPerHit > recordCount) sifter.pause = patience;
  sifter.hits = 0;
  sifter.isSearching = true;
  sifter.isWithout = true;
  finder.begin(bytes, at, recordsEnd);
  return finder.next(at) >= 0;
}

function skipBatch(sifter: Sifter, cursor: RecordCursor): void {
  const { sifted, decodesFirst, looksForSchema } = sifter;
  sifted.skippedByBytes += 1;
  sifted.records += cursor.recordCount;
  if (!isSampled(sifter) && !looksForSchema) return;
  if (!nextRecord(cursor)) return;
  if (looksForSchema) lookForSchema(sifter, cursor);
  // Its schema may not be known.
  if (!decodesFirst) sample(sifter, cursor);
}

/** Moves to the next record of the batch that may match; false after the last one. */
export function nextCandidate(sifter: Sifter, cursor: RecordCursor): boolean {
  const { finder, keeping, sifted } = sifter;
  if (!sifter.isSearching || finder === undefined) {
    if (!nextRecord(cursor)) return false;
    sifted.records += 1;
    return true;
  }
  const hit = finder.next(cursor.at);
  if (keeping !== undefined) return nextKept(sifter, cursor, hit, keeping);
  if (hit < 0) {
    sifted.records += cursor.recordsLeft;
    return false;
  }
  sifter.hits += 1;
  while (nextRecord(cursor)) {
    sifted.records += 1;
    if (cursor.recordEnd > hit) return true;
  }
  return false;
}

/** Moves to the next record that has the hit, or of which it is not certain that it cannot match without it. */
function nextKept(sifter: Sifter, cursor: RecordCursor, hit: number, keeping: RecordDecoding): boolean {
  const { sifted, filter } = sifter;
  while (nextRecord(cursor)) {
    sifted.records += 1;
    const isHit = hit >= 0 && cursor.recordEnd > hit;
    if (!isHit && keeping.keeps(cursor, filter.ifKept)) {
      if (isSampled(sifter)) sample(sifter, cursor);
      continue;
    }
    if (isHit) sifter.hits += 1;
    sifter.isWithout = false;
    return true;
  }
  if (sifter.isWithout) sifted.skippedByBytes += 1;
  return false;
}

/** Counts a record of a batch that was not begun. */
export function countRecord(sifter: Sifter): void {
  sifter.mayHaveEscapes = true;
  sifter.sifted.records += 1;
}

/**
 * Whether the record under the cursor is to be formatted; it is decoded then.
 * @throws MissingSchemaError if a schema must be learned first; the record can then be tested again
 */
export function takes(sifter: Sifter, cursor: RecordCursor): boolean {
  const { decoding, decodesFirst } = sifter;
  if (decoding === undefined) return matches(sifter, cursor);
  if (decodesFirst) return decoding.open(cursor) && matches(sifter, cursor);
  return matches(sifter, cursor) && decoding.open(cursor);
}

function matches(sifter: Sifter, cursor: RecordCursor): boolean {
  const { filter, sifted } = sifter;
  if (filter.isRefuted(cursor, sifter.mayHaveEscapes)) {
    sifted.refuted += 1;
    sifter.steps += stepsToRefute;
    if (sifter.looksForSchema) lookForSchema(sifter, cursor);
    return false;
  }
  const verdict = filter.test(cursor);
  sifted.tested += 1;
  sifter.steps += filter.steps();
  if (verdict === true) sifted.matched += 1;
  else if (sifter.looksForSchema) lookForSchema(sifter, cursor);
  if (verdict !== undefined) return verdict;
  sifted.undecided += 1;
  sifted.faults = withFault(sifted.faults, filter, cursor);
  return false;
}

function lookForSchema(sifter: Sifter, cursor: RecordCursor): void {
  sifter.looksForSchema = false;
  sifter.sifted.framed = sifter.filter.storedFields.find((field) => seemsFramed(cursor, field));
}

/** Whether to test what is skipped now as well, for the advice: the first, the second, the fourth, and so on. */
function isSampled(sifter: Sifter): boolean {
  sifter.skips += 1;
  return (sifter.skips & (sifter.skips - 1)) === 0;
}

/** Tests a skipped record, which cannot match. */
function sample({ filter, decoding, decodesFirst, sifted }: Sifter, cursor: RecordCursor): void {
  try {
    if (decodesFirst && decoding?.open(cursor) === false) return;
    if (filter.test(cursor) !== undefined) return;
    sifted.skippedFaults = withFault(sifted.skippedFaults, filter, cursor);
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
  }
}

/** Adds why the filter could not decide the record under the cursor. */
function withFault(faults: Faults, filter: RecordFilter, cursor: RecordCursor): Faults {
  const { reason, hint } = filter.fault();
  return addFault(faults, hint, () => {
    const { topic, partition } = cursor.origin;
    return `${topic}/${partition} at offset ${exactOffset(cursor)}: ${reason}`;
  });
}

/** Whether so much was done since the last piece that the walker should let others work. */
export function isBusy({ sifted, steps }: Sifter): boolean {
  return sifted.tested >= mostTested || steps >= mostSteps;
}

/** Returns what was done since the last call. */
export function takeSifted(sifter: Sifter): Sifted {
  const { sifted } = sifter;
  sifter.sifted = noneSifted();
  sifter.steps = 0;
  return sifted;
}

/** Whether the header of a batch shows that no record of it matches. */
function isOutside(cursor: RecordCursor, { partitions, minOffset, maxOffset, minTime }: Bounds): boolean {
  if (partitions !== undefined && !partitions.has(cursor.origin.partition)) return true;
  // Both comparisons are false for a time that a number cannot hold.
  if (minTime !== undefined && cursor.maxTimestamp < minTime) return true;
  if (minOffset !== undefined && offsetAfterBatch(cursor) <= minOffset) return true;
  return maxOffset !== undefined && exactBaseOffset(cursor) > maxOffset;
}
