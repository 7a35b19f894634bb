import { nextRecord } from '../../records/batches/batch-reader.ts';
import {
  controlType,
  exactProducerId,
  isTransactional,
  offsetAfterBatch,
  type RecordCursor,
} from '../../records/batches/cursor.ts';

/** A transaction whose records a committed read leaves out. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

/** Finds the batches of one Fetch answer that belong to aborted transactions; needs every batch, in order. */
export interface AbortedFilter {
  /** Whether the data batch belongs to an aborted transaction. */
  covers(cursor: RecordCursor): boolean;
  /**
   * Processes a control batch, whose marker ends a transaction.
   * @throws CorruptRecordsError when the marker cannot be read
   */
  close(cursor: RecordCursor): void;
}

/**
 * Creates a filter for the aborted transactions that a Fetch answer lists. Brokers list those that end at or after the
 * requested offset, so the data of a listed transaction may precede the answer, and the answer may start with its
 * marker. A transaction is therefore open from its first offset, whatever kind of batch reaches that offset, until its
 * producer's next abort marker (KIP-98; the Java client does the same).
 */
export function abortedFilter(transactions: readonly AbortedTransaction[]): AbortedFilter {
  // Brokers list transactions in the order of their markers.
  const waiting = [...transactions].sort((left, right) => compare(left.firstOffset, right.firstOffset));
  const open = new Set<bigint>();
  let next = 0;

  function openUpTo(cursor: RecordCursor): void {
    const after = offsetAfterBatch(cursor);
    for (let first = waiting[next]; first !== undefined && first.firstOffset < after; first = waiting[next]) {
      open.add(first.producerId);
      next += 1;
    }
  }

  return {
    covers(cursor) {
      if (!isTransactional(cursor) || transactions.length === 0) return false;
      openUpTo(cursor);
      return open.size > 0 && open.has(exactProducerId(cursor));
    },
    close(cursor) {
      if (transactions.length === 0) return;
      openUpTo(cursor);
      if (open.size > 0 && isAbortMarker(cursor)) open.delete(exactProducerId(cursor));
    },
  };
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isAbortMarker(cursor: RecordCursor): boolean {
  const { at, recordsLeft, opened } = cursor;
  const isAbort = nextRecord(cursor) && controlType(cursor) === 'abort';
  // The marker may still be printed.
  Object.assign(cursor, { at, recordsLeft, opened });
  return isAbort;
}
