/** Whether a value of `--format` is a record format: none of the output formats holds a percent verb. */
export function isRecordLayout(value: string): boolean {
  return value.includes('%');
}
