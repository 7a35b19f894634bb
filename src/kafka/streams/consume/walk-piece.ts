import type { SchemaName } from '../../../serde/wire-format.ts';
import type { Faults } from '../../records/filter/faults.ts';
import type { UndecodedRecords } from '../../records/language/decoding.ts';

/** A run of formatted records. */
export interface Piece {
  /** The output, valid until the next piece is requested. */
  readonly bytes: Buffer;
  /** The number of records in the piece. */
  readonly count: number;
  /** The offset after its last record and the records left out after that. */
  readonly reached: bigint;
  /** Whether this is the last piece of the records. */
  readonly isLast: boolean;
  /** Whether the limit was reached before all wanted records were walked. */
  readonly isCut: boolean;
  /** The damage found after this piece. */
  readonly damage: Damage | undefined;
  /** The schema that must be learned before the next piece is requested. */
  readonly missing?: SchemaName | undefined;
  /** The records whose key or value could not be decoded. */
  readonly undecoded?: UndecodedRecords | undefined;
  /** What a filter has done since the last piece. */
  readonly sifted?: Sifted | undefined;
}

/** What a filter has done. */
export interface Sifted {
  /** The records that it has seen, matching or not. */
  readonly records: number;
  /** The records that its conditions were tested with. */
  readonly tested: number;
  /** The records that did not match by what their bytes showed (`RecordFilter.isRefuted`). */
  readonly refuted: number;
  /** The tested records that match. */
  readonly matched: number;
  /** The tested records that could not be decided, and why. */
  readonly undecided: number;
  readonly faults: Faults;
  /** Why a few of the records that were skipped by what is not in their bytes could not have been decided. */
  readonly skippedFaults: Faults;
  /** The field of the first record without a match that conditions take as text, but that may be one with a schema. */
  readonly framed: 'key' | 'value' | undefined;
  /** The whole batches that it has seen, those without a match by their header, and by what is not in their bytes. */
  readonly batches: number;
  readonly skippedByHead: number;
  readonly skippedByBytes: number;
}

/** A damaged batch, or a record that cannot be decoded. */
export interface Damage {
  /** The base offset of the batch, or the offset of the record. */
  readonly baseOffset: bigint;
  readonly reason: string;
  /** Whether the record is intact, but does not match its schema. */
  readonly isUndecodable?: boolean;
}
