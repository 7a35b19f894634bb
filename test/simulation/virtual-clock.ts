import { setImmediate as macrotask } from 'node:timers/promises';
import { type Clock, sleepBy } from '../../src/clock.ts';
import { seededRandom } from '../../src/serde/random.ts';

/** A clock that only a test advances, with random numbers determined by a seed. */
export interface VirtualClock extends Clock {
  /** Advances to `time` (in the units of `now`), firing all timers that are due by then. */
  advanceTo(time: number): Promise<void>;
  /** Advances by the given number of milliseconds. */
  runFor(milliseconds: number): Promise<void>;
  /**
   * Advances until the promise settles, and returns its result or error.
   * @throws Error when no timer is left or `limitMs` of virtual time have passed before that
   */
  runUntil<T>(promise: Promise<T>, limitMs?: number): Promise<T>;
  /** Advances until no timer is left. @throws Error when one is still waiting after `limitMs` of virtual time */
  runUntilIdle(limitMs?: number): Promise<void>;
  /** Runs all pending work that does not wait for time to pass. */
  settle(): Promise<void>;
  /** The number of waiting timers. */
  readonly pending: number;
  /** The time of the next timer; undefined when none is waiting. */
  readonly nextDue: number | undefined;
}

interface Timer {
  readonly due: number;
  /** Timers due at the same time fire in the order in which they were set. */
  readonly order: number;
  readonly call: () => void;
  cancelled: boolean;
}

const day = 86_400_000;
/** The start of virtual time: 2024-01-01T00:00:00Z. */
const epoch = 1_704_067_200_000;

/** Creates a clock at time 0; without a seed its random numbers are always 0.5. */
export function createVirtualClock(seed?: number): VirtualClock {
  const timers = createHeap();
  let now = 0;
  let order = 0;
  let live = 0;

  const after: Clock['after'] = (milliseconds, call) => {
    order += 1;
    live += 1;
    const timer: Timer = { due: now + Math.max(0, milliseconds), order, call, cancelled: false };
    timers.push(timer);
    return () => {
      if (timer.cancelled) return;
      timer.cancelled = true;
      live -= 1;
    };
  };
  const peek = (): Timer | undefined => {
    while (timers.first()?.cancelled) timers.pop();
    return timers.first();
  };
  const fireNext = (timer: Timer): void => {
    timers.pop();
    now = Math.max(now, timer.due);
    timer.cancelled = true;
    live -= 1;
    timer.call();
  };
  async function advanceWhile(goesOn: () => boolean, until: number): Promise<void> {
    await settle();
    for (let timer = peek(); goesOn() && timer !== undefined && timer.due <= until; timer = peek()) {
      fireNext(timer);
      await settle();
    }
  }
  const clock: VirtualClock = {
    now: () => now,
    wallTime: () => epoch + Math.floor(now),
    after,
    sleep: (milliseconds, signal) => sleepBy(after, milliseconds, signal),
    random: seed === undefined ? () => 0.5 : seededRandom(seed),
    settle,
    async advanceTo(time) {
      await advanceWhile(() => true, time);
      now = Math.max(now, time);
    },
    runFor: (milliseconds) => clock.advanceTo(now + milliseconds),
    async runUntil(promise, limitMs = day) {
      let isSettled = false;
      const end = (): void => {
        isSettled = true;
      };
      promise.then(end, end);
      const limit = now + limitMs;
      await advanceWhile(() => !isSettled, limit);
      if (isSettled) return promise;
      const why = peek() === undefined ? 'no timer is left' : `${limitMs} ms have passed`;
      throw new Error(`the promise has not settled at ${now} ms, and ${why}`);
    },
    async runUntilIdle(limitMs = day) {
      await advanceWhile(() => true, now + limitMs);
      if (peek() !== undefined) throw new Error(`${live} timers are still waiting after ${limitMs} ms`);
    },
    get pending() {
      return live;
    },
    get nextDue() {
      return peek()?.due;
    },
  };
  return clock;
}

/** Runs all microtasks by waiting for a macrotask, twice because code may itself yield with setImmediate. */
async function settle(): Promise<void> {
  await macrotask();
  await macrotask();
}

/** Creates a heap of timers ordered by due time. */
function createHeap() {
  const items: Timer[] = [];
  const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);
  const itemAt = (index: number): Timer => items[index] as Timer;
  const swap = (a: number, b: number): void => {
    const held = itemAt(a);
    items[a] = itemAt(b);
    items[b] = held;
  };
  return {
    first: (): Timer | undefined => items[0],
    push(timer: Timer): void {
      let at = items.push(timer) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(itemAt(at), itemAt(parent))) return;
        swap(at, parent);
        at = parent;
      }
    },
    pop(): void {
      const last = items.pop();
      if (last === undefined || items.length === 0) return;
      items[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < items.length && isBefore(itemAt(child), itemAt(least))) least = child;
        }
        if (least === at) return;
        swap(at, least);
        at = least;
      }
    },
  };
}
