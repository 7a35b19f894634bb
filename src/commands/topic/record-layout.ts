/** Whether a value of `--format` is a record format: no output format contains a percent sign. */
export function isRecordLayout(value: string): boolean {
  return value.includes('%');
}
