/**
 * Returns the candidate that `text` most likely stands for; undefined if none is close. Two swapped neighbors count as
 * one edit. A candidate that equals the last part of `text` counts as close (`user` for `sasl.user`).
 */
export async function nearest(text: string, candidates: readonly string[]): Promise<string | undefined> {
  const { distance } = await import('fastest-levenshtein');
  const folded = text.toLowerCase();
  if (folded.length > 200) return undefined;
  const swaps = swapsOf(folded);
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const most = mostEdits(Math.max(folded.length, other.length) - dashesOf(other));
    if (Math.abs(folded.length - other.length) > most) continue;
    const edits = swaps.has(other) ? 1 : distance(folded, other);
    if (edits <= most && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits };
  }
  const last = folded.split(/[._]/).at(-1);
  return best?.candidate ?? candidates.find((candidate) => candidate === last);
}

/** The most edits between a mistyped word and the word that was meant: with more, short words resemble any other. */
function mostEdits(letters: number): number {
  if (letters < 3) return 0;
  if (letters < 6) return 1;
  return Math.max(2, Math.floor(letters / 4));
}

function dashesOf(word: string): number {
  return /^-*/.exec(word)?.[0].length ?? 0;
}

/** The words that differ from `word` by two swapped neighbors. */
function swapsOf(word: string): ReadonlySet<string> {
  const letters = [...word];
  return new Set(
    letters.map((letter, at) =>
      [...letters.slice(0, at), letters[at + 1] ?? '', letter, ...letters.slice(at + 2)].join(''),
    ),
  );
}
