import { printable } from './printable.ts';

/** Prepares text from outside for use inside a message: on one line, at most 80 characters. */
export function excerpt(text: string): string {
  const oneLine = printable(text);
  return oneLine.length > 80 ? `${oneLine.slice(0, 79)}…` : oneLine;
}
