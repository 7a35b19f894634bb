import { CliError, exitCodes } from '../../../errors.ts';
import type { RecordHeader } from '../batches/batch-records.ts';

/** The bytes of a field: a range of the input (`start` counts from the record's first byte) or separate bytes. */
export interface FieldBytes {
  /** The separate bytes; undefined for a range of the input. */
  own: Buffer | undefined;
  start: number;
  length: number;
}

/** The fields that text verbs fill, of the record or of the current header. */
export interface Fields {
  readonly topic: FieldBytes;
  readonly key: FieldBytes;
  readonly value: FieldBytes;
}

/** The state of scanning a JSON value: only strings and the nesting of brackets. */
export interface JsonScan {
  depth: number;
  inString: boolean;
  isEscaped: boolean;
  /** Whether the scan is within a bare word or number at the top level. */
  inWord: boolean;
  /** The position of the scan, from the record's first byte. */
  at: number;
}

/** The state of reading the headers of a record. */
export interface HeaderPause {
  readonly outer: Pick<Run, 'fields' | 'numbers'>;
  left: number;
  step: number;
}

/**
 * The state of reading one record. A step that runs out of input leaves everything unchanged and runs again when there
 * is more. Positions count from the record's first byte, so that the bytes may move in between.
 */
export interface Run {
  bytes: Buffer;
  /** The start of the record in `bytes`. */
  base: number;
  /** The end of the input in `bytes`. */
  end: number;
  /** Whether the input has ended. */
  isEnded: boolean;
  /** The position in the record. */
  at: number;
  /** The position up to which a delimiter was searched without success, so that the search continues there. */
  searched: number;
  /** The number of records before this one. */
  count: number;
  /** The number of input bytes before this record. */
  consumed: number;
  fields: Fields;
  /** The values of number verbs, by verb; within headers, those of the header. */
  numbers: Record<string, number>;
  /** The timestamp in milliseconds since the epoch, a BigInt beyond 2^53; undefined if the input gives none. */
  timestamp: number | bigint | undefined;
  /** Whether a line that looked like a single envelope was not one. */
  sharesLines: boolean;
  /** Whether an envelope has a key, even null. */
  hasKey: boolean;
  headers: RecordHeader[];
  readonly maxBytes: number;
  /** The number of lines before this record, and those of the last one; only counted if asked for. */
  lines: number;
  readonly countsLines: boolean;
  /** Whether each record is one line, so that its number is that of its line. */
  readonly endsLines: boolean;
  /** Whether the record is to be a line and the input up to `end` is the whole of it. */
  isWholeLine: boolean;
  /**
   * The line that regular expressions matched last, with its range in the whole input; the text has one character per
   * byte.
   */
  line: { readonly from: number; readonly to: number; readonly text: string } | undefined;
  /** Where the JSON scanner stopped for lack of input. */
  scan: JsonScan | undefined;
  /** Where reading headers stopped for lack of input. */
  headerPause: HeaderPause | undefined;
}

/** One step of a layout; returns true when it is done, false when it needs more input. */
export type ReadStep = (run: Run) => boolean;

/** A layout of a value, or of a key and a value, each of which ends at the first occurrence of a byte. */
export interface LineLayout {
  /** The byte that ends the key; undefined without a key. */
  readonly keyEnd: number | undefined;
  readonly valueEnd: number;
}

/** A layout compiled into steps. */
export interface Program {
  readonly steps: readonly ReadStep[];
  /** Numbers given by the layout itself (`%V{4}`). */
  readonly constants: Readonly<Record<string, number>>;
  /** The timestamp given by the layout itself. */
  readonly timestamp?: number | bigint | undefined;
  /** The verbs that the layout sets. */
  readonly verbs: ReadonlySet<string>;
  readonly hasTopic: boolean;
  readonly hasPartition: boolean;
  readonly hasKey: boolean;
  /**
   * Whether to skip white space before a record, so that white space before the end of the input does not start one
   * (JSON values).
   */
  readonly skipsSpace: boolean;
  /** Whether empty and null are different, as they are in the envelope. */
  readonly isExact: boolean;
  /** What ends a record that is a line: text fields, and a newline only at the end; undefined for other layouts. */
  readonly lineEnd: Buffer | undefined;
  /** The layout for the faster line parser; undefined if that cannot read it. */
  readonly lines: LineLayout | undefined;
}

/** Creates an empty set of fields. */
export function createFields(): Fields {
  const field = (): FieldBytes => ({ own: undefined, start: 0, length: -1 });
  return { topic: field(), key: field(), value: field() };
}

/** Returns the number of bytes available from the current position. */
export function available(run: Run): number {
  return run.end - run.base - run.at;
}

/**
 * Called by a step that needs more input; returns false while more may arrive. `where` says where the input is.
 * @throws CliError if the input or the record's line has ended, or the record is too long
 */
export function needMore(run: Run, where?: string): false {
  if (run.isWholeLine) throw lineError(run, where);
  if (run.isEnded) throw endError(run, where);
  if (run.end - run.base > run.maxBytes) throw tooLong(run);
  return false;
}

/** The error for input that ends inside a record. */
export function endError(position: InputPosition, where = 'inside the record'): CliError {
  return inputError(position, `the input ends ${where}`);
}

/**
 * The error for a line that ends inside a record. The next line is not read as its rest: it is more likely a record of
 * its own.
 */
export function lineError(position: InputPosition, where = 'inside the record'): CliError {
  return inputError(position, `the line ends ${where}`);
}

/** Where input ends that lacks these bytes. */
export function before(literal: Uint8Array): string {
  return `before the ${quoted(literal)} of the format`;
}

/** Bytes of a layout or of the input in messages. */
export function quoted(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString());
}

/** A place in the input, for errors. */
export type InputPosition = Pick<Run, 'count' | 'consumed' | 'at' | 'maxBytes'> &
  Partial<Pick<Run, 'lines' | 'countsLines' | 'endsLines'>>;

/** The error for a record that is too long. */
export function tooLong(run: InputPosition): CliError {
  return inputError(run, `it is longer than ${run.maxBytes} bytes`);
}

/**
 * The error for invalid input, with the record's number, the line in which it begins if that is known, and the position
 * in the input.
 */
export function inputError(
  run: Omit<InputPosition, 'maxBytes'>,
  reason: string,
  hints: readonly string[] = [],
): CliError {
  const { countsLines = false, lines = 0, endsLines = false } = run;
  const line = endsLines ? run.count + 1 : countsLines ? lines + 1 : undefined;
  const position = `${line === undefined ? '' : `line ${line}, `}byte ${run.consumed + run.at}`;
  return new CliError(exitCodes.failure, `unable to read record ${run.count + 1} (input ${position}): ${reason}`, {
    code: 'INVALID_INPUT',
    target: `record ${run.count + 1}`,
    hints,
  });
}

/** Whether a byte is a blank of JSON. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
