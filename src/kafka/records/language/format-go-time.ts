import { type DateParts, hour12, monthName, weekdayName, zeros } from './format-strftime.ts';

type Piece = (date: DateParts) => string;

const spaced = (value: number, width: number) => String(value).padStart(width, ' ');
/** A short name is a token only if no lower-case letter follows: `Jan`, but not `Janet`. */
const wordEnd = '(?![a-z])';

/** The tokens of Go's reference time, Mon Jan 2 15:04:05 MST 2006; among overlapping ones the longest comes first. */
const tokens: readonly (readonly [string, Piece])[] = [
  ['January', monthName],
  [`Jan${wordEnd}`, (date) => monthName(date).slice(0, 3)],
  ['Monday', weekdayName],
  [`Mon${wordEnd}`, (date) => weekdayName(date).slice(0, 3)],
  ['MST', () => 'UTC'],
  ['2006', (date) => zeros(date.year, 4)],
  ['_2006', (date) => `_${zeros(date.year, 4)}`],
  ['__2', (date) => spaced(date.yearDay, 3)],
  ['_2', (date) => spaced(date.day, 2)],
  ['002', (date) => zeros(date.yearDay, 3)],
  ['01', (date) => zeros(date.month, 2)],
  ['02', (date) => zeros(date.day, 2)],
  ['03', (date) => zeros(hour12(date), 2)],
  ['04', (date) => zeros(date.minute, 2)],
  ['05', (date) => zeros(date.second, 2)],
  ['06', (date) => zeros(date.year % 100, 2)],
  ['15', (date) => zeros(date.hour, 2)],
  ['1', (date) => String(date.month)],
  ['2', (date) => String(date.day)],
  ['3', (date) => String(hour12(date))],
  ['4', (date) => String(date.minute)],
  ['5', (date) => String(date.second)],
  ['PM', (date) => (date.hour < 12 ? 'AM' : 'PM')],
  ['pm', (date) => (date.hour < 12 ? 'am' : 'pm')],
  ['Z07:00:00|Z070000|Z07:00|Z0700|Z07', () => 'Z'],
  ['-07:00:00', () => '+00:00:00'],
  ['-070000', () => '+000000'],
  ['-07:00', () => '+00:00'],
  ['-0700', () => '+0000'],
  ['-07', () => '+00'],
];

const fraction = '[.,](?:0+|9+)(?![0-9])';
/** The order matters: a regular expression takes the first alternative that matches. */
const order = ['_2006', '2006', 'January', 'Monday', '__2', '_2', '002'];
const sorted = [
  ...order.flatMap((source) => tokens.filter(([candidate]) => candidate === source)),
  ...tokens.filter(([source]) => !order.includes(source)),
];
const matcher = new RegExp(
  [...sorted.map(([source]) => source), fraction].map((source) => `(${source})`).join('|'),
  'g',
);

/** Compiles a layout of Go's time package into a function of the date, which is always in UTC. */
export function compileGoTime(layout: string): Piece {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of layout.matchAll(matcher)) {
    const before = layout.slice(at, match.index);
    if (before !== '') pieces.push(() => before);
    const index = match.slice(1).findIndex((group) => group !== undefined);
    pieces.push(sorted[index]?.[1] ?? fractionPiece(match[0]));
    at = match.index + match[0].length;
  }
  const rest = layout.slice(at);
  return (date) => pieces.map((piece) => piece(date)).join('') + rest;
}

/** Prints a fraction of a second: `.000` as many digits, `.999` without trailing zeros, and nothing if it is zero. */
function fractionPiece(token: string): Piece {
  const digits = token.length - 1;
  const separator = token.charAt(0);
  return (date) => {
    const text = zeros(date.fraction, 3).padEnd(digits, '0').slice(0, digits);
    if (token.charAt(1) === '0') return separator + text;
    const trimmed = text.replace(/0+$/, '');
    return trimmed === '' ? '' : separator + trimmed;
  };
}
