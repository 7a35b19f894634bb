const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** Shows a number of bytes in powers of 1000 with up to four significant digits, for example `1.7GB`. */
export function showSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Number(value.toPrecision(4)) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toPrecision(4))}${units[unit] ?? 'B'}`;
}
