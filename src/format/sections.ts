import { printable } from './printable.ts';
import { plainView, type View } from './view.ts';

/** A titled part of a longer text. */
export interface Section {
  readonly title: string;
  /** Lines, each ending with a newline. */
  readonly body: string;
}

/**
 * Joins sections: the title in upper case, a line of `=` of the same length, the body; one empty line
 * between sections. A section that stands alone has no title unless `titles` is `always`.
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
