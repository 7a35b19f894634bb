import type { Lines } from '../records/batch-records.ts';
import { createOutgoingRecord, type OutgoingRecord } from '../records/batch-records.ts';
import {
  available,
  createFields,
  type FieldBytes,
  inputError,
  type Program,
  type Run,
  spanWarning,
  tooLong,
} from './parse-run.ts';

/** What one record of the input says; overwritten by the next. Ranges are valid until the next `next`. */
export interface ParsedRecord extends OutgoingRecord {
  /** Undefined when the input names none. */
  topic: string | undefined;
  /** Undefined when the input names none. */
  partition: number | undefined;
  /** Whether the input said the timestamp (`%d`); else `timestamp` is for the caller to set. */
  hasTimestamp: boolean;
  /** Whether the input said a key: `%k`, even an empty one, which is null; in an envelope a `key`, even null. */
  hasKey: boolean;
}

/**
 * Splits streamed input into records. `push` a chunk, then take records with `next` until it is
 * false; then the chunk's memory may be used again. `end` says that no more input comes, after which
 * `next` may give more.
 */
export interface RecordParser {
  readonly record: ParsedRecord;
  push(chunk: Buffer): void;
  /**
   * True: `record` is filled. False: more input is needed, or all is read.
   * @throws CliError that names the record's number and the place in the input
   */
  next(): boolean;
  end(): void;
  /** Records taken so far, also those that were taken from `lines`. */
  readonly count: number;
  /**
   * The lines that `next` would give, where each is a value and nothing else, for whoever takes them in bulk; then
   * `next` goes on. Undefined for other layouts, and in the middle of a record.
   */
  lines(): Lines | undefined;
}

/** How input is parsed. */
export interface ParserOptions {
  /** Empty values become null (tombstones). */
  readonly tombstones?: boolean;
  /**
   * The topic that the command line names. A `%t` of the layout wins over it; the envelope's topic
   * does not, as it says where a record came from.
   */
  readonly topic?: string;
  /** The most one record may take in the input, in bytes; 128 MiB when absent. */
  readonly maxRecordBytes?: number;
  /** Told once of a record that spans lines although the layout ends each record with its line. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** The most one record may take in the input when nothing else is said, in bytes. */
export const defaultRecordBytes = 128 * 2 ** 20;

/** Input that waits for more, in memory that grows. */
interface Held {
  bytes: Buffer;
}

/** A parser over a program. */
export function createRecordParser(program: Program, options: ParserOptions): RecordParser {
  const run = createRun(options.maxRecordBytes ?? defaultRecordBytes);
  const held: Held = { bytes: Buffer.alloc(0) };
  const record: ParsedRecord = {
    ...createOutgoingRecord(),
    topic: undefined,
    partition: undefined,
    hasTimestamp: program.verbs.has('d'),
    hasKey: program.hasKey,
  };
  const tombstones = options.tombstones ?? false;
  const givenTopic = program.isExact ? options.topic : undefined;
  let watchesLines = program.endsLines && options.warn !== undefined;
  let step = 0;
  Object.assign(run.numbers, program.constants);
  run.timestamp = program.timestamp;
  return {
    record,
    push: (chunk) => pushChunk(run, held, chunk),
    end() {
      run.isEnded = true;
    },
    next() {
      if (step === 0 && !beginRecord(run, program)) return holdRest(run, held);
      while (step < program.steps.length) {
        if (program.steps[step]?.(run) !== true) return holdRest(run, held);
        step++;
      }
      step = 0;
      fillRecord(run, program, record, tombstones);
      if (givenTopic !== undefined) record.topic = givenTopic;
      if (watchesLines) {
        const warning = spanWarning(run, run.bytes.subarray(run.base, run.base + run.at));
        watchesLines = warning === undefined;
        if (warning !== undefined) options.warn?.(warning);
      }
      finishRecord(run);
      return true;
    },
    get count() {
      return run.count;
    },
    lines: () => undefined,
  };
}

function createRun(maxBytes: number): Run {
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
    ...{ timestamp: undefined, hasKey: false, sharesLines: false, line: undefined },
    headers: [],
    maxBytes,
    scan: undefined,
    headerPause: undefined,
  };
}

/** Adds a chunk behind what is held; with nothing held, the chunk is read where it lies. */
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

/** Moves what is not read yet into memory of our own: the chunk belongs to the caller. */
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

/** Whether there is anything of a next record. */
function beginRecord(run: Run, program: Program): boolean {
  if (program.skipsSpace) {
    while (run.base < run.end && isSpace(run.bytes[run.base] as number)) {
      run.base++;
      run.consumed++;
    }
  }
  return run.base < run.end;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function fillRecord(run: Run, program: Program, record: ParsedRecord, tombstones: boolean): void {
  const { fields, numbers } = run;
  const { key, value } = fields;
  const own = program.isExact ? 0 : 1;
  record.keyBytes = key.own ?? run.bytes;
  record.keyStart = key.own === undefined ? run.base + key.start : 0;
  // A layout cannot say null: an empty key is one, an empty value is one on request.
  record.keyLength = key.length < own ? -1 : key.length;
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

/** Steps over the record that was read. */
function finishRecord(run: Run): void {
  if (run.at === 0) throw inputError(run, 'the layout matches nothing of the input');
  if (run.at > run.maxBytes) throw tooLong(run);
  run.base += run.at;
  run.consumed += run.at;
  run.count++;
  run.at = 0;
  run.searched = 0;
  if (run.headers.length > 0) run.headers = [];
  if (available(run) < 0) throw new Error('a step read beyond the input');
}
