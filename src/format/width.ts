import { createRequire } from 'node:module';

const ascii = /^[\u0020-\u007e]*$/;

// Loading the Unicode tables takes as long as starting Node.js, and few tables need them.
const load = createRequire(import.meta.url);
let measure: ((text: string) => number) | undefined;

/** How long a text may be, in characters, for its width to be measured. */
export const longestMeasured = 10_000;

/**
 * The width of printable text in terminal columns; CJK characters and emoji take two. Text that is longer than any
 * line has its number of characters as its width, because measuring a megabyte of emoji takes seconds.
 */
export function width(text: string): number {
  if (text.length > longestMeasured || ascii.test(text)) return text.length;
  measure ??= (load('string-width') as typeof import('string-width')).default;
  return measure(text);
}
