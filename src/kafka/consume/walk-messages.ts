import type { FormatSource } from '../record-language/format-source.ts';
import type { Piece, WalkedRecords, WalkOptions } from './walk.ts';

/** The options of a walk thread. */
export interface ThreadOptions extends Omit<WalkOptions, 'format'> {
  readonly source: FormatSource;
}

/** Records in memory that is transferred with the message. */
export interface SentRecords extends Omit<WalkedRecords, 'records'> {
  /** The start of the records in the memory, in bytes. */
  readonly start: number;
  readonly length: number;
}

/** A message to the thread. */
export type ThreadTask =
  /** Chunks to walk in order, at most `limit` records in total. */
  | { readonly memory: ArrayBuffer; readonly chunks: readonly SentRecords[]; readonly limit: number }
  /** The memory of a piece, returned for reuse. */
  | { readonly freed: ArrayBuffer };

/** A piece in memory that is transferred with the message. */
export interface SentPiece extends Omit<Piece, 'bytes'> {
  /** The index of the chunk that the piece belongs to. */
  readonly chunk: number;
  readonly memory: ArrayBuffer;
  /** The length of the piece, from the start of the memory, in bytes. */
  readonly length: number;
}

/** A message from the thread. */
export type ThreadReport =
  /** The thread has loaded its program and compiled its format. */
  | { readonly type: 'ready' }
  | { readonly type: 'piece'; readonly piece: SentPiece }
  /** The task is finished; its memory is returned. */
  | { readonly type: 'walked'; readonly memory: ArrayBuffer }
  | { readonly type: 'failed'; readonly error: unknown };
