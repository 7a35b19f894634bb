import { createRequire } from 'node:module';
import type { styleText } from 'node:util';

/** A colour or weight of `node:util` styleText. */
export type Style = Parameters<typeof styleText>[0];

/** Colours text; whether to colour is the caller's decision, per stream. */
export function paint(style: Style, text: string): string {
  // Loaded when there is something to colour: importing node:util takes a millisecond of every start.
  const util = createRequire(import.meta.url)('node:util') as typeof import('node:util');
  return util.styleText(style, text, { validateStream: false });
}

/** Green for what is well, red for what failed, yellow for what is on its way or needs a look. */
export type Health = 'good' | 'bad' | 'pending';

const healthStyles = { good: 'green', bad: 'red', pending: 'yellow' } as const satisfies Record<Health, Style>;

/** A cell whose text says how something is; its colour only repeats that. */
export function healthCell(text: string, health: Health): { readonly text: string; readonly style: Style } {
  return { text, style: healthStyles[health] };
}
