/** The texts of numbers that JSON has no form for. */
export const noNumbers: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/**
 * Returns the shortest JSON that stands for a double: digits, or a string for what JSON has no number for.
 */
export function doubleText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  return `"${value}"`;
}

/** The smallest positive float with all of its 24 bits of precision. */
const smallestNormal = 2 ** -126;

/**
 * Returns the shortest JSON that stands for a float: the fewest digits whose nearest float it is, such as 0.1 and not
 * 0.10000000149011612.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value) || value === 0) return doubleText(value);
  // Six digits always survive, nine always suffice.
  for (let digits = Math.abs(value) < smallestNormal ? 1 : 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}
