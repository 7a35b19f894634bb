/** The simulator's own time: it stands still unless it is moved or given a rate. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Lets `ms` milliseconds pass at once. */
  advance(ms: number): void;
  /** Virtual milliseconds per real one; 0 stands still. */
  rate(): number;
  setRate(rate: number): void;
}

/** Starts a clock that shows `at` and moves on at `rate`; `real` is the time it is measured by, in milliseconds. */
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
