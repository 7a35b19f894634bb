/** A word of a command line that a hint shows, quoted for POSIX shells if that is necessary. */
export function shellWord(text: string): string {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
