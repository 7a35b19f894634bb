/** Enough for any schema made by people. */
const mostNames = 2000;

/** Returns the name that `text` most likely stands for; undefined if none is close. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(Math.min(text.length, 60) / 3));
  let best: string | undefined;
  let fewest = most + 1;
  for (const name of names.slice(0, mostNames)) {
    if (Math.abs(name.length - text.length) > most || name.length > 60) continue;
    const edits = editsBetween(text.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [best, fewest] = [name, edits];
  }
  return best;
}

/** Counts the letters to insert, remove or replace, or neighbors to swap. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
