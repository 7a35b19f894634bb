import { converted, exact, filled, maybe, type Shape, string, whole } from '../../shape/shape.ts';

/** The name of an enum's value without the prefix that all its values have; null for `…_UNSPECIFIED`. */
export function enumName(prefix: string): Shape<string | null> {
  const short = (name: unknown): unknown =>
    typeof name === 'string' && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return converted((name) => (short(name) === 'UNSPECIFIED' ? null : short(name)), maybe(filled));
}

/** A whole number of 64 bits, which answers have as text. */
export const int64Text: Shape<number | bigint> = converted((value) => {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value ?? 0;
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);
}, exact);

/** A time as RFC 3339; null for none, which the server writes as the epoch. */
export const timestamp: Shape<string | null> = converted((value) => {
  const ms = typeof value === 'string' ? Date.parse(value) : 0;
  return Number.isNaN(ms) || ms === 0 ? null : new Date(ms).toISOString();
}, maybe(string));

/** A duration in milliseconds, which answers have as text such as `1.5s`. */
export const durationMs: Shape<number> = converted((value) => {
  return typeof value === 'string' ? Math.round(Number(value.replace(/s$/, '')) * 1000) : (value ?? 0);
}, whole);
