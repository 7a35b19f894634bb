import { type Arena, reserve } from './arena.ts';

/** Appends an integer in decimal. */
export function appendDecimal(arena: Arena, value: number): void {
  if (value >= 0 && value < 10) {
    reserve(arena, 1);
    arena.bytes[arena.length++] = 48 + value;
    return;
  }
  reserve(arena, 24);
  let rest = value;
  if (rest < 0) {
    arena.bytes[arena.length++] = 45;
    rest = -rest;
  }
  if (rest < 1e9) appendDigits(arena, rest | 0, digitsOf(rest));
  else appendLarge(arena, rest);
}

/** Appends a number that does not fit 31 bits, nine digits at a time, so that the divisions stay cheap. */
function appendLarge(arena: Arena, value: number): void {
  const upper = Math.floor(value / 1e9);
  appendDecimal(arena, upper);
  appendDigits(arena, (value - upper * 1e9) | 0, 9);
}

function appendDigits(arena: Arena, value: number, count: number): void {
  const { bytes, length } = arena;
  let rest = value;
  for (let at = length + count - 1; at >= length; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = 48 + rest - next * 10;
    rest = next;
  }
  arena.length = length + count;
}

const powersOfTen = Uint32Array.from({ length: 10 }, (_, digits) => (digits === 0 ? 0 : 10 ** digits));

/** The logarithm to the base 2, times 1233 / 4096, is the one to the base 10, or 1 above it. */
function digitsOf(value: number): number {
  const guess = ((32 - Math.clz32(value)) * 1233) >> 12;
  return value < (powersOfTen[guess] as number) ? guess : guess + 1;
}
