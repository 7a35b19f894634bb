/** A date in UTC, taken apart once per value. */
export interface DateParts {
  readonly milliseconds: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Milliseconds within the second. */
  readonly fraction: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 to 366. */
  readonly yearDay: number;
}

const dayMs = 86_400_000;

/** Takes a timestamp in milliseconds apart. Outside the calendar of JavaScript (8.64e15 ms) it is clamped. */
export function dateParts(milliseconds: number): DateParts {
  const date = new Date(Math.min(Math.max(milliseconds, -8.64e15), 8.64e15));
  const year = date.getUTCFullYear();
  const newYear = new Date(0);
  newYear.setUTCFullYear(year, 0, 1);
  return {
    milliseconds,
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    fraction: date.getUTCMilliseconds(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - newYear.getTime()) / dayMs) + 1,
  };
}

/** Names of days, Sunday first. */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
/** Names of months. */
export const months = [
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

/** Digits with zeros in front. */
export function zeros(value: number, width: number): string {
  return value < 0 ? `-${zeros(-value, width)}` : String(value).padStart(width, '0');
}

const spaces = (value: number, width = 2) => String(value).padStart(width, ' ');
const weekdayName = (date: DateParts) => weekdays[date.weekday] ?? '';
const monthName = (date: DateParts) => months[date.month - 1] ?? '';
const hour12 = (date: DateParts) => date.hour % 12 || 12;
const halfDay = (date: DateParts) => (date.hour < 12 ? 'AM' : 'PM');
const clock = (date: DateParts) => `${zeros(date.hour, 2)}:${zeros(date.minute, 2)}:${zeros(date.second, 2)}`;

/** The year and number of the ISO 8601 week: the week belongs to the year that has its Thursday. */
function isoWeek(date: DateParts): { readonly year: number; readonly week: number } {
  const thursday = dateParts(date.milliseconds + (3 - ((date.weekday + 6) % 7)) * dayMs);
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
  s: (date) => String(Math.floor(date.milliseconds / 1000)),
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
 * Formats a date in UTC after C's strftime, locale C. `%E` and `%O` with the letter behind them
 * give nothing; what is unknown is copied.
 */
export function strftime(date: DateParts, layout: string): string {
  return layout.replace(/%[EO][A-Za-z]|%[\s\S]/g, (specification) => {
    const letter = specification.charAt(1);
    if (specification.length === 3) return '';
    return Object.hasOwn(conversions, letter) ? (conversions[letter]?.(date) ?? specification) : specification;
  });
}
