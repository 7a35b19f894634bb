import type { Clock } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import { showDuration } from '../format/duration.ts';

/** What a retry needs of the clock. */
export interface RetryWorld extends Pick<Clock, 'now' | 'random'> {
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const firstBackoffMs = 250;
const longestBackoffMs = 2_500;
const jitter = 0.2;
/** For how long a failure is tried again before it is told to who looks at no terminal, in milliseconds. */
const longMs = 2_000;

/**
 * The pause after so many failures in a row (from 1), in milliseconds: 250 ms, doubling to 2.5 s, jitter ±20 %.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const pause = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return pause * (1 - jitter + 2 * jitter * random());
}

/** One thing that is tried until it succeeds, fails for good, or the retry rule says stop. */
export interface RetryCourse {
  /**
   * Waits before the next try: false, at once, when the rule says stop.
   * @throws the reason of the deadline's signal when that is aborted
   */
  again(error: CliError): Promise<boolean>;
  /** What to report when the rule has said stop: `error`, with how often and for how long it was tried. */
  last(error: CliError): CliError;
  /** Milliseconds since the first try began. */
  elapsedMs(): number;
  /** The same so far; its failures are counted apart from now on. */
  fork(): RetryCourse;
}

/** How far a course has come. */
interface Progress {
  readonly startedAt: number;
  failures: number;
  /** It was told that the tries go on for long. */
  isToldLong: boolean;
}

/**
 * Begins to apply the retry rule: after a failure that is retriable, when `globals.retry_timeout` has passed since the
 * first try began, stop; else pause and try again. The limit is looked at before the pause only, so the last try may
 * begin after it. A server that says how long to wait is waited for, unless that is longer than the limit leaves.
 * @param what is tried, for the announcement of a retry and for the last error
 */
export function startCourse(deadline: Deadline, what: string, world: RetryWorld = deadline.clock): RetryCourse {
  return courseOf({ deadline, what, world }, { startedAt: world.now(), failures: 0, isToldLong: false });
}

interface CourseParts {
  readonly deadline: Deadline;
  readonly what: string;
  readonly world: RetryWorld;
}

function courseOf(parts: CourseParts, progress: Progress): RetryCourse {
  const { deadline, what, world } = parts;
  const elapsedMs = (): number => world.now() - progress.startedAt;
  const isTooLong = ({ retryAfterMs = 0 }: CliError): boolean =>
    retryAfterMs > 0 && elapsedMs() < deadline.limits.retryMs && elapsedMs() + retryAfterMs > deadline.limits.retryMs;
  return {
    elapsedMs,
    fork: () => courseOf(parts, { ...progress }),
    last(error) {
      if (isTooLong(error)) return tooLong(error, error.retryAfterMs ?? 0, deadline);
      const { failures } = progress;
      return failures <= 1 ? error : exhausted(error, { what, failures, elapsedMs: elapsedMs(), deadline });
    },
    async again(error) {
      deadline.signal.throwIfAborted();
      progress.failures += 1;
      const { failures } = progress;
      if (elapsedMs() >= deadline.limits.retryMs || isTooLong(error)) return false;
      const next = `try ${failures + 1} of ${what}`;
      const afterMs = Math.max(error.retryAfterMs ?? 0, backoffMs(failures, world.random));
      deadline.failed(error, { what: next, afterMs });
      const done = deadline.waitingFor(next);
      const untilLongMs = Math.max(0, longMs - elapsedMs());
      try {
        if (!progress.isToldLong && untilLongMs <= afterMs) {
          if (untilLongMs > 0) await world.sleep(untilLongMs, deadline.signal);
          progress.isToldLong = true;
          deadline.failed(error, { what: next, afterMs: afterMs - untilLongMs, isLong: true });
          await world.sleep(afterMs - untilLongMs, deadline.signal);
        } else await world.sleep(afterMs, deadline.signal);
      } finally {
        done();
      }
      return true;
    },
  };
}

/** Runs an attempt until it succeeds, fails for good, or the retry rule says stop. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

/** The retry rule (`startCourse`) around one attempt. */
export function createRetry(deadline: Deadline, world: RetryWorld = deadline.clock): Retry {
  // What stopped a retry inside another one is not tried again by the outer.
  const final = new WeakSet<Error>();

  return async (what, attempt) => {
    const course = startCourse(deadline, what, world);
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        deadline.signal.throwIfAborted();
        if (!(error instanceof CliError) || !error.retryable || final.has(error)) throw error;
        if (await course.again(error)) continue;
        const last = course.last(error);
        final.add(last);
        throw last;
      }
    }
  };
}

/** How a retry ended. */
interface Ending {
  readonly what: string;
  readonly failures: number;
  readonly elapsedMs: number;
  readonly deadline: Deadline;
}

/** The last error, with the limit that ended the tries (exit 5, or 4 where the last error was about rights). */
function exhausted(last: CliError, { what, failures, elapsedMs, deadline }: Ending): CliError {
  const limit = `globals.retry_timeout=${showDuration(deadline.options.retry)}`;
  const spent = showDuration(BigInt(Math.round(elapsedMs / 100)) * 100_000_000n);
  const exitCode = last.exitCode === exitCodes.failure ? exitCodes.unreachable : last.exitCode;
  return new CliError(exitCode, `${last.message} (gave up ${what} after ${failures} tries in ${spent}, ${limit})`, {
    code: 'RETRY_TIMEOUT',
    hints: [...last.hints, 'raise it with -X globals.retry_timeout=DURATION'],
    retryable: true,
    cause: last,
    ...(last.target === undefined ? {} : { target: last.target }),
  });
}

/** The server wants a longer pause than the limit leaves: it is told instead of waited for. */
function tooLong(last: CliError, askedMs: number, deadline: Deadline): CliError {
  const limit = `globals.retry_timeout=${showDuration(deadline.options.retry)}`;
  const pause = showDuration(BigInt(Math.ceil(askedMs / 1000)) * 1_000_000_000n);
  return new CliError(
    last.exitCode,
    `${last.message} (it asks to wait ${pause}, which is longer than ${limit} leaves)`,
    {
      code: last.code,
      hints: [
        ...last.hints,
        `repeat the command in ${pause}, or raise the limit with -X globals.retry_timeout=DURATION`,
      ],
      retryable: true,
      retryAfterMs: askedMs,
      cause: last,
      ...(last.target === undefined ? {} : { target: last.target }),
    },
  );
}
