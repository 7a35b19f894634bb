/** A range of IPv4 addresses, with the first and last as numbers. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly prefix: number;
}

/** Parses a range such as `10.0.0.0/20`; undefined when it is not an IPv4 range. */
export function parseCidr(text: string): Range | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = match.slice(1).map(Number);
  if ([a, b, c, d].some((byte) => byte > 255) || prefix > 32) return undefined;
  const size = 2 ** (32 - prefix);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = address - (address % size);
  return { first, last: first + size - 1, prefix };
}

/** Checks whether two ranges overlap; false when either text is not a range. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a !== undefined && b !== undefined && a.first <= b.last && b.first <= a.last;
}
