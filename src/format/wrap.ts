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

/** Characters that combine count on their own, so that a piece may be narrower than necessary. */
function piecesOf(word: string, columns: number, measure: (text: string) => number): readonly string[] {
  const known = new Map<string, number>();
  const pieces: string[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  for (const character of word) {
    const size = known.get(character) ?? measure(character);
    known.set(character, size);
    if (end > start && used + size > columns) {
      const cut = breakIn(word, start, end);
      pieces.push(word.slice(start, cut));
      [start, used] = [cut, cut === end ? 0 : measure(word.slice(cut, end))];
    }
    used += size;
    end += character.length;
  }
  return [...pieces, word.slice(start)];
}

/** Where to break a word: after the last punctuation of an address, a path or a name, if that is near the end. */
function breakIn(word: string, start: number, end: number): number {
  const piece = word.slice(start, end);
  const at = Math.max(...['/', ':', '.', ',', '_', '-'].map((mark) => piece.lastIndexOf(mark))) + 1;
  return at * 2 > piece.length ? start + at : end;
}

/** How narrow a column may become, and if that is not enough. */
const narrowest = [12, 8];

/**
 * Reduces column widths until they fit into `available` columns in total: the widest are reduced first, none below
 * twelve, or eight if necessary. As many columns as possible keep the width of their longest word, so that the longest
 * words break first. Undefined if they still do not fit.
 * @param words the width of the longest word of each column
 * @param whole the columns that are not reduced at all
 */
export function fitColumns(
  natural: readonly number[],
  available: number,
  words: readonly number[] = [],
  whole: readonly boolean[] = [],
): readonly number[] | undefined {
  const limits = [...new Set([...words, 0])].sort((a, b) => b - a);
  for (const floor of narrowest) {
    for (const limit of limits) {
      const least = natural.map((width, at) => {
        const word = words[at] ?? 0;
        return whole[at] ? width : Math.min(width, Math.max(floor, word <= limit ? word : 0));
      });
      if (totalOf(least) <= available) return fitAbove(least, natural, available);
    }
  }
  return undefined;
}

/** Reduces the widest columns to one width, but none below its least one. */
function fitAbove(least: readonly number[], natural: readonly number[], available: number): readonly number[] {
  for (let cap = Math.max(...natural); cap > Math.min(...least); cap--) {
    const fitted = natural.map((width, at) => Math.max(least[at] ?? 0, Math.min(width, cap)));
    if (totalOf(fitted) <= available) return fitted;
  }
  return least;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}
