import type { Cell } from '../../../format/table.ts';
import type { Kind } from '../../../kinds.ts';

/** A producer id or an offset: a whole number that may be larger than 2^53. */
export const bigNumber: Kind<bigint> = {
  name: 'number',
  hint: 'N',
  parse(value) {
    if (!/^\d{1,19}$/.test(value)) throw new Error('not a whole number');
    return BigInt(value);
  },
  show: String,
};

/** A duration in nanoseconds as whole milliseconds. */
export function millisecondsOf(nanoseconds: bigint): bigint {
  return nanoseconds / 1_000_000n;
}

/** Milliseconds since the epoch as an RFC 3339 time in UTC. */
export function timeCell(timestamp: bigint | null): Cell {
  if (timestamp === null || timestamp < 0n) return null;
  const time = new Date(Number(timestamp));
  return Number.isNaN(time.getTime()) ? timestamp : time.toISOString();
}
