import { maxTimerMs } from './format/duration.ts';

/**
 * The source of time and randomness. A command uses the real one. A simulation passes its own, in which an hour takes
 * no time and the same seed always gives the same run.
 */
export interface Clock {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Milliseconds since the epoch. */
  wallTime(): number;
  /** Calls `call` once after a delay in milliseconds, at most `maxTimerMs`; the returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
  /** Resolves after a delay in milliseconds; rejects with the signal's reason if the signal is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
}

/** The machine's clock. Its timers keep the process alive until they fire or are canceled. */
export const realClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after: startTimer,
  sleep: (milliseconds, signal) => sleepBy(startTimer, milliseconds, signal),
  random: () => Math.random(),
};

function startTimer(milliseconds: number, call: () => void): () => void {
  // Node.js warns of a time that has passed already.
  const timer = setTimeout(call, Math.max(0, Math.min(milliseconds, maxTimerMs)));
  return () => clearTimeout(timer);
}

/** Implements `sleep` on top of any `after`. An aborted signal cancels the timer. */
export function sleepBy(after: Clock['after'], milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Returns the result of `work`, or `late()` if `work` takes longer than the given milliseconds. No timer is left
 * running. `work` itself is not stopped; its later result is ignored.
 */
export async function within<T, Late>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), limit]);
    return first === undefined ? late() : first.value;
  } finally {
    cancel();
  }
}

/** Spreads work evenly over time. */
export interface Pace {
  /** Returns how long to wait before the next piece of work after so many, in milliseconds; 0 or less for not at all. */
  waitMs(done: number): number;
  /** Returns how many pieces of work are due so far; the first one is due at once. */
  due(): number;
}

/** Creates a pace that begins now. */
export function createPace(perSecond: number, now: Clock['now']): Pace {
  const startedAt = now();
  return {
    waitMs: (done) => (done * 1_000) / perSecond - (now() - startedAt),
    due: () => Math.floor(((now() - startedAt) * perSecond) / 1_000) + 1,
  };
}

/** Settles like `work`, or rejects as soon as the signal aborts. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Lets the event loop serve sockets and timers. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
