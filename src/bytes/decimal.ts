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

function digitsOf(value: number): number {
  if (value < 1e4) return fewDigitsOf(value);
  return value < 1e8 ? 4 + fewDigitsOf((value / 1e4) | 0) : 9;
}

/** The digits of a number below 10,000. */
function fewDigitsOf(value: number): number {
  return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
}
