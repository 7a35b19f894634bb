import { CliError, exitCodes } from '../../errors.ts';
import type { RecordHeader } from '../records/batch-records.ts';

/** The bytes of a field: a range of the input (`start` counts from the record's first byte) or bytes of their own. */
export interface FieldBytes {
  /** Undefined: a range of the input. */
  own: Buffer | undefined;
  start: number;
  length: number;
}

/** The fields that text verbs fill: of the record, or of the header that is being read. */
export interface Fields {
  readonly topic: FieldBytes;
  readonly key: FieldBytes;
  readonly value: FieldBytes;
}

/** A JSON value that is being followed: only its structure, strings and the nesting of brackets. */
export interface JsonScan {
  depth: number;
  inString: boolean;
  isEscaped: boolean;
  /** Within a bare word or number on the top level. */
  inWord: boolean;
  /** How far is scanned, from the record's first byte. */
  at: number;
}

/** Where reading the headers of a record stands. */
export interface HeaderPause {
  readonly outer: Pick<Run, 'fields' | 'numbers'>;
  left: number;
  step: number;
}

/**
 * The state of reading one record. A step that runs out of input leaves everything as it was and is
 * run again when there is more; positions count from the record's first byte, so that the bytes may
 * move in between.
 */
export interface Run {
  bytes: Buffer;
  /** Where the record begins in `bytes`. */
  base: number;
  /** Where the input ends in `bytes`. */
  end: number;
  /** No more input comes. */
  isEnded: boolean;
  /** How far the record is read. */
  at: number;
  /** How far a search for a delimiter has looked in vain, so that it goes on from there. */
  searched: number;
  /** Records read before this one. */
  count: number;
  /** Input bytes before this record. */
  consumed: number;
  fields: Fields;
  /** What number verbs read, by verb; within headers the sizes of the header. */
  numbers: Record<string, number>;
  /** Milliseconds since the epoch; BigInt beyond 2^53. Undefined when the input names none. */
  timestamp: number | bigint | undefined;
  /** Whether a line that looked like one envelope was not. */
  sharesLines: boolean;
  /** Whether an envelope has a key, if only null. */
  hasKey: boolean;
  headers: RecordHeader[];
  readonly maxBytes: number;
  /** The line that regular expressions look at last, from and to these bytes of the whole input; a character for each. */
  line: { readonly from: number; readonly to: number; readonly text: string } | undefined;
  /** Where the JSON scanner stopped for lack of input. */
  scan: JsonScan | undefined;
  /** Where reading headers stopped for lack of input. */
  headerPause: HeaderPause | undefined;
}

/** One step of a layout: true when it is done, false when it needs more input. */
export type ReadStep = (run: Run) => boolean;

/** A layout of a value, or of a key and a value, that each end at the first occurrence of a byte. */
export interface LineLayout {
  /** Undefined: there is no key. */
  readonly keyEnd: number | undefined;
  readonly valueEnd: number;
}

/** A layout as steps. */
export interface Program {
  readonly steps: readonly ReadStep[];
  /** Numbers that the layout itself says (`%V{4}`). */
  readonly constants: Readonly<Record<string, number>>;
  /** The timestamp that the layout itself says. */
  readonly timestamp?: number | bigint | undefined;
  /** The verbs that the layout sets. */
  readonly verbs: ReadonlySet<string>;
  readonly hasTopic: boolean;
  readonly hasPartition: boolean;
  readonly hasKey: boolean;
  /** White space before the end of the input is no beginning of a record (JSON values). */
  readonly skipsSpace: boolean;
  /** Keeps empty apart from null: the envelope says which it is. */
  readonly isExact: boolean;
  /** Whether a record is a line: raw fields, and a newline at the end only. */
  readonly endsLines: boolean;
  /** What a faster parser needs to know to do the same; undefined for layouts that it cannot read. */
  readonly lines: LineLayout | undefined;
}

/** An empty set of fields. */
export function createFields(): Fields {
  const field = (): FieldBytes => ({ own: undefined, start: 0, length: -1 });
  return { topic: field(), key: field(), value: field() };
}

/** Bytes that are there, from the current position on. */
export function available(run: Run): number {
  return run.end - run.base - run.at;
}

/**
 * For a step that lacks input: false while more may come.
 * @throws CliError when none comes, or the record is too long
 */
export function needMore(run: Run): false {
  if (run.isEnded) throw inputError(run, 'the input ends inside the record');
  if (run.end - run.base > run.maxBytes) throw tooLong(run);
  return false;
}

/** A place in the input, for errors. */
export type Place = Pick<Run, 'count' | 'consumed' | 'at' | 'maxBytes'>;

/** The record takes more than it may. */
export function tooLong(run: Place): CliError {
  return inputError(run, `it is longer than ${run.maxBytes} bytes`);
}

/** What is wrong with the input, with the record's number and the place. */
export function inputError(run: Omit<Place, 'maxBytes'>, reason: string): CliError {
  const place = run.consumed + run.at;
  return new CliError(exitCodes.failure, `unable to read record ${run.count + 1} (input byte ${place}): ${reason}`, {
    code: 'INVALID_INPUT',
    target: `record ${run.count + 1}`,
  });
}

const newline = 0x0a;

/**
 * The warning for a record that spans lines; undefined for one that does not. Every record before it was one line, so
 * its number is that of its first line.
 */
export function spanWarning({ count }: Pick<Run, 'count'>, record: Buffer): string | undefined {
  let breaks = 0;
  for (let at = record.indexOf(newline); at >= 0 && at < record.length - 1; at = record.indexOf(newline, at + 1))
    breaks++;
  if (breaks === 0) return undefined;
  const [first, last] = [count + 1, count + 1 + breaks];
  return `record ${first} spans lines ${first} to ${last}: line ${first} lacks a separator of the input format`;
}
