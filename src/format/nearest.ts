/** What counts as close. */
interface Closeness {
  /** Counts the letters to insert, remove or replace. */
  distance(one: string, other: string): number;
  /** The most edits between a mistyped word and the word that was meant, by the letters of the longer one. */
  mostEdits(letters: number): number;
}

/**
 * Returns the candidate that `text` most likely stands for; undefined if none is close. Two swapped neighbors count as
 * one edit.
 */
export function closest(
  text: string,
  candidates: readonly string[],
  { distance, mostEdits }: Closeness,
): string | undefined {
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
  return best?.candidate;
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
