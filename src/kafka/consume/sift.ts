import type { RecordFilter } from '../filter/filter.ts';
import type { RecordDecoding } from '../record-language/decoding.ts';
import { exactOffset, type RecordCursor } from '../records/cursor.ts';
import type { Sifted } from './walk-piece.ts';

/** Applies a filter to the records of a walker, and counts. */
export interface Sifter {
  /**
   * Whether the record under the cursor is to be formatted; it is decoded then.
   * @throws MissingSchemaError if a schema must be learned first; the record can then be tested again
   */
  takes(cursor: RecordCursor): boolean;
  /** Counts a record that the filter sees. */
  see(records: number): void;
  /** Whether so much was done since the last piece that the walker should let others work. */
  isBusy(): boolean;
  /** Returns what was done since the last call. */
  take(): Sifted;
}

/** The records and steps after which a piece ends, so that the thread is not blocked for long. */
const mostTested = 16_384;
const mostSteps = 4_000_000;

/** Creates a sifter. */
export function createSifter(filter: RecordFilter, decoding: RecordDecoding | undefined): Sifter {
  let [records, tested, undecided, steps] = [0, 0, 0, 0];
  let firstUndecided: string | undefined;
  const decodesFirst = decoding !== undefined && filter.needsDecoding;

  function matches(cursor: RecordCursor): boolean {
    const verdict = filter.test(cursor);
    tested += 1;
    steps += filter.steps();
    if (verdict !== undefined) return verdict;
    undecided += 1;
    firstUndecided ??= undecidedAt(cursor, filter.reason());
    return false;
  }

  return {
    takes(cursor) {
      if (decodesFirst) return decoding.open(cursor) && matches(cursor);
      return matches(cursor) && (decoding === undefined || decoding.open(cursor));
    },
    see(seen) {
      records += seen;
    },
    isBusy: () => tested >= mostTested || steps >= mostSteps,
    take() {
      const sifted = { records, tested, undecided, firstUndecided };
      [records, tested, undecided, steps] = [0, 0, 0, 0];
      firstUndecided = undefined;
      return sifted;
    },
  };
}

function undecidedAt(cursor: RecordCursor, reason: string): string {
  const { topic, partition } = cursor.origin;
  return `topic "${topic}" partition ${partition} at offset ${exactOffset(cursor)}: ${reason}`;
}
