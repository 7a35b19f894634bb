/** Quotes a text as one literal word of a POSIX shell. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command line that weir shows, quoted for POSIX shells if that is necessary. */
export function shellWord(text: string): string {
  // zsh takes a word that begins with = for the path of a program.
  return /^(?!=)[\w./:=@,+-]+$/.test(text) ? text : quoteWord(text);
}

/**
 * A text with a command line that a person may copy: every part is quoted as one word, because names may come from a
 * server. For example commandText`see it with: weir topic describe ${topic}`.
 */
export function commandText(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return strings.reduce((text, next, at) => text + shellWord(String(parts[at - 1])) + next);
}

const piece = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s'"\\])|([^'"])/gsy;

/**
 * Splits a command line into words where a POSIX shell would, without expanding anything in them. A backslash quotes
 * only a space, a quote or a backslash, so that paths of Windows need no quotes.
 * @throws Error for a quote that is not closed
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  for (const match of line.matchAll(piece)) {
    const [whole, space, single, double, escaped, other] = match;
    at = match.index + whole.length;
    if (space === undefined) {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? other ?? '');
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (at < line.length) throw new Error('a quote is not closed');
  return word === undefined ? words : [...words, word];
}
