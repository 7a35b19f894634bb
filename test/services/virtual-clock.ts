import { type Clock, sleepBy } from '../../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** A clock whose time passes only when a test says so. */
export class VirtualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();

  /** Timers that have been started and have neither fired nor been cancelled. */
  get timers(): number {
    return this.#timers.size;
  }

  now = (): number => this.#now;
  wallTime = (): number => 1_700_000_000_000 + this.#now;
  random = (): number => 0.5;

  after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => sleepBy(this.after, milliseconds, signal);

  /** Lets time pass: every timer that becomes due fires in order, and what waits for it runs before the next one. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    for (;;) {
      await settle();
      const next = [...this.#timers].sort((left, right) => left.at - right.at)[0];
      if (next === undefined || next.at > until) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.call();
    }
    this.#now = until;
  }
}

/** Every promise that can settle without time passing has settled after so many turns. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
