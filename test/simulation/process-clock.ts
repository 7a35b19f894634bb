import { type Clock, sleepBy } from '../../src/clock.ts';

/**
 * How a process stands still: `stopped` like after SIGSTOP, so that its clock goes on and its timers are late;
 * `suspended` with its whole machine, so that only the wall clock has gone on.
 */
export type Standstill = 'stopped' | 'suspended';

/** The clock of a simulated process: it counts its waiting timers, and can stand still. */
export interface ProcessClock extends Clock {
  readonly waiting: number;
  /** Runs no timer until the returned function is called. */
  hold(how: Standstill): () => void;
  /** Resolves when the process does not stand still any more; undefined if it runs. */
  running(): Promise<void> | undefined;
}

/** What is lost by adding and subtracting times. */
const roundingMs = 1e-6;

/** Creates the clock of a process from that of its world. */
export function createProcessClock(clock: Clock): ProcessClock {
  let waiting = 0;
  let lostMs = 0;
  let standstill: { readonly at: number; readonly how: Standstill; readonly over: Promise<void> } | undefined;
  /** Sets the timers again that became due during a standstill, in their order. */
  const late = new Set<() => void>();
  const now = (): number => (standstill?.how === 'suspended' ? standstill.at : clock.now()) - lostMs;
  const after: Clock['after'] = (milliseconds, call) => {
    const due = now() + Math.max(0, milliseconds);
    let isOver = false;
    waiting += 1;
    const end = (): void => {
      if (!isOver) waiting -= 1;
      isOver = true;
    };
    const fire = (): void => {
      if (standstill !== undefined) late.add(again);
      else if (now() < due - roundingMs) again();
      else {
        end();
        call();
      }
    };
    let cancel = clock.after(milliseconds, fire);
    const again = (): void => {
      cancel = clock.after(due - now(), fire);
    };
    return () => {
      end();
      late.delete(again);
      cancel();
    };
  };
  return {
    ...{ now, after, wallTime: clock.wallTime, random: clock.random },
    sleep: (milliseconds, signal) => sleepBy(after, milliseconds, signal),
    get waiting() {
      return waiting;
    },
    hold(how) {
      const { promise, resolve } = Promise.withResolvers<void>();
      standstill = { at: clock.now(), how, over: promise };
      return () => {
        if (standstill?.how === 'suspended') lostMs += clock.now() - standstill.at;
        standstill = undefined;
        for (const again of late) again();
        late.clear();
        resolve();
      };
    },
    running: () => standstill?.over,
  };
}
