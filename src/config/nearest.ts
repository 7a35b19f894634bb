/**
 * Returns the candidate that `text` most likely stands for; undefined if none is close. A candidate that equals the
 * last part of `text` counts as close (`user` for `sasl.user`).
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
