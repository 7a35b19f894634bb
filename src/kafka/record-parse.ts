import type { OutgoingRecord } from './records/batch-writer.ts';

/** What one record of the input says; overwritten by the next. Ranges are valid until the next `push`. */
export interface ParsedRecord extends OutgoingRecord {
  /** Undefined when the layout has no `%t`. */
  topic: string | undefined;
  /** Undefined when the layout has no `%p`. */
  partition: number | undefined;
  /** Whether the input said the timestamp (`%d`); else `timestamp` is for the caller to set. */
  hasTimestamp: boolean;
  /** Whether the input said a key (`%k`), even an empty one. */
  hasKey: boolean;
}

/**
 * Splits streamed input into records. `push` a chunk, then take records with `next` until it is
 * false; `end` says that no more input comes, after which `next` may give one last record.
 */
export interface RecordParser {
  readonly record: ParsedRecord;
  push(chunk: Buffer): void;
  /** True: `record` is filled. False: more input is needed, or all is read. @throws CliError that names the record's number */
  next(): boolean;
  end(): void;
}

/** How input is parsed. */
export interface ParserOptions {
  /** Empty values become null (tombstones). */
  readonly tombstones?: boolean;
  /** The most one record may take, in bytes; 128 MiB when absent. */
  readonly maxRecordBytes?: number;
}

/** What a layout reads, known before any input. */
export interface CompiledParser {
  readonly hasTopic: boolean;
  readonly hasPartition: boolean;
  /** A parser with a state of its own. */
  create(options?: ParserOptions): RecordParser;
}

/**
 * Compiles an input layout (`%k %v\n`, or `json` for the envelope).
 * @throws CliError (usage) with a caret under the place that is wrong
 */
export function compileParser(layout: string): CompiledParser {
  throw new Error(`not yet: ${layout}`);
}
