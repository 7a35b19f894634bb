import { onTestFinished, vi } from 'vitest';
import { realClock } from '../src/clock.ts';
import { isLeftOver } from './one-run.ts';

/**
 * Lets the pauses between attempts take no real time until the test ends: they move the clock on, and nothing else
 * does. So the number of attempts within a limit does not depend on the speed of the machine.
 */
export function skipPauses(): void {
  let now = performance.now();
  const spies = [
    vi.spyOn(realClock, 'now').mockImplementation(() => now),
    vi.spyOn(realClock, 'sleep').mockImplementation(async (milliseconds, signal) => {
      signal?.throwIfAborted();
      // What an ended command has left, such as the requests beside one that failed, must not move the clock of the
      // next test.
      if (isLeftOver()) return await new Promise(() => undefined);
      // The rest of a limit may be less than what the clock can show: it must not stand still.
      now += Math.max(milliseconds, 0.001);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}
