import { createArena, reserve, viewOver } from '../records/arena.ts';
import type { Lines } from '../records/batch-records.ts';
import { createOutgoingRecord } from '../records/batch-records.ts';
import { inputError, type LineLayout, type Place, type Program, spanWarning, tooLong } from './parse-run.ts';
import { defaultRecordBytes, type ParsedRecord, type ParserOptions, type RecordParser } from './parse-stream.ts';

const newline = 0x0a;
/** Memory beyond this is given back after the record that needed it. */
const keptBytes = 32 * 2 ** 20;

/** Where reading lines stands. A record that lies across pieces of the input is put together in `held`. */
interface LineRun {
  readonly layout: LineLayout;
  readonly record: ParsedRecord;
  /** The piece that is being read. */
  readonly lines: Lines;
  /** Input bytes before that piece. */
  before: number;
  readonly held: ReturnType<typeof createArena>;
  /** Where the key ends in `held`; -1 when that is not known. */
  heldKey: number;
  /** Where the search for that goes on. */
  searched: number;
  /** `held` is a record that was given out: it is over with the next. */
  isHeldOver: boolean;
  isEnded: boolean;
  readonly maxBytes: number;
  /** Undefined once it has been told. */
  warn: ParserOptions['warn'];
  readonly emptyValue: 0 | -1;
}

/**
 * A parser for layouts of one or two fields that each end at a byte (`%v\n`, `%k %v\n`): it does what the steps
 * of any other layout would do, without them. Every piece must be read to its end before the next is pushed.
 */
export function createLineParser(program: Program, layout: LineLayout, options: ParserOptions): RecordParser {
  const run = createLineRun(program, layout, options);
  // Keys and nulls are for `next` to see.
  const isBulk = layout.keyEnd === undefined && run.emptyValue === 0;
  return {
    record: run.record,
    get count() {
      return run.lines.count;
    },
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
      ...{ topic: undefined, partition: undefined, hasTimestamp: false, hasKey: program.hasKey },
    },
    lines: { bytes, view: viewOver(bytes), at: 0, count: 0, terminator: layout.valueEnd },
    ...{ before: 0, held: createArena(), heldKey: -1, searched: 0, isHeldOver: false, isEnded: false },
    maxBytes: options.maxRecordBytes ?? defaultRecordBytes,
    warn: options.warn,
    emptyValue: options.tombstones === true ? -1 : 0,
  };
}

/** Whether nothing is held any more: what was held is over once the caller asks for more. */
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

/** The next record of the piece, where it lies whole in it. */
function nextLine(run: LineRun): boolean {
  const { lines, layout } = run;
  const { bytes, at } = lines;
  const { keyEnd } = layout;
  let valueFrom = at;
  let end = bytes.indexOf(layout.valueEnd, at);
  if (keyEnd !== undefined) {
    const key = bytes.indexOf(keyEnd, at);
    if (key < 0) return hold(run);
    valueFrom = key + 1;
    // A key that holds the end of a value lacks its own end.
    if (end >= 0 && end < valueFrom) {
      end = bytes.indexOf(layout.valueEnd, valueFrom);
      if (end >= 0) warnOfSpan(run, bytes.subarray(at, end + 1));
    }
  }
  if (end < 0) return hold(run);
  if (end + 1 - at > run.maxBytes) throw tooLong(placeAt(run, run.before + at, end + 1 - at));
  fill(run.record, bytes, at, keyEnd === undefined ? -1 : valueFrom - 1);
  setValue(run, valueFrom, end);
  lines.at = end + 1;
  lines.count++;
  return true;
}

/** Warns once of a record that is more than its line. */
function warnOfSpan(run: LineRun, record: Buffer): void {
  if (run.warn === undefined || run.layout.valueEnd !== newline) return;
  const warning = spanWarning(run.lines, record);
  if (warning === undefined) return;
  run.warn(warning);
  run.warn = undefined;
}

/** Sets the key of a record that begins at `from`, where the layout has one. */
function fill(record: ParsedRecord, bytes: Buffer, from: number, keyTo: number): void {
  record.valueBytes = bytes;
  if (keyTo < 0) return;
  record.keyBytes = bytes;
  record.keyStart = from;
  // A layout cannot say null: an empty key is one.
  record.keyLength = keyTo > from ? keyTo - from : -1;
}

function setValue({ record, emptyValue }: LineRun, from: number, to: number): void {
  record.valueStart = from;
  record.valueLength = to > from ? to - from : emptyValue;
}

/** Keeps the rest of the piece, which is no whole record. */
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

/** Goes on with the record that is held; a value ends where a piece that is taken ends. */
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
    if (layout.keyEnd === undefined || (run.heldKey >= 0 && run.heldKey < run.held.length - 1)) {
      return giveHeld(run, run.held.length - 1);
    }
  }
}

function findKey(run: LineRun): void {
  const { keyEnd } = run.layout;
  const { held } = run;
  if (keyEnd === undefined || run.heldKey >= 0) return;
  const found = held.bytes.indexOf(keyEnd, run.searched);
  if (found >= 0 && found < held.length) run.heldKey = found;
  else run.searched = held.length;
}

/** What is held is a record: its value ends at `to`. */
function giveHeld(run: LineRun, to: number): boolean {
  const { held, lines } = run;
  if (held.length > run.maxBytes) throw tooLong(placeAt(run, startOfHeld(run), held.length));
  if (run.heldKey >= 0) warnOfSpan(run, held.bytes.subarray(0, to + 1));
  fill(run.record, held.bytes, 0, run.heldKey);
  setValue(run, run.heldKey + 1, to);
  run.isHeldOver = true;
  lines.count++;
  return true;
}

/** No more of this piece: false, or the last line without its newline. @throws CliError when a record is cut short or too long */
function endHeld(run: LineRun): boolean {
  const { held, layout } = run;
  findKey(run);
  const hasKey = layout.keyEnd === undefined || run.heldKey >= 0;
  const place = placeAt(run, startOfHeld(run), run.heldKey + 1);
  if (run.isEnded) {
    const isLine = layout.valueEnd === newline && hasKey && held.length > run.heldKey + 1;
    if (!isLine) throw inputError(place, 'the input ends inside the record');
    return giveHeld(run, held.length);
  }
  if (held.length > run.maxBytes) throw tooLong(place);
  return false;
}

function startOfHeld({ before, lines, held }: LineRun): number {
  return before + lines.at - held.length;
}

function placeAt({ lines, maxBytes }: LineRun, consumed: number, at: number): Place {
  return { count: lines.count, consumed, at, maxBytes };
}
