import { createRequire } from 'node:module';
import type { styleText } from 'node:util';

/** A color or weight of `styleText` from `node:util`. */
export type Style = Parameters<typeof styleText>[0];

/** Colors text; the caller decides for each stream whether to use color. */
export function paint(style: Style, text: string): string {
  // Loaded only when needed: importing node:util adds a millisecond to every start.
  const util = createRequire(import.meta.url)('node:util') as typeof import('node:util');
  return util.styleText(style, text, { validateStream: false });
}

/** The health shown by a color: green for good, red for failed, yellow for in progress or needing attention. */
export type Health = 'good' | 'bad' | 'pending';

const healthStyles = { good: 'green', bad: 'red', pending: 'yellow' } as const satisfies Record<Health, Style>;

/** A cell whose text states the health of something; the color only repeats it. */
export function healthCell(text: string, health: Health): { readonly text: string; readonly style: Style } {
  return { text, style: healthStyles[health] };
}
