import { invalidError } from '../../../errors.ts';
import { readTime, type TypedTime, timeFault, timeFormsHint } from '../../../format/time.ts';

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
  ['+N', '+10', 'from N offsets after the log start, in each partition'],
  ['-N', '-10', 'from N offsets before the log end, in each partition'],
  ['N:M', '10:20', 'from offset N up to offset M (exclusive), then stop'],
  ['N:end', '10:end', 'from offset N to the current log end, then stop'],
  ['-N:end', '-10:end', 'the last N offsets of each partition, then stop'],
  ['+N:end', '+10:end', 'all but the first N offsets of each partition, then stop'],
  [':N', ':20', 'from the log start up to offset N (exclusive), then stop'],
  [':end', ':end', 'everything in the topic now, then stop'],
  ['@TIME', '@2024-01-31', 'from the first record at or after TIME'],
  ['@TIME:TIME', '@-2h:-1h', 'from the first TIME up to the second (exclusive), then stop'],
  ['@TIME:end', '@-1h:end', 'from TIME to the current log end, then stop'],
  ['@:TIME', '@:2024-01-31', 'from the log start up to TIME (exclusive), then stop'],
];

const forms =
  'for example -o -10:end (the last 10), -o @-24h (the last day), -o :end (everything now); all forms: weir help offsets';

/**
 * Parses `--offset`: a place (`start`, `end`, `N`, `+N`, `-N`), a range (`N:M`, `-N:end`), or times (`@2024-01-01`,
 * `@-1h:end`). Relative times count from `nowMs`.
 * @throws CliError (exit 2) when the text is not valid
 */
export function parseOffsetRange(text: string, nowMs: number): OffsetRange {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('@')) return readTimes(text, text.slice(1), nowMs);
  if (startsWithTime.test(text)) return readTimes(text, text, nowMs);
  if (text.startsWith('+')) return readRelativeOffset(text, 'afterStart');
  if (text.startsWith('-')) return readRelativeOffset(text, 'beforeEnd');
  return readOffsets(text);
}

/** What cannot be an offset needs no @: a date, a duration, a day. */
const startsWithTime = /^(\d{4}-\d\d-\d\d|[+-]?\d[\d.]*[a-z\u00b5\u03bc]|(now|today|yesterday)\b)/i;

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
  if (from === 'end') throw bad(text, 'end cannot be the start of a range');
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
    throw bad(text, reason);
  }
  const offset = BigInt(digits);
  if (offset > largest) throw bad(text, `${digits} is larger than the largest possible offset`);
  return offset;
}

/** After an absolute first time: `@2024-06-01:1h` is the first hour of that day, and `18:30` is on that day. */
const countsFromFirst = /^\d+(\.\d+)?[a-z\u00b5\u03bc]|^\d{1,2}:\d\d/;

/** Parses `TIME`, `TIME:TIME`, `TIME:end` and `:TIME`. Times may contain colons: the range ends at the last one that fits. */
function readTimes(text: string, body: string, nowMs: number): OffsetRange {
  if (body === 'end') throw bad(text, 'the end is not a time (use end without @)');
  const whole = readTime(body, nowMs);
  if (whole !== undefined) return { start: timePlace(whole), end: undefined };
  let wrong = body.replace(/:(end)?$/, '');
  for (const { index: colon } of [...body.matchAll(/:/g)].reverse()) {
    const first = readTime(body.slice(0, colon), nowMs);
    if (first === undefined && colon > 0) continue;
    const tail = body.slice(colon + 1);
    const start = first === undefined ? logStart : timePlace(first);
    if (tail === '' && first !== undefined) return { start, end: undefined };
    if (tail === 'end') return { start, end: logEnd };
    const second = readSecondTime(tail, first, nowMs);
    if (second !== undefined) return { start, end: endAfter(text, first, second) };
    wrong = tail;
  }
  throw notTime(text, wrong);
}

function readSecondTime(text: string, first: TypedTime | undefined, nowMs: number): TypedTime | undefined {
  const isFromFirst = first !== undefined && !first.isDuration && countsFromFirst.test(text);
  return readTime(text, isFromFirst ? first.timestamp : nowMs);
}

function endAfter(text: string, first: TypedTime | undefined, second: TypedTime): OffsetPlace {
  if (first !== undefined && second.timestamp <= first.timestamp) {
    throw bad(text, 'the end time is not after the start time');
  }
  return timePlace(second);
}

function timePlace({ timestamp }: TypedTime): OffsetPlace {
  return { at: 'time', timestamp };
}

function notTime(text: string, wrong: string): Error {
  if (wrong === '') return bad(text, 'missing time');
  if (!wrong.includes('@')) return bad(text, `"${wrong}" is ${timeFault(wrong)}`, [timeFormsHint]);
  return bad(text, 'the second time has an @ as well', [`write @ once, before both: -o @${text.replaceAll('@', '')}`]);
}

/** Whether a text may be meant as a time of day, for which there is no @: `18:30` is a range of offsets. */
export function isClock(text: string): boolean {
  return /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text);
}

function bad(text: string, reason: string, hints: readonly string[] = hintsFor(text)): Error {
  return invalidError(`invalid offset "${text}": ${reason}`, { code: 'INVALID_OFFSET', target: 'offset', hints });
}

function hintsFor(text: string): readonly string[] {
  return isClock(text) ? [`for the time of day, write: -o @${text}`] : [forms];
}
