import type { OffsetRange } from '../../streams/consume/offset-words.ts';
import type { CopyFilter } from '../copy/request.ts';
import type { RedrivenTopic } from './redrive-rows.ts';

/** Where dead letters go: to their origin by the headers of frameworks or by one header, or all to one topic. */
export type RedriveTarget = 'origin' | { readonly header: string } | { readonly topic: string };

/** What to put back, and how. */
export interface RedriveRequest {
  /** The topic with the dead letters. */
  readonly topic: string;
  readonly to: RedriveTarget;
  /** The topics that records may go to; empty: all. */
  readonly only: readonly string[];
  /** The partitions to read; empty: all. */
  readonly partitions: readonly number[];
  readonly range: OffsetRange;
  /** The partition of the destination: that of the origin, where clients look for the key, or that of the dead letter. */
  readonly partitionsBy: 'origin' | 'key' | 'same';
  /** Which records to put back; undefined for all. */
  readonly filter: CopyFilter | undefined;
  /** The number of records after which to stop; undefined for no limit. */
  readonly most: number | undefined;
  /** The number of records a second; undefined for no limit. */
  readonly perSecond: number | undefined;
  /** How often a record may be put back. */
  readonly maxAttempts: number;
  /** Whether to keep the headers that frameworks have added. */
  readonly keepsHeaders: boolean;
  /** The group that remembers what was put back; undefined for one of its own for the topic. */
  readonly group: string | undefined;
  /** Whether to put back again what was put back before. */
  readonly restarts: boolean;
  readonly isExactlyOnce: boolean;
  readonly fetchMaxWaitMs: number;
  warn(line: string): void;
}

/** A redrive that is ready to start. */
export interface Redriving {
  /** How many offsets are to be read: of some the record may be settled, or gone. */
  readonly offsets: number;
  /** The hint for a run that ended early. */
  readonly again: string;
  /**
   * Puts the dead letters of the range back, or until `stop`; not bounded by the command timeout.
   * @param onSent called with the number of records acknowledged so far
   */
  run(onSent: (records: number) => void): Promise<readonly RedrivenTopic[]>;
  /** Finds out what `run` would do. */
  dryRun(): Promise<readonly RedrivenTopic[]>;
  /** Stops reading; `run` then writes what was read, stores the progress and resolves. */
  stop(): void;
  /** Records that are read but not acknowledged. */
  readonly pending: number;
  /** The records that the conditions left out. */
  readonly unwanted: number;
}
