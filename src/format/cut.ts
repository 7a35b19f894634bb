import { width } from './width.ts';

/** Cuts a printable text to a number of terminal columns, with `ellipsis` at its end if something is missing. */
export function cut(text: string, columns: number, ellipsis = '…'): string {
  if (width(text) <= columns) return text;
  const room = columns - ellipsis.length;
  if (room < 0) return ellipsis.slice(0, Math.max(0, columns));
  let shown = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const segmentWidth = width(segment);
    if (used + segmentWidth > room) break;
    shown += segment;
    used += segmentWidth;
  }
  return shown + ellipsis;
}

/** Cuts or fills a printable text to exactly this number of terminal columns. */
export function cutOrFill(text: string, columns: number, align: 'left' | 'right', ellipsis?: string): string {
  const shown = cut(text, columns, ellipsis);
  const blanks = ' '.repeat(Math.max(0, columns - width(shown)));
  return align === 'left' ? shown + blanks : blanks + shown;
}
