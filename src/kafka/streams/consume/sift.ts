import { nextRecord, openBatchRecords } from '../../records/batches/batch-reader.ts';
import { exactBaseOffset, exactOffset, offsetAfterBatch, type RecordCursor } from '../../records/batches/cursor.ts';
import type { Bounds } from '../../records/filter/bounds.ts';
import { addFault, noFaults } from '../../records/filter/faults.ts';
import type { RecordFilter } from '../../records/filter/filter.ts';
import { createFinder, type Finder } from '../../records/filter/finder.ts';
import { seemsFramed } from '../../records/filter/framed.ts';
import { hasEscapes } from '../../records/filter/refute.ts';
import { type RecordDecoding, UndecodableError } from '../../records/language/decoding.ts';
import type { Sifted } from './walk-piece.ts';

/** Applies a filter to the records of a walker, and counts. */
export interface Sifter {
  /**
   * Whether the record under the cursor is to be formatted; it is decoded then.
   * @throws MissingSchemaError if a schema must be learned first; the record can then be tested again
   */
  takes(cursor: RecordCursor): boolean;
  /**
   * Begins with the batch under the cursor, of which all records are in the range; returns false if none of them can
   * match.
   * @throws CorruptRecordsError if it cannot be decompressed
   */
  begins(cursor: RecordCursor): boolean;
  /** Moves to the next record of that batch that may match; false after the last one. */
  next(cursor: RecordCursor): boolean;
  /** Counts a record of another batch. */
  see(): void;
  /** Whether so much was done since the last piece that the walker should let others work. */
  isBusy(): boolean;
  /** Returns what was done since the last call. */
  take(): Sifted;
}

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
  const counts = { ...nothing };
  let steps = 0;
  let faults = noFaults;
  let skippedFaults = noFaults;
  /** How often records were skipped by their bytes. */
  let skips = 0;
  let framed: 'key' | 'value' | undefined;
  /** Whether no record was looked at yet for a schema id: one that does not match is enough. */
  let isFresh = filter.storedFields.length > 0;
  const decodesFirst = decoding !== undefined && filter.needsDecoding;
  const { bounds, need, ifKept } = filter;
  /** Records whose schema does not keep texts are tested even without the bytes. */
  const asks = ifKept.length > 0 && decoding !== undefined;
  const finder = need === undefined ? undefined : createFinder(need);
  /** Whether bytes are looked for in the batch, the hits in it, and the batches to leave out. */
  let [isSearching, hits, pause] = [false, 0, 0];
  /** Whether no record of the batch was to be tested so far. */
  let isWithout = true;
  /** Whether the batch may have escapes of JSON. */
  let mayHaveEscapes = true;
  const peeks = filter.peeksAt.length > 0;

  function matches(cursor: RecordCursor): boolean {
    if (filter.isRefuted(cursor, mayHaveEscapes)) {
      counts.refuted += 1;
      steps += stepsToRefute;
      if (isFresh) lookForSchema(cursor);
      return false;
    }
    const verdict = filter.test(cursor);
    counts.tested += 1;
    steps += filter.steps();
    if (verdict === true) counts.matched += 1;
    else if (isFresh) lookForSchema(cursor);
    if (verdict !== undefined) return verdict;
    counts.undecided += 1;
    const { reason, hint } = filter.fault();
    faults = addFault(faults, hint, () => undecidedAt(cursor, reason));
    return false;
  }

  function lookForSchema(cursor: RecordCursor): void {
    isFresh = false;
    framed = filter.storedFields.find((field) => seemsFramed(cursor, field));
  }

  /** Whether to test what is skipped now as well, for the advice: the first, the second, the fourth, and so on. */
  function isSampled(): boolean {
    skips += 1;
    return (skips & (skips - 1)) === 0;
  }

  /** Tests a skipped record, which cannot match. */
  function sample(cursor: RecordCursor): void {
    try {
      if (decodesFirst && !decoding.open(cursor)) return;
      if (filter.test(cursor) !== undefined) return;
      const { reason, hint } = filter.fault();
      skippedFaults = addFault(skippedFaults, hint, () => undecidedAt(cursor, reason));
    } catch (error) {
      if (!(error instanceof UndecodableError)) throw error;
    }
  }

  function search({ recordCount, bytes, at, recordsEnd }: RecordCursor, finding: Finder): boolean {
    if (hits * fewestPerHit > recordCount) pause = patience;
    hits = 0;
    finding.begin(bytes, at, recordsEnd);
    [isSearching, isWithout] = [true, true];
    return finding.next(at) >= 0;
  }

  /** Moves to the next record that has the hit, or of which it is not certain that it cannot match without it. */
  function nextKept(cursor: RecordCursor, hit: number, { keeps }: RecordDecoding): boolean {
    while (nextRecord(cursor)) {
      counts.records += 1;
      const isHit = hit >= 0 && cursor.recordEnd > hit;
      if (!isHit && keeps(cursor, ifKept)) {
        if (isSampled()) sample(cursor);
        continue;
      }
      if (isHit) hits += 1;
      isWithout = false;
      return true;
    }
    if (isWithout) counts.skippedByBytes += 1;
    return false;
  }

  return {
    takes(cursor) {
      if (decodesFirst) return decoding.open(cursor) && matches(cursor);
      return matches(cursor) && (decoding === undefined || decoding.open(cursor));
    },
    begins(cursor) {
      counts.batches += 1;
      isSearching = false;
      if (isOutside(cursor, bounds)) {
        counts.skippedByHead += 1;
        counts.records += cursor.recordCount;
        return false;
      }
      if (cursor.recordCount === 0) return true;
      if (peeks) {
        openBatchRecords(cursor);
        mayHaveEscapes = hasEscapes(cursor.bytes, cursor.at, cursor.recordsEnd);
      }
      if (finder === undefined) return true;
      if (pause > 0) {
        pause -= 1;
        return true;
      }
      openBatchRecords(cursor);
      if (search(cursor, finder) || asks) return true;
      counts.skippedByBytes += 1;
      counts.records += cursor.recordCount;
      if ((isSampled() || isFresh) && nextRecord(cursor)) {
        if (isFresh) lookForSchema(cursor);
        // Its schema may not be known.
        if (!decodesFirst) sample(cursor);
      }
      return false;
    },
    next(cursor) {
      if (!isSearching || finder === undefined) {
        if (!nextRecord(cursor)) return false;
        counts.records += 1;
        return true;
      }
      const hit = finder.next(cursor.at);
      if (asks) return nextKept(cursor, hit, decoding);
      if (hit < 0) {
        counts.records += cursor.recordsLeft;
        return false;
      }
      hits += 1;
      while (nextRecord(cursor)) {
        counts.records += 1;
        if (cursor.recordEnd > hit) return true;
      }
      return false;
    },
    see() {
      mayHaveEscapes = true;
      counts.records += 1;
    },
    isBusy: () => counts.tested >= mostTested || steps >= mostSteps,
    take() {
      const sifted = { ...counts, faults, skippedFaults, framed };
      Object.assign(counts, nothing);
      steps = 0;
      [faults, skippedFaults, framed] = [noFaults, noFaults, undefined];
      return sifted;
    },
  };
}

const nothing = {
  ...{ records: 0, tested: 0, refuted: 0, matched: 0, undecided: 0 },
  ...{ batches: 0, skippedByHead: 0, skippedByBytes: 0 },
};

/** Whether the header of a batch shows that no record of it matches. */
function isOutside(cursor: RecordCursor, { partitions, minOffset, maxOffset, minTime }: Bounds): boolean {
  if (partitions !== undefined && !partitions.has(cursor.origin.partition)) return true;
  // Both comparisons are false for a time that a number cannot hold.
  if (minTime !== undefined && cursor.maxTimestamp < minTime) return true;
  if (minOffset !== undefined && offsetAfterBatch(cursor) <= minOffset) return true;
  return maxOffset !== undefined && exactBaseOffset(cursor) > maxOffset;
}

function undecidedAt(cursor: RecordCursor, reason: string): string {
  const { topic, partition } = cursor.origin;
  return `topic "${topic}" partition ${partition} at offset ${exactOffset(cursor)}: ${reason}`;
}
