/** A failure that has been retried for two seconds, with its hints, and progress, which begins after ten. */
const slowLines =
  /^(?:.*; still retrying\n(?:hint: .*\n)*|(?:consume|produce|(?:starting|preparing|downloading) the .*?) {2}.*\n)/gm;

/** Removes the lines that only a slow run prints, for tests of other lines; messages and progress have tests of their own. */
export function withoutSlowLines(text: string): string {
  return text.replaceAll(slowLines, '');
}
