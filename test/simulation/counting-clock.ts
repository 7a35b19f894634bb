import { type Clock, sleepBy } from '../../src/clock.ts';

/** A clock that counts its waiting timers. */
export interface CountingClock extends Clock {
  readonly waiting: number;
}

/** Wraps a clock to count the timers of one of its users. */
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
