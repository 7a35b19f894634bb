import type { Clock } from '../../../clock.ts';

/** The named timers of one group; setting a timer replaces the previous one with its name. */
export interface Timers {
  set(name: string, milliseconds: number, call: () => void): void;
  has(name: string): boolean;
  cancel(name: string): void;
  cancelAll(): void;
}

/** Creates timers that only fire while `isAlive` holds, because a dead coordinator does nothing. */
export function createTimers(clock: Clock, isAlive: () => boolean): Timers {
  const running = new Map<string, () => void>();
  const cancel = (name: string): void => {
    running.get(name)?.();
    running.delete(name);
  };
  return {
    set(name, milliseconds, call) {
      cancel(name);
      const stop = clock.after(milliseconds, () => {
        running.delete(name);
        if (isAlive()) call();
      });
      running.set(name, stop);
    },
    has: (name) => running.has(name),
    cancel,
    cancelAll() {
      for (const name of [...running.keys()]) cancel(name);
    },
  };
}
