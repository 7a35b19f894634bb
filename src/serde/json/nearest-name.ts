import { distance } from 'fastest-levenshtein';
import { closest } from '../../format/nearest.ts';

/** Enough for any schema made by people. */
const mostNames = 2000;

/** Returns the name of a schema that `text` most likely stands for; undefined if none is close. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  return closest(text, names.slice(0, mostNames), { distance, mostEdits });
}

/** Returns that name as the end of a sentence: `, such as "name"`; empty if none is close. */
export function nearestHint(text: string, names: readonly string[]): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? '' : `, such as "${nearest}"`;
}

/** Names of schemas are longer than options, and there are fewer to confuse. */
function mostEdits(letters: number): number {
  return Math.max(1, Math.floor(letters / 3));
}
