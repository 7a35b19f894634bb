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

const scales: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ...['k', 'm', 'g', 't'].flatMap((unit, at) => [
    [`${unit}b`, 1000 ** (at + 1)] as const,
    [`${unit}ib`, 1024 ** (at + 1)] as const,
  ]),
]);

/**
 * Parses a number of bytes with a unit, for example `132MB` or `1.5GiB`.
 * @throws Error that says what the text is instead
 */
export function parseSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?) *([a-z]+)$/i.exec(text) ?? [];
  const scale = scales.get(unit.toLowerCase());
  if (scale === undefined) throw new Error('not a size (for example 200000, 132MB or 100MiB)');
  return Math.min(Math.round(Number(digits) * scale), 2 ** 60);
}
