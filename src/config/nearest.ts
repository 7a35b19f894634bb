import { closest } from '../format/nearest.ts';

/**
 * Returns the candidate that `text` most likely stands for; undefined if none is close. A candidate that equals the last
 * part of `text` counts as close (`user` for `sasl.user`).
 */
export async function nearest(text: string, candidates: readonly string[]): Promise<string | undefined> {
  if (text.length > 200) return undefined;
  const { distance } = await import('fastest-levenshtein');
  const last = text.toLowerCase().split(/[._]/).at(-1);
  return closest(text, candidates, { distance, mostEdits }) ?? candidates.find((candidate) => candidate === last);
}

/** With more edits, short words resemble any other. */
function mostEdits(letters: number): number {
  if (letters < 3) return 0;
  if (letters < 6) return 1;
  return Math.max(2, Math.floor(letters / 4));
}
