import { createArena, reserve, viewOver } from '../../../bytes/arena.ts';
import type { CliError } from '../../../errors.ts';
import type { Lines } from '../batches/batch-records.ts';
import { createOutgoingRecord } from '../batches/batch-records.ts';
import {
  before,
  endError,
  type InputPosition,
  type LineLayout,
  lineError,
  type Program,
  tooLong,
} from './parse-run.ts';
import { defaultRecordBytes, type ParsedRecord, type ParserOptions, type RecordParser } from './parse-stream.ts';

const newline = 0x0a;
/** Memory beyond this size in bytes is released after the record that needed it. */
const keptBytes = 32 * 2 ** 20;

/** The state of reading lines. A record that spans chunks of the input is assembled in `held`. */
interface LineRun {
  readonly layout: LineLayout;
  readonly record: ParsedRecord;
  /** The current chunk. */
  readonly lines: Lines;
  /** The number of input bytes before that chunk. */
  before: number;
  readonly held: ReturnType<typeof createArena>;
  /** The end of the key in `held`; -1 if it is not known. */
  heldKey: number;
  /** The position at which the search for that end continues. */
  searched: number;
  /** Whether `held` is a record that was already returned; it is discarded with the next call. */
  isHeldOver: boolean;
  isEnded: boolean;
  readonly maxBytes: number;
  /** Whether each record is a line. */
  readonly endsLines: boolean;
  readonly emptyValue: 0 | -1;
}

/**
 * Creates a parser for layouts of one or two fields that each end at a byte (`%v\n`, `%k %v\n`). It gives the same
 * results as the steps of the program, without running them. Every chunk must be read to its end before the next is
 * pushed.
 */
export function createLineParser(program: Program, layout: LineLayout, options: ParserOptions): RecordParser {
  const run = createLineRun(program, layout, options);
  // Keys and nulls are only handled by `next`.
  const isBulk = layout.keyEnd === undefined && run.emptyValue === 0;
  return {
    record: run.record,
    get count() {
      return run.lines.count;
    },
    get areLines() {
      return run.endsLines;
    },
    line: undefined,
    push(chunk) {
      const { lines } = run;
      run.before += lines.bytes.length;
      lines.bytes = chunk;
      lines.view = viewOver(chunk);
      lines.at = 0;
    },
    end() {
      run.isEnded = true;
    },
    next: () => (run.held.length > 0 && !letGo(run) ? nextHeld(run) : nextLine(run)),
    lines: () => (isBulk && (run.held.length === 0 || letGo(run)) ? run.lines : undefined),
  };
}

function createLineRun(program: Program, layout: LineLayout, options: ParserOptions): LineRun {
  const bytes = Buffer.alloc(0);
  return {
    layout,
    record: {
      ...createOutgoingRecord(),
      topic: undefined,
      partition: undefined,
      hasTimestamp: false,
      hasKey: program.hasKey,
    },
    lines: { bytes, view: viewOver(bytes), at: 0, count: 0, terminator: layout.valueEnd },
    before: 0,
    held: createArena(),
    heldKey: -1,
    searched: 0,
    isHeldOver: false,
    isEnded: false,
    maxBytes: options.maxRecordBytes ?? defaultRecordBytes,
    endsLines: program.lineEnd !== undefined,
    emptyValue: options.tombstones === true ? -1 : 0,
  };
}

/** Discards a held record that was already returned; returns whether there was one. */
function letGo(run: LineRun): boolean {
  if (!run.isHeldOver) return false;
  const { held } = run;
  run.isHeldOver = false;
  held.length = 0;
  run.heldKey = -1;
  run.searched = 0;
  if (held.bytes.length > keptBytes) Object.assign(held, createArena());
  return true;
}

/** Reads the next record if the chunk contains it completely. */
function nextLine(run: LineRun): boolean {
  const { lines, layout } = run;
  const { bytes, at } = lines;
  const { keyEnd } = layout;
  let valueFrom = at;
  let end = bytes.indexOf(layout.valueEnd, at);
  if (keyEnd !== undefined) {
    const key = bytes.indexOf(keyEnd, at);
    if (run.endsLines && end >= 0 && (key < 0 || key > end)) throw keyless(run, keyEnd, run.before + at);
    if (key < 0) return hold(run);
    valueFrom = key + 1;
    if (end >= 0 && end < valueFrom) end = bytes.indexOf(layout.valueEnd, valueFrom);
  }
  if (end < 0) return hold(run);
  if (end + 1 - at > run.maxBytes) throw tooLong(placeAt(run, run.before + at, end + 1 - at));
  fill(run.record, bytes, at, keyEnd === undefined ? -1 : valueFrom - 1);
  setValue(run, valueFrom, end);
  lines.at = end + 1;
  lines.count++;
  return true;
}

/** The error for a line without the byte that ends its key. */
function keyless(run: LineRun, keyEnd: number, from: number): CliError {
  return lineError(placeAt(run, from, 0), before(Uint8Array.of(keyEnd)));
}

/** Sets the key of a record that begins at `from`, if the layout has one. */
function fill(record: ParsedRecord, bytes: Buffer, from: number, keyTo: number): void {
  record.valueBytes = bytes;
  if (keyTo < 0) return;
  record.keyBytes = bytes;
  record.keyStart = from;
  // A layout has no way to write null, so an empty key is null.
  record.keyLength = keyTo > from ? keyTo - from : -1;
}

function setValue({ record, emptyValue }: LineRun, from: number, to: number): void {
  record.valueStart = from;
  record.valueLength = to > from ? to - from : emptyValue;
}

/** Keeps the rest of the chunk, which is not a complete record. */
function hold(run: LineRun): boolean {
  const { lines } = run;
  append(run, lines.bytes.length);
  return run.held.length > 0 && endHeld(run);
}

function append({ held, lines }: LineRun, to: number): void {
  const { bytes, at } = lines;
  reserve(held, to - at);
  bytes.copy(held.bytes, held.length, at, to);
  held.length += to - at;
  lines.at = to;
}

/** Continues the held record, whose value ends at the first end byte after its key. */
function nextHeld(run: LineRun): boolean {
  const { lines, layout } = run;
  for (;;) {
    const end = lines.bytes.indexOf(layout.valueEnd, lines.at);
    if (end < 0) {
      append(run, lines.bytes.length);
      return endHeld(run);
    }
    append(run, end + 1);
    findKey(run);
    if (run.endsLines && layout.keyEnd !== undefined && run.heldKey < 0)
      throw keyless(run, layout.keyEnd, startOfHeld(run));
    if (layout.keyEnd === undefined || (run.heldKey >= 0 && run.heldKey < run.held.length - 1)) {
      return giveHeld(run, run.held.length - 1);
    }
  }
}

function findKey(run: LineRun): void {
  const { keyEnd } = run.layout;
  const { held } = run;
  if (keyEnd === undefined || run.heldKey >= 0) return;
  const index = held.bytes.indexOf(keyEnd, run.searched);
  if (index >= 0 && index < held.length) run.heldKey = index;
  else run.searched = held.length;
}

/** Returns the held data as a record whose value ends at `to`. */
function giveHeld(run: LineRun, to: number): boolean {
  const { held, lines } = run;
  if (held.length > run.maxBytes) throw tooLong(placeAt(run, startOfHeld(run), held.length));
  fill(run.record, held.bytes, 0, run.heldKey);
  setValue(run, run.heldKey + 1, to);
  run.isHeldOver = true;
  lines.count++;
  return true;
}

/**
 * Handles the end of a chunk: returns false, or true for a last line without its newline.
 * @throws CliError if a record is cut off or too long
 */
function endHeld(run: LineRun): boolean {
  const { held, layout } = run;
  findKey(run);
  const hasKey = layout.keyEnd === undefined || run.heldKey >= 0;
  const position = placeAt(run, startOfHeld(run), run.heldKey + 1);
  if (run.isEnded) {
    const isLine = layout.valueEnd === newline && hasKey && held.length > run.heldKey + 1;
    if (!isLine) throw endError(position, before(Uint8Array.of(hasKey ? layout.valueEnd : (layout.keyEnd ?? newline))));
    return giveHeld(run, held.length);
  }
  if (held.length > run.maxBytes) throw tooLong(position);
  return false;
}

function startOfHeld({ before, lines, held }: LineRun): number {
  return before + lines.at - held.length;
}

function placeAt({ lines, maxBytes, endsLines }: LineRun, consumed: number, at: number): InputPosition {
  return { count: lines.count, consumed, at, maxBytes, endsLines };
}
