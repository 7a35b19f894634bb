/** A day in UTC, in the Gregorian calendar, also before its introduction. */
interface DayParts {
  /** Days since the epoch. */
  readonly days: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 to 366. */
  readonly yearDay: number;
}

/** The parts of a date and time in UTC. */
export interface DateParts extends DayParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Milliseconds within the second. */
  readonly fraction: number;
}

const dayMs = 86_400_000;
/** The calendar repeats after this many years and days. */
const cycleYears = 400;
const cycleDays = 146_097;

/**
 * Splits a timestamp in milliseconds since the epoch into its parts. Any 64-bit timestamp is valid, while `Date` has a
 * smaller range.
 */
export function dateParts(time: number | bigint): DateParts {
  const ofDay = typeof time === 'bigint' ? Number(time % BigInt(dayMs)) : time % dayMs;
  const milliseconds = ofDay < 0 ? ofDay + dayMs : ofDay;
  const midnight = typeof time === 'bigint' ? time - BigInt(milliseconds) : time - milliseconds;
  const days = typeof midnight === 'bigint' ? Number(midnight / BigInt(dayMs)) : midnight / dayMs;
  return {
    ...dayParts(days),
    hour: Math.floor(milliseconds / 3_600_000),
    minute: Math.floor(milliseconds / 60_000) % 60,
    second: Math.floor(milliseconds / 1000) % 60,
    fraction: milliseconds % 1000,
  };
}

function dayParts(days: number): DayParts {
  const cycles = Math.floor(days / cycleDays);
  const date = new Date((days - cycles * cycleDays) * dayMs);
  const newYear = Date.UTC(date.getUTCFullYear(), 0, 1);
  return {
    days,
    year: date.getUTCFullYear() + cycles * cycleYears,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - newYear) / dayMs) + 1,
  };
}

/** Names of days, Sunday first. */
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Pads a number with leading zeros. */
export function zeros(value: number, width: number): string {
  return value < 0 ? `-${zeros(-value, width)}` : String(value).padStart(width, '0');
}

const spaces = (value: number, width = 2) => String(value).padStart(width, ' ');
/** The English name of the day. */
export const weekdayName = (date: DateParts) => weekdays[date.weekday] ?? '';
/** The English name of the month. */
export const monthName = (date: DateParts) => months[date.month - 1] ?? '';
/** The hour of a clock with twelve hours. */
export const hour12 = (date: DateParts) => date.hour % 12 || 12;
const halfDay = (date: DateParts) => (date.hour < 12 ? 'AM' : 'PM');
const clock = (date: DateParts) => `${zeros(date.hour, 2)}:${zeros(date.minute, 2)}:${zeros(date.second, 2)}`;

/** Returns the year and number of the ISO 8601 week; a week belongs to the year of its Thursday. */
function isoWeek(date: DateParts): { readonly year: number; readonly week: number } {
  const thursday = dayParts(date.days + 3 - ((date.weekday + 6) % 7));
  return { year: thursday.year, week: Math.floor((thursday.yearDay - 1) / 7) + 1 };
}

type Conversion = (date: DateParts) => string;

const conversions: Readonly<Record<string, Conversion>> = {
  a: (date) => weekdayName(date).slice(0, 3),
  A: weekdayName,
  b: (date) => monthName(date).slice(0, 3),
  B: monthName,
  c: (date) => strftime(date, '%a %b %e %T %Y'),
  C: (date) => zeros(Math.floor(date.year / 100), 2),
  d: (date) => zeros(date.day, 2),
  D: (date) => strftime(date, '%m/%d/%y'),
  e: (date) => spaces(date.day),
  F: (date) => `${date.year}-${zeros(date.month, 2)}-${zeros(date.day, 2)}`,
  g: (date) => zeros(isoWeek(date).year % 100, 2),
  G: (date) => String(isoWeek(date).year),
  h: (date) => monthName(date).slice(0, 3),
  H: (date) => zeros(date.hour, 2),
  I: (date) => zeros(hour12(date), 2),
  j: (date) => zeros(date.yearDay, 3),
  k: (date) => spaces(date.hour),
  l: (date) => spaces(hour12(date)),
  m: (date) => zeros(date.month, 2),
  M: (date) => zeros(date.minute, 2),
  n: () => '\n',
  p: halfDay,
  P: (date) => halfDay(date).toLowerCase(),
  r: (date) => strftime(date, '%I:%M:%S %p'),
  R: (date) => `${zeros(date.hour, 2)}:${zeros(date.minute, 2)}`,
  s: ({ days, hour, minute, second }) => String(BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second)),
  S: (date) => zeros(date.second, 2),
  t: () => '\t',
  T: clock,
  u: (date) => String(date.weekday || 7),
  U: (date) => zeros(Math.floor((date.yearDay + 7 - date.weekday) / 7), 2),
  V: (date) => zeros(isoWeek(date).week, 2),
  w: (date) => String(date.weekday),
  W: (date) => zeros(Math.floor((date.yearDay + 7 - ((date.weekday + 6) % 7)) / 7), 2),
  x: (date) => strftime(date, '%d/%m/%y'),
  X: clock,
  y: (date) => zeros(date.year % 100, 2),
  Y: (date) => String(date.year),
  z: () => '+0000',
  Z: () => 'UTC',
  '+': (date) => strftime(date, '%a %b %e %T UTC %Y'),
  '%': () => '%',
};

/**
 * Formats a date in UTC like C's strftime in the C locale. `%E` and `%O` with the letter after them give nothing;
 * unknown conversions are copied.
 */
export function strftime(date: DateParts, layout: string): string {
  return layout.replace(/%[EO][A-Za-z]|%[\s\S]/g, (specification) => {
    const letter = specification.charAt(1);
    if (specification.length === 3) return '';
    return Object.hasOwn(conversions, letter) ? (conversions[letter]?.(date) ?? specification) : specification;
  });
}
