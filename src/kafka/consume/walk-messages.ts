import type { FormatSource } from '../record-language/format-source.ts';
import type { Piece, WalkedRecords, WalkOptions } from './walk.ts';

/** What a walking thread is started with. */
export interface ThreadOptions extends Omit<WalkOptions, 'format'> {
  readonly source: FormatSource;
}

/** Records in the memory that a message brings along. */
export interface SentRecords extends Omit<WalkedRecords, 'records'> {
  /** Where they begin in the memory. */
  readonly start: number;
  readonly length: number;
}

/** What the thread is told. */
export type ThreadTask =
  /** Walk these, one after the other, at most `limit` records in all. */
  | { readonly memory: ArrayBuffer; readonly chunks: readonly SentRecords[]; readonly limit: number }
  /** The memory of a piece, to be used again. */
  | { readonly freed: ArrayBuffer };

/** A piece in memory that comes along. */
export interface SentPiece extends Omit<Piece, 'bytes'> {
  /** Which of the chunks it belongs to. */
  readonly chunk: number;
  readonly memory: ArrayBuffer;
  /** How much of the memory it takes, from the front. */
  readonly length: number;
}

/** What the thread says. */
export type ThreadReport =
  /** It has loaded its program and compiled its format. */
  | { readonly type: 'ready' }
  | { readonly type: 'piece'; readonly piece: SentPiece }
  /** All is walked; the memory that the task brought comes back. */
  | { readonly type: 'walked'; readonly memory: ArrayBuffer }
  | { readonly type: 'failed'; readonly error: unknown };
