/** A word for a message, without the text after the first `=`, which may be a misplaced secret. */
export function withoutValue(word: string): string {
  const at = word.indexOf('=');
  return at < 0 ? word : `${word.slice(0, at)}=…`;
}
