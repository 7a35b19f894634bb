import type { SchemaName } from '../../../serde/wire-format.ts';
import type { FilterSource } from '../../records/filter/filter.ts';
import type { DecodeOptions } from '../../records/language/decode-options.ts';
import type { FetchedSchema } from '../../records/language/decoding.ts';
import type { FormatSource } from '../../records/language/format-source.ts';
import type { WalkedRecords, WalkOptions } from './walk.ts';
import type { Piece } from './walk-piece.ts';

/** The options of a walk thread. */
export interface ThreadOptions extends Omit<WalkOptions, 'format' | 'decoding' | 'filter'> {
  readonly source: FormatSource;
  /** How to decode records before they are formatted. */
  readonly decode?: DecodeOptions | undefined;
  /** The conditions that records must meet. */
  readonly conditions?: FilterSource | undefined;
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
  | { readonly freed: ArrayBuffer }
  /** The schema that a piece asked for; undefined if there is none. */
  | { readonly learned: SchemaName; readonly schema: FetchedSchema };

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
