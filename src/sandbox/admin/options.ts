import type { Algorithm } from './auth/credentials.ts';
import type { FaultSwitch } from './http/faults.ts';
import type { CoordinatedTransaction, PartitionTransaction } from './partitions/transaction-state.ts';
import type { Settings } from './settings.ts';
import type { Mountable } from './state.ts';

/** A user that exists from the start. */
export interface SeedUser {
  readonly name: string;
  readonly password: string;
  /** Default SCRAM-SHA-256. */
  readonly algorithm?: Algorithm;
}

/** What exists from the start. Everything can be left out. */
export interface Seeds {
  readonly users?: readonly SeedUser[];
  /** Cluster properties that are set. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The text of a license. */
  readonly license?: string;
  readonly mountable?: readonly Mountable[];
  /** Bearer tokens with the user that they prove and their expiry in virtual milliseconds since the epoch. */
  readonly tokens?: Readonly<Record<string, { readonly principal: string; readonly expiresAt: number }>>;
  /** The transactions by transactional id. */
  readonly transactions?: Readonly<Record<string, CoordinatedTransaction>>;
  /** The open transactions of partitions, by `ns/topic/partition`. */
  readonly openTransactions?: Readonly<Record<string, readonly PartitionTransaction[]>>;
  readonly faults?: readonly FaultSwitch[];
}

/** The options of a simulator that can be stored in a JSON file. */
export interface AdminOptions {
  /** The port of every node (default: one that is free on all their addresses). */
  readonly port?: number;
  readonly settings?: Partial<Settings>;
  readonly seeds?: Seeds;
  /** The initial time of the virtual clock, in milliseconds since the epoch (default: now). */
  readonly startAt?: number;
  /** Virtual milliseconds per real millisecond (default 0: only switches move the clock). */
  readonly clockRate?: number;
  /** Serves `/sim/…`, which moves the clock, adds faults and reads the journal; never set in a user's sandbox. */
  readonly testControls?: boolean;
}
