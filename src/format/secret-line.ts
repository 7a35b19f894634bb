/** The longest secret that is read from a file, a command or standard input. */
export const mostSecretBytes = 64 * 1024;

/**
 * Reads a secret as a file or a program has it: one line. The line ends after it are removed, and the byte order mark of
 * editors on Windows.
 * @throws Error with what is wrong, without the text
 */
export function secretLine(text: string): string {
  const secret = text.replace(/[\r\n]+$/, '').replace(/^\ufeff/, '');
  if (secret === '') throw new Error('it is empty');
  if (/[\r\n\0]/.test(secret)) throw new Error('it has more than one line');
  if (secret.includes('\ufffd')) throw new Error('it is not UTF-8 text');
  return secret;
}
