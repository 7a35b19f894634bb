/**
 * Breaks one line at spaces into lines of at most `columns`, as measured by `measure`. A longer word is broken if
 * `breaksWords` is true; otherwise it exceeds the limit.
 */
export function wrapLine(
  text: string,
  columns: number,
  { measure, breaksWords }: { readonly measure: (text: string) => number; readonly breaksWords: boolean },
): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // Adds up the widths of the parts: measuring the line for every word would take seconds for a text of a megabyte.
  let lineColumns = 0;
  for (const word of text.split(' ')) {
    const wordColumns = measure(word);
    if (line === '' ? wordColumns <= columns : lineColumns + 1 + wordColumns <= columns) {
      lineColumns += wordColumns + (line === '' ? 0 : 1);
      line = line === '' ? word : `${line} ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breaksWords ? piecesOf(word, columns, measure) : [word];
    for (const piece of pieces.slice(0, -1)) lines.push(piece);
    line = pieces.at(-1) ?? '';
    lineColumns = measure(line);
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** Characters after which a long word breaks best. */
const breakable: ReadonlySet<string> = new Set(['-', '_', '.', '/', ',', ':']);

/** Characters that combine count on their own, so that a piece may be narrower than necessary. */
function piecesOf(word: string, columns: number, measure: (text: string) => number): readonly string[] {
  const known = new Map<string, number>();
  const pieces: string[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  let lastBreak = { end: 0, used: 0 };
  for (const character of word) {
    const size = known.get(character) ?? measure(character);
    known.set(character, size);
    if (end > start && used + size > columns) {
      // At a hyphen or the like, if that leaves no more than half of the line empty.
      const at = lastBreak.end > start && lastBreak.used * 2 >= used ? lastBreak : { end, used };
      pieces.push(word.slice(start, at.end));
      [start, used] = [at.end, used - at.used];
      lastBreak = { end: 0, used: 0 };
    }
    used += size;
    end += character.length;
    if (breakable.has(character)) lastBreak = { end, used };
  }
  return [...pieces, word.slice(start)];
}

const narrowest = 8;

/**
 * Reduces column widths until they fit into `available` columns in total: the widest are reduced first, none below
 * eight, and those that are `whole` not at all. Undefined if they still do not fit.
 */
export function fitColumns(
  natural: readonly number[],
  available: number,
  whole: readonly boolean[] = [],
): readonly number[] | undefined {
  for (let cap = Math.max(...natural, narrowest); cap >= narrowest; cap--) {
    const fitted = natural.map((width, column) => (whole[column] ? width : Math.min(width, cap)));
    if (fitted.reduce((sum, width) => sum + width, 0) <= available) return fitted;
  }
  return undefined;
}
