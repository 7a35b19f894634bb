import type { Context } from '../context.ts';
import { invalidError } from '../errors.ts';
import { readTime, showLocalTime, timeFault, timeFormsHint } from '../format/time.ts';
import {
  isClock,
  type OffsetPlace,
  type OffsetRange,
  parseOffsetRange,
} from '../kafka/streams/consume/offset-words.ts';
import { text } from '../kinds.ts';

/** A time, in one of the forms of `format/time.ts`. */
export const time = { ...text, hint: 'TIME' } as const;

/**
 * Returns the milliseconds since the epoch of a time of flags such as `--since`, where a duration without a sign is
 * before now as well.
 * @throws CliError (exit 2) naming the flag
 */
export function momentOf(word: string, flagName: string, nowMs: number): number {
  const isDuration = /^\d+(\.\d+)?[a-zµμ]/.test(word);
  const typed = readTime(isDuration ? `-${word}` : word, nowMs);
  if (typed !== undefined) return typed.timestamp;
  throw invalidError(`invalid value "${word}" of ${flagName}: ${timeFault(word)}`, {
    target: flagName,
    hints: [timeFormsHint],
  });
}

const endHint = 'use end for the end of the log';

type Messages = Pick<Context, 'host' | 'notice'>;

/** A day without a time, which is in UTC while other times are local. */
const bareDay = /\d{4}-\d\d-\d\d(?![Tt ]?\d)/;

/** Says what a word means that is easily taken for something else. */
function noticeMeaning({ notice }: Messages, word: string, { start, end }: OffsetRange): void {
  if (isClock(word) && start.at === 'exact' && end?.at === 'exact') {
    notice(`-o ${word} is offsets ${start.offset} to ${end.offset}; for the time of day, use -o @${word}`);
  }
  const times = timesOf({ start, end });
  const isLocal = times.every((time) => showLocalTime(time).endsWith('Z'));
  if (bareDay.test(word) && !isLocal) {
    notice(`-o ${word} is ${times.map(showLocalTime).join(' to ')}: a day without a time is in UTC`);
  }
}

function timesOf({ start, end }: OffsetRange): readonly number[] {
  return [start, end].flatMap((place) => (place?.at === 'time' ? [place.timestamp] : []));
}

/**
 * Reads an offset or a range of a command that only reads. A time in the future is allowed there, and a notice says it.
 * @param word as typed, for example `@-1h` or `10:end`
 */
export function rangeToRead(context: Messages, word: string): OffsetRange {
  const nowMs = context.host.now();
  const range = parseOffsetRange(word, nowMs);
  const future = futureOf(word, range, nowMs);
  if (future !== undefined) context.notice([`-o ${word} ${future.fault}`, ...future.hints].join('; '));
  else noticeMeaning(context, word, range);
  return range;
}

/**
 * Reads an offset or a range of a command that deletes, moves or copies, and says which moments its times are.
 * @throws CliError (exit 2) for a time in the future
 */
export function rangeToChange(context: Messages, word: string): OffsetRange {
  const nowMs = context.host.now();
  const range = parseOffsetRange(word, nowMs);
  const future = futureOf(word, range, nowMs);
  if (future !== undefined) {
    throw invalidError(`invalid offset "${word}": it ${future.fault}`, {
      target: 'offset',
      hints: future.hints.length > 0 ? future.hints : [endHint],
    });
  }
  const times = timesOf(range);
  if (times.length === 0) noticeMeaning(context, word, range);
  else context.notice(`${word} is ${times.map(showLocalTime).join(' to ')}`);
  return range;
}

/**
 * Reads a time where a group may be moved to, and says which moment it is. An @ before it is the same.
 * @throws CliError (exit 2) naming the flag for a text that is no time, and for a time in the future
 */
export function timeToChange(context: Messages, given: string, flagName: string): number {
  const nowMs = context.host.now();
  const word = given.replace(/^@/, '');
  const typed = readTime(word, nowMs);
  if (typed === undefined) {
    throw invalidError(`invalid value "${given}" of ${flagName}: ${timeFault(word)}`, {
      target: flagName,
      hints: ['use start, end, N, +N, -N or a time', timeFormsHint],
    });
  }
  const place: OffsetPlace = { at: 'time', timestamp: typed.timestamp };
  const future = futureOf(`@${word}`, { start: place, end: undefined }, nowMs);
  if (future !== undefined) {
    throw invalidError(`invalid value "${given}" of ${flagName}: it ${future.fault}`, {
      target: flagName,
      hints: future.hints.length > 0 ? future.hints.map((hint) => hint.replace('@', '')) : [endHint],
    });
  }
  context.notice(`${given} is ${showLocalTime(typed.timestamp)}`);
  return typed.timestamp;
}

/** What is wrong with a range that begins or ends in the future, and what was probably meant; undefined if it does neither. */
export function futureOf(
  word: string,
  { start, end }: OffsetRange,
  nowMs: number,
): { readonly fault: string; readonly hints: readonly string[] } | undefined {
  const place = [start, end].find((one) => isAfter(one, nowMs));
  if (place?.at !== 'time') return undefined;
  const verb = end === undefined ? 'is' : place === end ? 'ends' : 'begins';
  const meant = pastForm(word, nowMs);
  return {
    fault: `${verb} in the future (${showLocalTime(place.timestamp)})`,
    hints: meant === undefined ? [] : [`did you mean ${meant}?`],
  };
}

function isAfter(place: OffsetPlace | undefined, nowMs: number): boolean {
  return place?.at === 'time' && place.timestamp > nowMs;
}

/** The same text with its durations before now, and its times of day yesterday; undefined if that is in the future, too. */
function pastForm(word: string, nowMs: number): string | undefined {
  const back = word
    .replace(/(^@?|:)\+?(?=\d[\d.]*[a-zµμ])/g, '$1-')
    .replace(/^@(today )?(?=\d{1,2}:\d\d(:\d\d)?$)/, '@yesterday ');
  try {
    const { start, end } = parseOffsetRange(back, nowMs);
    const isPast = back !== word && ![start, end].some((place) => isAfter(place, nowMs));
    return isPast ? back : undefined;
  } catch {
    return undefined;
  }
}
