import { afterAll, beforeAll, type MockInstance, vi } from 'vitest';
import { realClock } from '../src/clock.ts';

/**
 * Lets what consumers do every five seconds happen every quarter of a second in the tests of this file: commits, a look
 * for new topics and partitions, and the heartbeats of the consumer protocol. Other limits are shorter or longer.
 */
export function quickIntervals(): void {
  const { after } = realClock;
  let spy: MockInstance | undefined;
  beforeAll(() => {
    spy = vi.spyOn(realClock, 'after').mockImplementation((milliseconds, call) => {
      const isInterval = milliseconds > 4_000 && milliseconds <= 5_000;
      return after(isInterval ? milliseconds / 20 : milliseconds, call);
    });
  });
  afterAll(() => spy?.mockRestore());
}

/** Lets the pauses between two looks at something that goes on for minutes be a tenth as long in the tests of this file. */
export function quickPolls(): void {
  const { sleep } = realClock;
  let spy: MockInstance | undefined;
  beforeAll(() => {
    spy = vi.spyOn(realClock, 'sleep').mockImplementation((milliseconds, signal) => sleep(milliseconds / 10, signal));
  });
  afterAll(() => spy?.mockRestore());
}
