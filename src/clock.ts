/**
 * Time and dice, handed in: a command uses the real ones, a simulation has its own, in which an hour takes no time
 * and every run of a seed is alike.
 */
export interface Clock {
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Milliseconds since the epoch. */
  wallTime(): number;
  /** Calls back once after so many milliseconds; the function it returns cancels that. */
  after(milliseconds: number, call: () => void): () => void;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, but not, 1. */
  random(): number;
}

/** The clock of the machine. Its timers keep the process alive until they fire or are cancelled. */
export const realClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after: startTimer,
  sleep: (milliseconds, signal) => sleepBy(startTimer, milliseconds, signal),
  random: () => Math.random(),
};

function startTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

/** `sleep` for any `after`; nothing stays behind at the signal. */
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
 * The result of `work`, or `late()` when that is not there after so many milliseconds. Neither a timer nor a waiting
 * promise stays behind. `work` goes on; what becomes of it later is nobody's business.
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
