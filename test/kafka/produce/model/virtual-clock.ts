import { type Clock, sleepBy } from '../../../../src/clock.ts';

/** A clock whose time passes only when nothing else is left to do. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work is done. @throws when nothing is left that could end it */
  run<T>(work: Promise<T>): Promise<T>;
  /** Timers that are armed. */
  readonly armed: number;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

/** The dice of a seed. */
export function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Begins at 0 ms. */
export function createVirtualClock(random: () => number): VirtualClock {
  const timers = new Set<Timer>();
  let time = 0;
  let order = 0;
  const after: Clock['after'] = (milliseconds, call) => {
    order += 1;
    const timer = { at: time + Math.max(0, milliseconds), order, call };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  };
  return {
    ...{ now: () => time, wallTime: () => 1_700_000_000_000 + Math.round(time), after, random },
    sleep: (milliseconds, signal) => sleepBy(after, milliseconds, signal),
    async run(work) {
      const state = { isDone: false };
      const end = (): void => {
        state.isDone = true;
      };
      work.then(end, end);
      for (;;) {
        // Every promise that can settle has done so by then.
        await new Promise((resolve) => setImmediate(resolve));
        if (state.isDone) return await work;
        const timer = next();
        if (timer === undefined) throw new Error(`stuck at ${time} ms: nothing is left that could end the work`);
        timers.delete(timer);
        time = timer.at;
        timer.call();
      }
    },
    get armed() {
      return timers.size;
    },
  };
}
