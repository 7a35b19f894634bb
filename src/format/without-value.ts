/** A word for a message: what follows the first `=` is left out, for it may be a secret that strayed. */
export function withoutValue(word: string): string {
  const at = word.indexOf('=');
  return at < 0 ? word : `${word.slice(0, at)}=…`;
}
