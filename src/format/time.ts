import { parseDuration } from './duration.ts';

/** Shows milliseconds since the epoch as an RFC 3339 time in UTC, for example `2026-11-21T09:00:00.5Z`. */
export function showUtcTime(epochMs: number): string {
  return `${trimZeros(new Date(epochMs).toISOString().slice(0, -1))}Z`;
}

/** The same in the time zone of this machine, with its offset: `2026-11-21T10:00:00.5+01:00`; in UTC with `Z`. */
export function showLocalTime(epochMs: number): string {
  const offset = -new Date(epochMs).getTimezoneOffset();
  const time = showUtcTime(epochMs + offset * 60_000);
  if (offset === 0) return time;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${time.slice(0, -1)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

function trimZeros(time: string): string {
  return time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

/** A time as typed, in milliseconds since the epoch, and whether it was a duration. */
export interface TypedTime {
  readonly timestamp: number;
  readonly isDuration: boolean;
}

/** The forms of a time, each with its meaning; the first column are examples. */
export const timeForms: readonly (readonly [example: string, meaning: string])[] = [
  [
    '-1h30m',
    'a duration before now. As the second TIME, after an absolute first one, 1h is a duration from that. Units: w d h m s ms',
  ],
  ['18:30', 'that time today, in the time zone of this machine; also 18:30:15'],
  ['yesterday 9:00', 'that time yesterday; also today 9:00, and yesterday alone: its beginning'],
  ['2024-01-31T15:04:05', 'that time in the time zone of this machine (TZ); also with a blank, and without seconds'],
  ['2024-01-31T15:04:05Z', 'the same in UTC, or in another zone: +02:00, +0200'],
  ['2024-01-31', 'the start of that day in UTC'],
  ['1706659200', '10 digits: seconds since the epoch; 13: milliseconds; 19: nanoseconds'],
];

/** A short list of the forms, for hints. */
export const timeFormsHint =
  'a time is -1h30m, 18:30, "yesterday 9:00", 2024-01-31T15:04:05 (local), 2024-01-31T15:04:05Z, 2024-01-31 (UTC), or 10, 13 or 19 digits since the epoch';

const date = String.raw`(\d{4}-\d\d-\d\d)`;
// Also the comma of log4j before the fraction of a second.
const clock = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
const dateTime = new RegExp(`^${date}(?:[Tt ]${clock}(?: ?([Zz]|[+-]\\d\\d(?::?\\d\\d)?))?)?$`);
const dayTime = new RegExp(`^(?:(today|yesterday)(?: +|$))?(?:${clock})?$`, 'i');
const duration = /^([+-]?)(?:(\d+)w)?(?:(\d+)d)?(.*)$/;

/** The largest time of a Date. */
const latestMs = 8.64e15;

/**
 * Reads a time in one of `timeForms`. Durations count from `baseMs`, and a time without a day is on that day.
 * @returns undefined for a text that is not a time, or a day that does not exist
 */
export function readTime(text: string, baseMs: number): TypedTime | undefined {
  const timestamp = absoluteTime(text, baseMs);
  if (timestamp !== undefined) return Number.isNaN(timestamp) ? undefined : { timestamp, isDuration: false };
  const milliseconds = durationOf(text);
  if (milliseconds === undefined || baseMs + milliseconds > latestMs) return undefined;
  // Negative times have other meanings in the protocol; no record is older than 1970.
  return { timestamp: Math.max(0, baseMs + milliseconds), isDuration: true };
}

/** Returns what a text is that `readTime` does not read. */
export function timeFault(text: string): string {
  return dateTime.test(text) || dayTime.test(text) ? 'not a valid date or time of day' : 'not a time';
}

/** Undefined for another form, NaN for a time that does not exist. */
function absoluteTime(text: string, baseMs: number): number | undefined {
  if (text.toLowerCase() === 'now') return baseMs;
  if (/^\d{19}$/.test(text)) return Number(BigInt(text) / 1_000_000n);
  if (/^\d{13}$/.test(text)) return Number(text);
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  const [, day, ...clockAndZone] = dateTime.exec(text) ?? [];
  if (day !== undefined) return readDateTime(day, clockAndZone);
  const [isDayTime, word, hours = '0', minutes = '0', seconds = '0'] = dayTime.exec(text) ?? [];
  if (isDayTime === undefined || text === '') return undefined;
  return onDayOf(baseMs, word?.toLowerCase() === 'yesterday' ? -1 : 0, [hours, minutes, seconds].map(Number));
}

function readDateTime(day: string, [hours, minutes, seconds = '00', fraction = '0', zone = '']: string[]): number {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  // Date would read February 30 as March 2.
  if (dayOfMonth > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
  if (hours === undefined) return Date.parse(`${day}T00:00:00Z`);
  const offset = zone.toUpperCase().replace(/^(...):?(\d\d)?$/, (_, hour, minute = '00') => `${hour}:${minute}`);
  return Date.parse(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.slice(0, 3)}${offset}`);
}

/** A time of day in the time zone of this machine. */
function onDayOf(baseMs: number, days: number, [hours = 0, minutes = 0, seconds = 0]: readonly number[]): number {
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  const time = new Date(baseMs);
  time.setDate(time.getDate() + days);
  return time.setHours(hours, minutes, seconds, 0);
}

function durationOf(text: string): number | undefined {
  const [, sign, weeks = '0', days = '0', rest = ''] = duration.exec(text) ?? [];
  if (/^[+-]/.test(rest) || text === '' || text === sign) return undefined;
  try {
    const nanoseconds = rest === '' ? 0n : parseDuration(rest);
    const milliseconds = (Number(weeks) * 7 + Number(days)) * 86_400_000 + Number(nanoseconds / 1_000_000n);
    return sign === '-' ? -milliseconds : milliseconds;
  } catch {
    return undefined;
  }
}

/** Shows a duration in milliseconds for progress lines, for example `850ms`, `12s`, `3m05s`, `2h10m`. */
export function showElapsed(milliseconds: number): string {
  const rounded = Math.round(milliseconds);
  if (rounded < 1000) return `${rounded}ms`;
  const seconds = Math.floor(rounded / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
