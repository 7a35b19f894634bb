import { type Clock, sleepBy } from '../../src/clock.ts';

/** A clock that stands still until the test moves it. */
export interface VirtualClock extends Clock {
  /** How many timers are waiting. */
  readonly timers: number;
  /** Lets so many milliseconds pass, timer by timer; what a timer sets off happens before the next one. */
  pass(milliseconds: number): Promise<void>;
}

/** Starts at 0; its dice always show 0.5. */
export function createVirtualClock(): VirtualClock {
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  let now = 0;
  const after: Clock['after'] = (milliseconds, call) => {
    const timer = { at: now + milliseconds, call };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    wallTime: () => now,
    after,
    sleep: (milliseconds, signal) => sleepBy(after, milliseconds, signal),
    random: () => 0.5,
    get timers() {
      return timers.size;
    },
    async pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await settled();
        const next = [...timers].sort((one, other) => one.at - other.at)[0];
        if (next === undefined || next.at > end) break;
        timers.delete(next);
        now = next.at;
        next.call();
      }
      now = end;
    },
  };
}

/** Everything that waits for no timer has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
