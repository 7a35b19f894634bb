import type { RecordCursor } from '../records/batches/cursor.ts';
import { MissingSchemaError } from '../records/language/decoding.ts';
import { countRecord, createSifter, takeSifted, takes } from '../streams/consume/sift.ts';
import type { CopyFilter } from './copy/request.ts';

/** Chooses records by conditions. */
export interface Sifting {
  /**
   * Whether the record under the cursor matches.
   * @throws an error for `resolves` if a schema must be fetched first; the record can then be tested again
   */
  wants(cursor: RecordCursor): boolean;
  /** Fetches the schema that was missing; false for other errors. */
  resolves(error: unknown): Promise<boolean>;
  /** Reports what was seen since the last time. */
  report(): void;
}

/** Opens a filter; undefined for all records. */
export function openSifting(filter: CopyFilter | undefined): Sifting | undefined {
  if (filter === undefined) return undefined;
  const { decode } = filter;
  // Without a condition on a decoded field, nothing has to be decoded.
  const sifter = createSifter(filter.filter, filter.filter.needsDecoding ? decode?.decoding : undefined);
  return {
    wants(cursor) {
      const isTaken = takes(sifter, cursor);
      countRecord(sifter);
      return isTaken;
    },
    async resolves(error) {
      if (decode === undefined || !(error instanceof MissingSchemaError)) return false;
      await decode.decoding.learn(error.schema, await decode.fetchSchema(error.schema));
      return true;
    },
    report: () => filter.onSifted(takeSifted(sifter)),
  };
}
