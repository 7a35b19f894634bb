/** Quotes a text as one literal word of a POSIX shell. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command line that weir shows, quoted for POSIX shells if that is necessary. */
export function shellWord(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : quoteWord(text);
}

/**
 * A text with a command line that a person may copy: every part is quoted as one word, because names may come from a
 * server. For example commandText`see it with: weir topic describe ${topic}`.
 */
export function commandText(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return strings.reduce((text, next, at) => text + shellWord(String(parts[at - 1])) + next);
}
