import { printable } from './printable.ts';
import { plainView, type View } from './view.ts';

/** A part of a longer text, with a title. */
export interface Section {
  readonly title: string;
  /** Lines that each end with a newline. */
  readonly body: string;
}

/**
 * Joins sections, separated by an empty line. A section is its title in upper case, a line of `=` of the same length,
 * and its body. A single section has no title unless `titles` is `always`.
 */
export function sections(
  parts: readonly Section[],
  view: View = plainView,
  titles: 'several' | 'always' = 'several',
): string {
  const titled = !view.noHeaders && (parts.length > 1 || titles === 'always');
  return parts.map((part) => (titled ? heading(part.title) : '') + part.body).join('\n');
}

function heading(text: string): string {
  const title = printable(text);
  return `${title.toUpperCase()}\n${'='.repeat(title.length)}\n`;
}
