import { showSize } from './size.ts';

const units = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

/** Shows a number with three significant digits, for example `0.4`, `812`, `12.3k`. */
export function showCompact(number: number): string {
  const [value, unit] = scaled(number);
  return `${unit === '' && value < 10 ? Number(value.toFixed(1)) : Number(value.toPrecision(3))}${unit}`;
}

function scaled(number: number): readonly [value: number, unit: string] {
  let value = number;
  let unit = 0;
  while (Number(value.toPrecision(3)) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return [value, units[unit] ?? ''];
}

/** Shows a number of bytes with three significant digits, for example `12.3MB`. */
export function showCompactSize(bytes: number): string {
  return showSize(bytes < 1000 ? Math.round(bytes) : Number(bytes.toPrecision(3)));
}
