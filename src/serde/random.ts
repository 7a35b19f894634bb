/** Returns numbers from 0 (included) to 1 (excluded). */
export type Random = () => number;

/** Returns the same numbers for the same seed, which is a whole number of 32 bits (the generator is mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from 0 to below `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** Returns one of the items; the first without `random`. Undefined if there are none. */
export function pick<T>(items: readonly T[], random: Random | undefined): T | undefined {
  return items[random === undefined ? 0 : below(random, items.length)];
}
