/** A line of a comparison: only in the old text (`-`), only in the new one (`+`), or in both (a space). */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The largest table of the comparison, in cells; beyond it, everything between the common ends counts as changed. */
const mostCells = 4_000_000;

/** Compares two texts line by line, with the fewest changed lines. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  return [
    ...lines(' ', old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...lines(' ', old.slice(old.length - end)),
  ];
}

/** Leaves out lines that are more than `context` lines from a change; a gap becomes undefined. */
export function aroundChanges(diff: readonly DiffLine[], context: number): readonly (DiffLine | undefined)[] {
  const near = new Set<number>();
  for (const [at, { sign }] of diff.entries()) {
    if (sign === ' ') continue;
    for (let other = at - context; other <= at + context; other += 1) near.add(other);
  }
  const shown: (DiffLine | undefined)[] = [];
  for (const [at, line] of diff.entries()) {
    if (near.has(at)) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown;
}

function lines(sign: DiffLine['sign'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ sign, text }));
}

/** Compares by the longest common subsequence. */
function middle(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  if (old.length * fresh.length > mostCells) return [...lines('-', old), ...lines('+', fresh)];
  const lengthAt = commonLengths(old, fresh);
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      diff.push({ sign: ' ', text: old[i] ?? '' });
      [i, j] = [i + 1, j + 1];
    } else if (j >= fresh.length || (i < old.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      diff.push({ sign: '-', text: old[i] ?? '' });
      i += 1;
    } else {
      diff.push({ sign: '+', text: fresh[j] ?? '' });
      j += 1;
    }
  }
  return diff;
}

/** The length of the longest common subsequence from each pair of lines on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): (i: number, j: number) => number {
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const lengthAt = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        old[i] === fresh[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  return lengthAt;
}
