/** Quotes a text as one literal word of a POSIX shell. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command line that weir shows, quoted for POSIX shells if that is necessary. */
export function shellWord(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : quoteWord(text);
}
