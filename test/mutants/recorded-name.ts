/** The name of the file that keeps what a test file runs. */
export function recordedName(file: string): string {
  return `${file.replaceAll(/[\\/]/g, '+')}.json`;
}
