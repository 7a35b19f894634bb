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
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (measure(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breaksWords ? piecesOf(word, columns, measure) : [word];
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

function piecesOf(word: string, columns: number, measure: (text: string) => number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

const narrowest = 12;

/**
 * Reduces column widths until they fit into `available` columns in total: the widest are reduced first, none below
 * twelve. Undefined if they still do not fit.
 */
export function fitColumns(natural: readonly number[], available: number): readonly number[] | undefined {
  for (let cap = Math.max(...natural, narrowest); cap >= narrowest; cap--) {
    const fitted = natural.map((width) => Math.min(width, cap));
    if (fitted.reduce((sum, width) => sum + width, 0) <= available) return fitted;
  }
  return undefined;
}
