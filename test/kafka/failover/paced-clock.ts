/** A clock that runs only while the machine lets this process run. */
export interface PacedClock {
  /** Milliseconds since the start, without the time that this process spent waiting for a processor. */
  now(): number;
  stop(): void;
}

const tickMs = 20;

/**
 * Starts a clock that counts its own ticks. On an idle machine it keeps real time. A busy machine, which also slows down
 * brokers and elections, makes its ticks late, so that bounds measured with it do not depend on the machine's load.
 */
export function startPacedClock(): PacedClock {
  let elapsedMs = 0;
  const tick = (): void => {
    elapsedMs += tickMs;
    timer = setTimeout(tick, tickMs);
  };
  let timer = setTimeout(tick, tickMs);
  return { now: () => elapsedMs, stop: () => clearTimeout(timer) };
}
