import type { Clock } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes, rephrased } from '../errors.ts';
import { showDuration } from '../format/duration.ts';

/** What a retry needs of the clock. */
export interface RetryWorld extends Pick<Clock, 'now' | 'random'> {
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const firstBackoffMs = 250;
const longestBackoffMs = 2_500;
const jitter = 0.2;
/** Something that has failed for so long, in milliseconds, is announced wherever standard error goes. */
export const longFailureMs = 2_000;

/**
 * The pause after so many failures in a row (from 1), in milliseconds: 250 ms, doubling to 2.5 s, jitter ±20 %.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const pause = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return pause * (1 - jitter + 2 * jitter * random());
}

/** Where a retry differs from the rule. */
export interface RetryRule {
  /** In milliseconds, instead of `globals.retry_timeout`. */
  readonly limitMs?: number;
  /** Counts from the end of the first failure: for requests that the server holds until others have acted. */
  readonly sinceFailure?: boolean;
  /** An attempt that lasted so many milliseconds was held by the server: counting begins anew after it. */
  readonly heldMs?: number;
  /** Ends the pauses and allows no further attempt; its reason is thrown. */
  readonly signal?: AbortSignal;
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
  /** Milliseconds since the first try began, or since it failed where the rule says so. */
  elapsedMs(): number;
  /** The same so far; its failures are counted apart from now on. */
  fork(): RetryCourse;
}

/** How far a course has come. */
interface Progress {
  /** From when time counts. */
  startedAt: number;
  /** When the try under way began. */
  triedAt: number;
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
export function startCourse(
  deadline: Deadline,
  what: string,
  world: RetryWorld = deadline.clock,
  rule: RetryRule = {},
): RetryCourse {
  const now = world.now();
  return courseOf({ deadline, what, world, rule }, { startedAt: now, triedAt: now, failures: 0, isToldLong: false });
}

interface CourseParts {
  readonly deadline: Deadline;
  readonly what: string;
  readonly world: RetryWorld;
  readonly rule: RetryRule;
}

function courseOf(parts: CourseParts, progress: Progress): RetryCourse {
  const { deadline, what, world, rule } = parts;
  const limitMs = rule.limitMs ?? deadline.limits.retryMs;
  const elapsedMs = (): number => world.now() - progress.startedAt;
  const isTooLong = ({ retryAfterMs = 0 }: CliError): boolean =>
    retryAfterMs > 0 && elapsedMs() < limitMs && elapsedMs() + retryAfterMs > limitMs;
  return {
    elapsedMs,
    fork: () => courseOf(parts, { ...progress }),
    last(error) {
      if (isTooLong(error)) return tooLong(error, error.retryAfterMs ?? 0, deadline);
      const { failures } = progress;
      return failures <= 1 ? error : exhausted(error, { what, failures, elapsedMs: elapsedMs(), limitMs, deadline });
    },
    async again(error) {
      deadline.signal.throwIfAborted();
      countFailure(parts, progress);
      if (elapsedMs() >= limitMs || isTooLong(error)) return false;
      const afterMs = Math.max(error.retryAfterMs ?? 0, backoffMs(progress.failures, world.random));
      await pause(parts, progress, error, afterMs);
      progress.triedAt = world.now();
      return true;
    },
  };
}

function countFailure({ world, rule }: CourseParts, progress: Progress): void {
  progress.failures += 1;
  const now = world.now();
  const wasHeld = rule.heldMs !== undefined && now - progress.triedAt >= rule.heldMs;
  if (rule.sinceFailure && (progress.failures === 1 || wasHeld)) progress.startedAt = now;
}

async function pause(
  { deadline, what, world, rule }: CourseParts,
  progress: Progress,
  error: CliError,
  afterMs: number,
): Promise<void> {
  const next = `try ${progress.failures + 1} of ${what}`;
  const signal = rule.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, rule.signal]);
  deadline.failed(error, { what: next, afterMs });
  const done = deadline.waitingFor(next);
  const untilLongMs = Math.max(0, longFailureMs - (world.now() - progress.startedAt));
  try {
    if (!progress.isToldLong && untilLongMs <= afterMs) {
      if (untilLongMs > 0) await world.sleep(untilLongMs, signal);
      progress.isToldLong = true;
      deadline.failed(error, { what: next, afterMs: afterMs - untilLongMs, isLong: true });
      await world.sleep(afterMs - untilLongMs, signal);
    } else await world.sleep(afterMs, signal);
  } finally {
    done();
  }
}

/** Runs an attempt until it succeeds, fails for good, or the retry rule says stop. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

/** The retry rule (`startCourse`) around one attempt. */
export function createRetry(deadline: Deadline, world: RetryWorld = deadline.clock, rule: RetryRule = {}): Retry {
  // What stopped a retry inside another one is not tried again by the outer.
  const final = new WeakSet<Error>();

  return async (what, attempt) => {
    const course = startCourse(deadline, what, world, rule);
    for (;;) {
      rule.signal?.throwIfAborted();
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
  readonly limitMs: number;
  readonly deadline: Deadline;
}

/** The last error, with the limit that ended the tries (exit 5, or 4 where the last error was about rights). */
function exhausted(last: CliError, { what, failures, elapsedMs, limitMs, deadline }: Ending): CliError {
  const isRule = limitMs === deadline.limits.retryMs;
  const limit = isRule
    ? `globals.retry_timeout=${showDuration(deadline.options.retry)}`
    : `limit ${showDuration(BigInt(Math.round(limitMs)) * 1_000_000n)}`;
  const spent = showDuration(BigInt(Math.round(elapsedMs / 100)) * 100_000_000n);
  const exitCode = last.exitCode === exitCodes.failure ? exitCodes.unreachable : last.exitCode;
  return rephrased(last, `${last.message} (gave up ${what} after ${failures} tries in ${spent}, ${limit})`, {
    exitCode,
    code: 'RETRY_TIMEOUT',
    hints: [...last.hints, 'raise it with -X globals.retry_timeout=DURATION'],
    retryable: true,
    retryAfterMs: undefined,
  });
}

/** The server wants a longer pause than the limit leaves: it is told instead of waited for. */
function tooLong(last: CliError, askedMs: number, deadline: Deadline): CliError {
  const limit = `globals.retry_timeout=${showDuration(deadline.options.retry)}`;
  const pause = showDuration(BigInt(Math.ceil(askedMs / 1000)) * 1_000_000_000n);
  return rephrased(last, `${last.message} (it asks to wait ${pause}, which is longer than ${limit} leaves)`, {
    hints: [...last.hints, `repeat the command in ${pause}, or raise the limit with -X globals.retry_timeout=DURATION`],
    retryable: true,
    retryAfterMs: askedMs,
  });
}
