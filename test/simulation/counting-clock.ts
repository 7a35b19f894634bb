import { type Clock, sleepBy } from '../../src/clock.ts';

/** A clock that knows how many of its timers are waiting. */
export interface CountingClock extends Clock {
  readonly waiting: number;
}

/** Counts the timers of one user of a clock. */
export function createCountingClock(clock: Clock): CountingClock {
  let waiting = 0;
  const after: Clock['after'] = (milliseconds, call) => {
    waiting += 1;
    let isOver = false;
    const end = (): void => {
      if (!isOver) waiting -= 1;
      isOver = true;
    };
    const cancel = clock.after(milliseconds, () => {
      end();
      call();
    });
    return () => {
      end();
      cancel();
    };
  };
  return {
    ...clock,
    now: clock.now,
    after,
    sleep: (milliseconds, signal) => sleepBy(after, milliseconds, signal),
    get waiting() {
      return waiting;
    },
  };
}
