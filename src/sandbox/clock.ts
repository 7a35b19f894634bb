/** The virtual clock of a simulator, in milliseconds since the epoch. It only runs when advanced or given a rate. */
export interface Clock {
  now(): number;
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Virtual milliseconds per real millisecond; 0 while the clock is stopped. */
  rate(): number;
  setRate(rate: number): void;
}

/** Starts a clock at `at` that runs at `rate`; `real` returns the underlying real time in milliseconds. */
export function startClock(at: number, rate: number, real: () => number = () => performance.now()): Clock {
  let base = at;
  let since = real();
  let pace = rate;
  const now = () => Math.floor(base + (real() - since) * pace);
  return {
    now,
    advance(ms) {
      base += ms;
    },
    rate: () => pace,
    setRate(next) {
      base = now();
      since = real();
      pace = next;
    },
  };
}
