import { printable } from './printable.ts';

/**
 * Whether text may hold a secret, such as the password in a URL or in KEY=VALUE; messages do not repeat it. An @ at the
 * start has no password before it.
 */
export function mayHoldSecret(text: string): boolean {
  return /=|.@/s.test(text);
}

/** Prepares text from outside for use inside a message: on one line, at most 80 characters. */
export function excerpt(text: string): string {
  const oneLine = printable(text);
  return oneLine.length > 80 ? `${oneLine.slice(0, 79)}…` : oneLine;
}

/** Puts text in quotes that it does not have itself, if possible. */
export function inQuotes(text: string): string {
  const sign = text.includes('"') ? "'" : '"';
  return sign + text + sign;
}
