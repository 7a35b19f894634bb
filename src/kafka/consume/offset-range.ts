import { usageError } from '../../errors.ts';
import { parseDuration } from '../../format/duration.ts';

/** A place in a partition, to be resolved to an actual offset. Times are milliseconds since the epoch. */
export type OffsetPlace =
  | { readonly at: 'start' }
  | { readonly at: 'end' }
  | { readonly at: 'exact'; readonly offset: bigint }
  | { readonly at: 'afterStart'; readonly count: bigint }
  | { readonly at: 'beforeEnd'; readonly count: bigint }
  | { readonly at: 'time'; readonly timestamp: number };

/** The range to read. `end` is exclusive; undefined: without end. */
export interface OffsetRange {
  readonly start: OffsetPlace;
  /** `end` means the log end at start-up. */
  readonly end: OffsetPlace | undefined;
}

const logStart: OffsetPlace = { at: 'start' };
const logEnd: OffsetPlace = { at: 'end' };

/** The forms of `--offset`, each with an example and its meaning. */
export const offsetForms: readonly (readonly [form: string, example: string, meaning: string])[] = [
  ['start', 'start', 'from the log start (default); also earliest, beginning, oldest'],
  ['end', 'end', 'only records written from now on; also latest, newest'],
  ['N', '42', 'from offset N'],
  ['+N', '+10', 'from N records after the log start, in each partition'],
  ['-N', '-10', 'from N records before the log end, in each partition'],
  ['N:M', '10:20', 'from offset N up to offset M (exclusive), then stop'],
  ['N:end', '10:end', 'from offset N to the current log end, then stop'],
  ['-N:end', '-10:end', 'the last N records of each partition, then stop'],
  ['+N:end', '+10:end', 'all but the first N records of each partition, then stop'],
  [':N', ':20', 'from the log start up to offset N (exclusive), then stop'],
  [':end', ':end', 'everything in the topic now, then stop'],
  ['@TIME', '@2024-01-31', 'from the first record at or after TIME'],
  ['@TIME:TIME', '@-2h:-1h', 'from the first TIME up to the second (exclusive), then stop'],
  ['@TIME:end', '@-1h:end', 'from TIME to the current log end, then stop'],
  ['@:TIME', '@:2024-01-31', 'from the log start up to TIME (exclusive), then stop'],
];

/** The forms of a TIME in `--offset`. */
export const timeForms: readonly (readonly [example: string, meaning: string])[] = [
  ['1706659200000', '13 digits: milliseconds since the epoch'],
  ['1706659200', '10 digits: seconds since the epoch'],
  ['2024-01-31', 'the start of that day in UTC'],
  ['2024-01-31T15:04:05Z', 'RFC 3339, also with a time zone such as +02:00'],
  ['-1h30m', 'a duration before now; as the second TIME, a duration after an absolute first one'],
];

const forms = `use ${offsetForms.map(([form]) => form).join(', ')}`;

/**
 * Parses `--offset`: a place (`start`, `end`, `N`, `+N`, `-N`), a range (`N:M`, `-N:end`), or times (`@2024-01-01`,
 * `@-1h:end`). Relative times count from `nowMs`.
 * @throws CliError (exit 2) when the text is not valid
 */
export function parseOffsetRange(text: string, nowMs: number): OffsetRange {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('@')) return readTimes(text, nowMs);
  if (text.startsWith('+')) return readRelativeOffset(text, 'afterStart');
  if (text.startsWith('-')) return readRelativeOffset(text, 'beforeEnd');
  return readOffsets(text);
}

const words: ReadonlyMap<string, OffsetRange> = new Map<string, OffsetRange>([
  ['start', { start: logStart, end: undefined }],
  ...['earliest', 'beginning', 'oldest'].map((word) => [word, { start: logStart, end: undefined }] as const),
  ['end', { start: logEnd, end: undefined }],
  ...['latest', 'newest'].map((word) => [word, { start: logEnd, end: undefined }] as const),
  [':end', { start: logStart, end: logEnd }],
]);

/** Parses `+N` and `-N`, and the forms with an end, which rpk does not have: `-N:end`, `+N:M`. */
function readRelativeOffset(text: string, at: 'afterStart' | 'beforeEnd'): OffsetRange {
  const [, digits = text.slice(1), tail] = /^.([^:]*):(.+)$/.exec(text) ?? [];
  const start = { at, count: readOffset(text, digits) };
  if (tail === undefined) return { start, end: undefined };
  return { start, end: tail === 'end' ? logEnd : exact(readOffset(text, tail)) };
}

/** Parses exact offsets: `N`, `N:`, `:N`, `N:M`, `N-M`, `N:end`, `N-end`. */
function readOffsets(text: string): OffsetRange {
  const colon = text.indexOf(':');
  const cut = colon >= 0 ? colon : text.indexOf('-');
  if (cut < 0) return { start: exact(readOffset(text, text)), end: undefined };
  const [from, to] = [text.slice(0, cut), text.slice(cut + 1)];
  if (from === '' && colon < 0) throw bad(text, `missing offset before "-"`);
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
  if (!/^\d+$/.test(digits)) {
    const reason = digits === '' ? 'missing offset' : `"${digits}" is not an offset`;
    // Other programs have -o for the output format.
    const isFormat = /^(json|yaml|wide|text)$/.test(text);
    if (isFormat) throw bad(text, reason, [`did you mean --format ${text}? -o is the offset here`]);
    throw bad(text, reason, /^\d{4}-\d\d-\d\d/.test(text) ? [`write @ before a time: -o @${text}`] : undefined);
  }
  const offset = BigInt(digits);
  if (offset > largest) throw bad(text, `${digits} is larger than the largest possible offset`);
  return offset;
}

/** A time parsed from the start of a text. */
interface ReadTime {
  readonly timestamp: number;
  /** The length of the parsed text, in characters. */
  readonly length: number;
  /** Whether the time is relative to another time. */
  readonly isRelative: boolean;
}

function readTimes(text: string, nowMs: number): OffsetRange {
  const body = text.slice(1);
  if (body === 'end') throw bad(text, 'the end is not a time (use end without @)');
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
    if (Number.isNaN(timestamp)) throw bad(whole, `"${match}" is not a valid date`);
    return { timestamp, length: match.length, isRelative: false };
  }
  const piece = text.split(':', 1)[0] ?? '';
  if (piece === '') throw bad(whole, 'missing time');
  return { timestamp: baseMs + readRelative(whole, piece), length: piece.length, isRelative: true };
}

/** Parses a date; NaN for dates that do not exist, such as February 30 (which Date would roll over to March). */
function readDate(text: string): number {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month < 1 || month > 12 || day < 1 || day > lastDay ? Number.NaN : Date.parse(text);
}

function readRelative(whole: string, piece: string): number {
  if (piece.startsWith('@')) {
    const once = `@${whole.slice(1).replace('@', '')}`;
    throw bad(whole, 'the second time has an @ as well', [`write @ once, before both: -o ${once}`]);
  }
  const isBack = piece.startsWith('-');
  try {
    const milliseconds = Number(parseDuration(isBack ? piece.slice(1) : piece) / 1_000_000n);
    return isBack ? -milliseconds : milliseconds;
  } catch {
    throw bad(whole, `"${piece}" is neither a time nor a duration`, [
      'use 13 digits (milliseconds), 10 digits (seconds), 2024-01-31, 2024-01-31T15:04:05Z or a duration such as -1h30m',
    ]);
  }
}

function bad(text: string, reason: string, hints: readonly string[] = [forms]): Error {
  return usageError(`invalid offset "${text}": ${reason}`, { code: 'INVALID_OFFSET', target: 'offset', hints });
}
