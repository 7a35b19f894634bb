import { onTestFinished, vi } from 'vitest';
import { realClock } from '../src/clock.ts';

/** A command timeout that expires when a test says so; a short one would expire earlier on a slow machine. */
export interface HeldLimit {
  /** The option for the command line. */
  readonly option: string;
  /** Lets the timeout expire if it is running. */
  expire(): void;
}

/** Longer than any other limit of a command, so that its timer can be told from theirs. */
const limitHours = 10;

/** Takes over the timers of command timeouts until the test ends. */
export function holdLimit(): HeldLimit {
  const running = new Set<() => void>();
  const { after } = realClock;
  const spy = vi.spyOn(realClock, 'after').mockImplementation((milliseconds, call) => {
    const cancel = after(milliseconds, call);
    if (milliseconds < (limitHours - 1) * 3_600_000) return cancel;
    running.add(call);
    return () => {
      running.delete(call);
      cancel();
    };
  });
  onTestFinished(() => spy.mockRestore());
  return {
    option: `-X globals.command_timeout=${limitHours}h`,
    expire() {
      for (const call of [...running]) call();
    },
  };
}
