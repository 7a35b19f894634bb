/**
 * The candidate that `text` was most likely meant to be; undefined when none is near. A candidate with
 * the same last part (`sasl.user` for `user`) counts as near.
 */
export async function nearest(text: string, candidates: readonly string[]): Promise<string | undefined> {
  const { closest, distance } = await import('fastest-levenshtein');
  const folded = text.toLowerCase();
  if (candidates.length === 0 || folded.length > 200) return undefined;
  const found = closest(folded, candidates.slice());
  if (distance(folded, found.toLowerCase()) <= Math.max(2, Math.floor(found.length / 3))) return found;
  const last = folded.split(/[._]/).at(-1);
  return candidates.find((candidate) => candidate === last);
}
