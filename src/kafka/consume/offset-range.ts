import { usageError } from '../../errors.ts';
import { parseDuration } from '../../format/duration.ts';

/** A place in a partition, to be resolved against its real offsets. Times are milliseconds since the epoch. */
export type OffsetPlace =
  | { readonly at: 'start' }
  | { readonly at: 'end' }
  | { readonly at: 'exact'; readonly offset: bigint }
  | { readonly at: 'afterStart'; readonly count: bigint }
  | { readonly at: 'beforeEnd'; readonly count: bigint }
  | { readonly at: 'time'; readonly timestamp: number };

/** From where to where is read. `end` is exclusive; undefined: for ever. */
export interface OffsetRange {
  readonly start: OffsetPlace;
  /** `end` means the log end at start-up. */
  readonly end: OffsetPlace | undefined;
}

const logStart: OffsetPlace = { at: 'start' };
const logEnd: OffsetPlace = { at: 'end' };
const forms = 'use start, end, N, +N, -N, N:M, N:end, -N:end, :N, :end, @TIME, @TIME:TIME or @:TIME';

/**
 * Reads `--offset`: a place (`start`, `end`, `N`, `+N`, `-N`), a range (`N:M`, `-N:end`), or times
 * (`@2024-01-01`, `@-1h:end`), where relative ones count from `nowMs`.
 * @throws CliError (usage) that says what is wrong
 */
export function parseOffsetRange(text: string, nowMs: number): OffsetRange {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('@')) return readTimes(text, nowMs);
  if (text.startsWith('+')) return readRelativeOffset(text, 'afterStart');
  if (text.startsWith('-')) return readRelativeOffset(text, 'beforeEnd');
  return readOffsets(text);
}

const words: ReadonlyMap<string, OffsetRange> = new Map([
  ['start', { start: logStart, end: undefined }],
  ['oldest', { start: logStart, end: undefined }],
  ['end', { start: logEnd, end: undefined }],
  ['newest', { start: logEnd, end: undefined }],
  [':end', { start: logStart, end: logEnd }],
]);

/** `+N` and `-N`, and with an end, which rpk does not have: `-N:end`, `+N:M`. */
function readRelativeOffset(text: string, at: 'afterStart' | 'beforeEnd'): OffsetRange {
  const [, digits = text.slice(1), tail] = /^.([^:]*):(.+)$/.exec(text) ?? [];
  const start = { at, count: readOffset(text, digits) };
  if (tail === undefined) return { start, end: undefined };
  return { start, end: tail === 'end' ? logEnd : exact(readOffset(text, tail)) };
}

/** Exact offsets: `N`, `N:`, `:N`, `N:M`, `N-M`, `N:end`, `N-end`. */
function readOffsets(text: string): OffsetRange {
  const colon = text.indexOf(':');
  const cut = colon >= 0 ? colon : text.indexOf('-');
  if (cut < 0) return { start: exact(readOffset(text, text)), end: undefined };
  const [from, to] = [text.slice(0, cut), text.slice(cut + 1)];
  if (from === '' && colon < 0) throw bad(text, `an offset is missing before "-"`);
  const start = from === '' ? logStart : exact(readOffset(text, from));
  if (to === '' && colon >= 0 && from !== '') return { start, end: undefined };
  if (to === 'end') return { start, end: logEnd };
  const end = readOffset(text, to);
  if (start.at === 'exact' && end <= start.offset)
    throw bad(text, `the end ${end} is not after the start ${start.offset}`);
  return { start, end: exact(end) };
}

const exact = (offset: bigint): OffsetPlace => ({ at: 'exact', offset });
const largest = 2n ** 63n - 1n;

function readOffset(text: string, digits: string): bigint {
  if (!/^\d+$/.test(digits)) throw bad(text, digits === '' ? 'an offset is missing' : `"${digits}" is not an offset`);
  const offset = BigInt(digits);
  if (offset > largest) throw bad(text, `${digits} is larger than any offset`);
  return offset;
}

/** A time that was read from the beginning of a text. */
interface ReadTime {
  readonly timestamp: number;
  /** How much of the text it took. */
  readonly length: number;
  /** Whether it counted from another time. */
  readonly isRelative: boolean;
}

function readTimes(text: string, nowMs: number): OffsetRange {
  const body = text.slice(1);
  if (body === 'end') throw bad(text, 'nothing comes after the end (use end without @)');
  const first = body.startsWith(':') ? undefined : readTime(text, body, nowMs);
  const start: OffsetPlace = first === undefined ? logStart : { at: 'time', timestamp: first.timestamp };
  const rest = body.slice(first?.length ?? 0);
  if (first !== undefined && (rest === '' || rest === ':')) return { start, end: undefined };
  if (!rest.startsWith(':')) throw bad(text, `"${rest}" cannot follow a time`);
  const tail = rest.slice(1);
  if (tail === 'end') return { start, end: logEnd };
  // A relative end counts from an absolute start: `@2024-06-01:1h` is the first hour of that day.
  const base = first === undefined || first.isRelative ? nowMs : first.timestamp;
  const second = readTime(text, tail, base);
  if (second.length < tail.length) throw bad(text, `"${tail.slice(second.length)}" cannot follow the end`);
  if (first !== undefined && second.timestamp <= first.timestamp)
    throw bad(text, 'the end time is not after the start time');
  return { start, end: { at: 'time', timestamp: second.timestamp } };
}

const timestampForms: readonly (readonly [RegExp, (text: string) => number])[] = [
  [/^\d{13}(?=:|$)/, Number],
  [/^\d{10}(?=:|$)/, (text) => Number(text) * 1000],
  [/^\d{4}-\d\d-\d\d(?=:|$)/, (text) => readDate(`${text}T00:00:00Z`)],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)(?=:|$)/, readDate],
];

function readTime(whole: string, text: string, baseMs: number): ReadTime {
  for (const [pattern, read] of timestampForms) {
    const match = pattern.exec(text)?.[0];
    if (match === undefined) continue;
    const timestamp = read(match);
    if (Number.isNaN(timestamp)) throw bad(whole, `"${match}" is not a date of the calendar`);
    return { timestamp, length: match.length, isRelative: false };
  }
  const piece = text.split(':', 1)[0] ?? '';
  if (piece === '') throw bad(whole, 'a time is missing');
  return { timestamp: baseMs + readRelative(whole, piece), length: piece.length, isRelative: true };
}

/** NaN for what the calendar does not have, February 30 included (Date rolls it over to March). */
function readDate(text: string): number {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month < 1 || month > 12 || day < 1 || day > lastDay ? Number.NaN : Date.parse(text);
}

function readRelative(whole: string, piece: string): number {
  const isBack = piece.startsWith('-');
  try {
    const milliseconds = Number(parseDuration(isBack ? piece.slice(1) : piece) / 1_000_000n);
    return isBack ? -milliseconds : milliseconds;
  } catch {
    throw bad(whole, `"${piece}" is neither a time nor a duration`, [
      'a time is 13 digits (milliseconds), 10 digits (seconds), 2024-01-31, 2024-01-31T15:04:05Z, or a duration such as -1h30m',
    ]);
  }
}

function bad(text: string, reason: string, hints: readonly string[] = [forms]): Error {
  return usageError(`invalid offset "${text}": ${reason}`, { code: 'INVALID_OFFSET', target: 'offset', hints });
}
