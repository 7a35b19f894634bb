import type { Lines } from '../batches/batch-records.ts';
import { createOutgoingRecord, type OutgoingRecord } from '../batches/batch-records.ts';
import {
  available,
  createFields,
  type FieldBytes,
  inputError,
  isSpace,
  type Program,
  type Run,
  tooLong,
} from './parse-run.ts';

/** One record of the input. The next one overwrites it; its ranges are valid until `next` is called again. */
export interface ParsedRecord extends OutgoingRecord {
  /** Undefined when the input names none. */
  topic: string | undefined;
  /** Undefined when the input names none. */
  partition: number | undefined;
  /** Whether the input gives the timestamp (`%d`); otherwise the caller sets `timestamp`. */
  hasTimestamp: boolean;
  /** Whether the input gives a key: `%k`, even if empty, which is null; in an envelope `key`, even if null. */
  hasKey: boolean;
}

/**
 * Splits streamed input into records: `push` a chunk, then call `next` until it returns false; after that the chunk's
 * memory may be reused. Call `end` when there is no more input; `next` may then return more records.
 */
export interface RecordParser {
  readonly record: ParsedRecord;
  push(chunk: Buffer): void;
  /**
   * Fills `record` and returns true; returns false if more input is needed or everything is read.
   * @throws CliError with the record's number and the position in the input
   */
  next(): boolean;
  end(): void;
  /** The number of records taken so far, including those taken from `lines`. */
  readonly count: number;
  /** Whether each record so far was one line, so that a record's number is that of its line. */
  readonly areLines: boolean;
  /** The line of the input, from 1, in which the last record begins; undefined if lines are not counted. */
  readonly line: number | undefined;
  /**
   * Returns the lines that `next` would return, if each is a value without a key or headers, for taking them in bulk;
   * `next` continues after them. Undefined for other layouts, and in the middle of a record.
   */
  lines(): Lines | undefined;
}

/** The options of a parser. */
export interface ParserOptions {
  /** Whether empty values become null (tombstones). */
  readonly tombstones?: boolean;
  /**
   * The topic given on the command line. A `%t` of the layout takes precedence over it; the topic of an envelope does
   * not, since it says where a record came from.
   */
  readonly topic?: string;
  /** The maximum size of a record in the input, in bytes; 128 MiB by default. */
  readonly maxRecordBytes?: number;
  /** Whether to count lines, for `line`. */
  readonly countsLines?: boolean;
}

/** The default maximum size of a record in the input, in bytes. */
export const defaultRecordBytes = 128 * 2 ** 20;

/** Unread input, kept until more arrives, in memory that grows. */
interface Held {
  bytes: Buffer;
}

interface Parsing {
  readonly program: Program;
  readonly options: ParserOptions;
  readonly run: Run;
  readonly held: Held;
  readonly record: ParsedRecord;
  /** The step to go on with, where input was missing. */
  step: number;
  /** The line in which the last record begins. */
  line: number;
  areLines: boolean;
}

/** Creates a parser that runs a program. */
export function createRecordParser(program: Program, options: ParserOptions): RecordParser {
  const run = createRun(options, program);
  const record: ParsedRecord = {
    ...createOutgoingRecord(),
    topic: undefined,
    partition: undefined,
    hasTimestamp: program.verbs.has('d'),
    hasKey: program.hasKey,
  };
  const areLines = program.lineEnd !== undefined || program.skipsSpace;
  const held: Held = { bytes: Buffer.alloc(0) };
  const parsing: Parsing = { program, options, run, held, record, step: 0, line: 0, areLines };
  Object.assign(run.numbers, program.constants);
  run.timestamp = program.timestamp;
  return {
    record,
    push: (chunk) => pushChunk(run, held, chunk),
    end() {
      run.isEnded = true;
    },
    next: () => next(parsing),
    get count() {
      return run.count;
    },
    get areLines() {
      return parsing.areLines;
    },
    get line() {
      return run.countsLines ? parsing.line : undefined;
    },
    lines: () => undefined,
  };
}

function next(parsing: Parsing): boolean {
  const { program, options, run, held, record } = parsing;
  if (parsing.step === 0 && !beginRecord(run, program)) return holdRest(run, held);
  const { end } = run;
  if (program.lineEnd !== undefined) endWithLine(run, program.lineEnd);
  while (parsing.step < program.steps.length) {
    if (program.steps[parsing.step]?.(run) !== true) return holdRest(run, held);
    parsing.step++;
  }
  run.end = end;
  parsing.step = 0;
  fillRecord(run, program, record, options.tombstones ?? false);
  if (program.isExact && options.topic !== undefined) record.topic = options.topic;
  parsing.areLines &&= program.lineEnd?.length === 1 || isOneLine(run, program);
  parsing.line = run.lines + 1;
  finishRecord(run);
  return true;
}

/** Whether the record that was read is one line, and those before it as well. */
function isOneLine({ bytes, base, at, lines, count }: Run, { lineEnd }: Program): boolean {
  const end = bytes.indexOf(newline, base);
  return (end < 0 || end >= base + at - 1) && (lineEnd !== undefined || lines === count);
}

/** Lets the steps see only the record's line, if the input has the whole of it. */
function endWithLine(run: Run, lineEnd: Buffer): void {
  const at = run.bytes.indexOf(lineEnd, run.base);
  run.isWholeLine = at >= 0 && at + lineEnd.length <= run.end;
  if (run.isWholeLine) run.end = at + lineEnd.length;
}

function createRun(
  { maxRecordBytes: maxBytes = defaultRecordBytes, countsLines = false }: ParserOptions,
  { lineEnd, skipsSpace }: Program,
): Run {
  return {
    bytes: Buffer.alloc(0),
    base: 0,
    end: 0,
    isEnded: false,
    at: 0,
    searched: 0,
    count: 0,
    consumed: 0,
    fields: createFields(),
    numbers: {},
    timestamp: undefined,
    hasKey: false,
    sharesLines: false,
    line: undefined,
    lines: 0,
    countsLines: countsLines || skipsSpace,
    headers: [],
    endsLines: lineEnd?.length === 1,
    isWholeLine: false,
    maxBytes,
    scan: undefined,
    headerPause: undefined,
  };
}

/** Appends a chunk to the held input; if nothing is held, the chunk is read without a copy. */
function pushChunk(run: Run, held: Held, chunk: Buffer): void {
  const rest = run.end - run.base;
  if (rest === 0) {
    run.bytes = chunk;
    run.base = 0;
    run.end = chunk.length;
    return;
  }
  holdRest(run, held);
  const needed = rest + chunk.length;
  if (needed > held.bytes.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, held.bytes.length * 2));
    held.bytes.copy(larger, 0, 0, rest);
    held.bytes = larger;
  }
  chunk.copy(held.bytes, rest);
  run.bytes = held.bytes;
  run.base = 0;
  run.end = needed;
}

/** Copies unread input, since the chunk's memory belongs to the caller. */
function holdRest(run: Run, held: Held): false {
  const rest = run.end - run.base;
  if (rest > 0 && (run.bytes !== held.bytes || run.base > 0)) {
    if (rest > held.bytes.length) held.bytes = Buffer.allocUnsafeSlow(Math.max(rest, 1 << 16));
    run.bytes.copy(held.bytes, 0, run.base, run.end);
    run.bytes = held.bytes;
    run.base = 0;
    run.end = rest;
  }
  return false;
}

const newline = 0x0a;

function countLines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(newline, start); at >= 0 && at < end; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

/** Whether the input contains the beginning of another record. */
function beginRecord(run: Run, program: Program): boolean {
  if (program.skipsSpace) {
    while (run.base < run.end && isSpace(run.bytes[run.base] as number)) {
      if (run.bytes[run.base] === newline) run.lines++;
      run.base++;
      run.consumed++;
    }
  }
  return run.base < run.end;
}

function fillRecord(run: Run, program: Program, record: ParsedRecord, tombstones: boolean): void {
  const { fields, numbers } = run;
  const { key, value } = fields;
  const leastLength = program.isExact ? 0 : 1;
  record.keyBytes = key.own ?? run.bytes;
  record.keyStart = key.own === undefined ? run.base + key.start : 0;
  // A layout has no way to write null, so an empty key is null, and an empty value is null on request.
  record.keyLength = key.length < leastLength ? -1 : key.length;
  record.valueBytes = value.own ?? run.bytes;
  record.valueStart = value.own === undefined ? run.base + value.start : 0;
  record.valueLength = valueLengthOf(value, program, tombstones);
  record.headers = run.headers;
  if (program.hasTopic) record.topic = textOf(run, fields.topic);
  if (program.hasPartition) record.partition = numbers.p;
  if (program.isExact) {
    record.hasTimestamp = run.timestamp !== undefined;
    record.hasKey = run.hasKey;
  }
  if (record.hasTimestamp) setTimestamp(record, run.timestamp ?? 0);
}

function setTimestamp(record: ParsedRecord, timestamp: number | bigint): void {
  record.timestamp = typeof timestamp === 'number' ? timestamp : Number.NaN;
  if (typeof timestamp === 'bigint') record.exactTimestamp = timestamp;
}

function valueLengthOf(value: FieldBytes, program: Program, tombstones: boolean): number {
  if (tombstones && value.length === 0) return -1;
  return program.isExact ? value.length : Math.max(value.length, tombstones ? -1 : 0);
}

function textOf(run: Run, field: FieldBytes): string | undefined {
  if (field.length <= 0) return undefined;
  if (field.own !== undefined) return field.own.toString();
  return run.bytes.toString('utf8', run.base + field.start, run.base + field.start + field.length);
}

/** Skips the record that was read. */
function finishRecord(run: Run): void {
  if (run.at === 0) throw inputError(run, 'the layout matches none of the input');
  if (run.at > run.maxBytes) throw tooLong(run);
  if (run.countsLines) run.lines += countLines(run.bytes, run.base, run.base + run.at);
  run.base += run.at;
  run.consumed += run.at;
  run.count++;
  run.at = 0;
  run.searched = 0;
  if (run.headers.length > 0) run.headers = [];
  if (available(run) < 0) throw new Error('a step read beyond the input');
}
