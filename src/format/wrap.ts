/** Breaks one line at spaces into lines of at most `columns`, as measured by `measure`. A longer word exceeds them. */
export function wrapLine(text: string, columns: number, measure: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // Adds up the widths of the parts: measuring the line for every word would take seconds for a text of a megabyte.
  let lineColumns = 0;
  for (const word of text.split(' ')) {
    const wordColumns = measure(word);
    const joined = line === '' ? wordColumns : lineColumns + 1 + wordColumns;
    if (joined <= columns) {
      lineColumns = joined;
      line = line === '' ? word : `${line} ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    lineColumns = wordColumns;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** Columns that are too wide together. */
interface Columns {
  readonly natural: readonly number[];
  /** The longest word of each cell, by row. */
  readonly words: readonly (readonly number[])[];
  /** What each column needs so that its texts can be read. */
  readonly texts: readonly number[];
  readonly available: number;
}

/**
 * Reduces column widths until they fit into `available` columns in total: the widest are reduced first, none below its
 * longest word. If that is not enough, the longest words of all columns do not count. Undefined if none may count.
 */
export function fitColumns({ natural, words, texts, available }: Columns): readonly number[] | undefined {
  const widths = natural.map((_, column) => [...new Set(words.map((row) => row[column] ?? 0))]);
  const limits = [...new Set(widths.flat())].sort((a, b) => b - a);
  for (const limit of limits) {
    const least = widths.map((sizes, column) =>
      sizes.reduce((most, size) => (size <= limit ? Math.max(most, size) : most), texts[column] ?? 0),
    );
    if (totalOf(least) <= available) return fitAbove(least, natural, available);
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
