import type { Clock } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes, givenUp, rephrased } from '../errors.ts';
import { showDuration } from '../format/duration.ts';

/** The clock functions that retries need. */
export interface RetryWorld extends Pick<Clock, 'now' | 'random'> {
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const firstBackoffMs = 250;
const longestBackoffMs = 2_500;
const jitter = 0.2;
/** A failure that lasts this long, in milliseconds, is reported even if standard error is not a terminal. */
export const longFailureMs = 2_000;

/**
 * How often a service may close the connection before it has answered anything. A service of another protocol does that,
 * and so does one that is starting behind a load balancer.
 */
const mostEarlyCuts = 3;

/**
 * Judges a connection that the service closed before it has answered anything: the third is final.
 * @param cuts how often it has done that
 */
export function afterCuts(error: CliError, cuts: number): CliError {
  if (cuts < mostEarlyCuts) return error;
  return givenUp(error, ['if it is starting, keep retrying with -X globals.retry_timeout=30s']);
}

/** The pause in milliseconds after `failures` failures in a row: 250 ms, doubling up to 2.5 s, jitter ±20 %. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const pause = Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs);
  return pause * (1 - jitter + 2 * jitter * random());
}

/** Exceptions to the retry rule for one course. */
export interface RetryRule {
  /** The limit in milliseconds, instead of `globals.retry_timeout`. */
  readonly limitMs?: number;
  /** Measures from the first failure: for requests that the server holds until other members have acted. */
  readonly sinceFailure?: boolean;
  /** An attempt of at least this many milliseconds was held by the server and restarts the measurement. */
  readonly heldMs?: number;
  /** Stops the retries when aborted; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The attempts of one operation until it succeeds, fails permanently, or reaches the limit of the retry rule. */
export interface RetryCourse {
  /**
   * Waits before the next attempt; returns false immediately if the rule allows no further attempt.
   * @throws the reason of the deadline's signal if that is aborted
   */
  again(error: CliError): Promise<boolean>;
  /** Returns the error to report after the last attempt: `error` with the number of attempts and the time they took. */
  last(error: CliError): CliError;
  /** Says why there is no further attempt, with the limit; undefined after a single attempt. */
  ending(): string | undefined;
  /** Milliseconds since the first attempt started, or since it failed with `sinceFailure`. */
  elapsedMs(): number;
  /** Returns a copy of this course whose failures are counted separately from now on. */
  fork(): RetryCourse;
}

/** The state of a course. */
interface Progress {
  /** The time from which the limit is measured. */
  startedAt: number;
  /** The start of the current attempt. */
  triedAt: number;
  failures: number;
  /** Whether the failure was reported as lasting long. */
  reportedLong: boolean;
}

/**
 * Starts a course of attempts. The retry rule: after a retriable failure, stop if `globals.retry_timeout` has passed
 * since the first attempt started; otherwise pause and try again. The limit is checked only before the pause, so the
 * last attempt may start after it. If the server says how long to wait, weir waits that long, unless that exceeds the
 * limit.
 * @param what the name of the operation, for messages about retries and for the last error
 */
export function startCourse(
  deadline: Deadline,
  what: string,
  world: RetryWorld = deadline.clock,
  rule: RetryRule = {},
): RetryCourse {
  const now = world.now();
  return courseOf({ deadline, what, world, rule }, { startedAt: now, triedAt: now, failures: 0, reportedLong: false });
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
  const ending = (): string | undefined => {
    const { failures } = progress;
    return failures <= 1 ? undefined : endingOf({ what, failures, elapsedMs: elapsedMs(), limitMs, deadline });
  };
  return {
    elapsedMs,
    ending,
    fork: () => courseOf(parts, { ...progress }),
    last(error) {
      if (isTooLong(error)) return tooLong(error, error.retryAfterMs ?? 0, deadline);
      const text = ending();
      return text === undefined ? error : exhausted(error, text);
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
  const next = `attempt ${progress.failures + 1} of ${what}`;
  const signal = rule.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, rule.signal]);
  deadline.failed(error, { what: next, afterMs });
  const done = deadline.waitingFor(next);
  const untilLongMs = Math.max(0, longFailureMs - (world.now() - progress.startedAt));
  try {
    if (!progress.reportedLong && untilLongMs <= afterMs) {
      if (untilLongMs > 0) await world.sleep(untilLongMs, signal);
      progress.reportedLong = true;
      deadline.failed(error, { what: next, afterMs: afterMs - untilLongMs, isLong: true });
      await world.sleep(afterMs - untilLongMs, signal);
    } else await world.sleep(afterMs, signal);
  } finally {
    done();
  }
}

/** Repeats an attempt until it succeeds, fails permanently, or reaches the limit of the retry rule. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

/** Creates a function that applies the retry rule (see `startCourse`) to an attempt. */
export function createRetry(deadline: Deadline, world: RetryWorld = deadline.clock, rule: RetryRule = {}): Retry {
  // An error that ended an inner retry, as that of a token inside an API call, is not retried by the outer one.
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

/** The end of a retry. */
interface Ending {
  readonly what: string;
  readonly failures: number;
  readonly elapsedMs: number;
  readonly limitMs: number;
  readonly deadline: Deadline;
}

/**
 * Returns the error to report when `globals.retry_timeout` has ended attempts that were counted elsewhere; unchanged if
 * it is not a `CliError`, or after a single attempt.
 */
export function gaveUp(
  error: unknown,
  deadline: Deadline,
  attempts: Pick<Ending, 'what' | 'failures' | 'elapsedMs'>,
): unknown {
  if (!(error instanceof CliError) || error.code === 'RETRY_TIMEOUT' || attempts.failures <= 1) return error;
  return exhausted(error, endingOf({ ...attempts, limitMs: deadline.limits.retryMs, deadline }));
}

function endingOf({ what, failures, elapsedMs, limitMs, deadline }: Ending): string {
  const isRule = limitMs === deadline.limits.retryMs;
  const limit = isRule
    ? `globals.retry_timeout=${showDuration(deadline.options.retry)}`
    : `limit ${showDuration(BigInt(Math.round(limitMs)) * 1_000_000n)}`;
  const spent = showDuration(BigInt(Math.round(elapsedMs / 100)) * 100_000_000n);
  return `gave up on ${what} after ${failures} attempts in ${spent}, ${limit}`;
}

/** The last error with the limit that ended the attempts (exit 5, or 4 if the last error was about authorization). */
function exhausted(last: CliError, ending: string): CliError {
  const exitCode = last.exitCode === exitCodes.failure ? exitCodes.unreachable : last.exitCode;
  return rephrased(last, `${last.message} (${ending})`, {
    exitCode,
    code: 'RETRY_TIMEOUT',
    hints: [...last.hints, 'raise the limit with -X globals.retry_timeout=DURATION'],
    retryable: true,
    retryAfterMs: undefined,
  });
}

/** The error for a server that asks for a longer pause than the limit allows. */
function tooLong(last: CliError, askedMs: number, deadline: Deadline): CliError {
  const limit = `globals.retry_timeout=${showDuration(deadline.options.retry)}`;
  const pause = showDuration(BigInt(Math.ceil(askedMs / 1000)) * 1_000_000_000n);
  return rephrased(last, `${last.message} (the server asks to wait ${pause}, longer than ${limit} allows)`, {
    hints: [...last.hints, `repeat the command in ${pause}, or raise the limit with -X globals.retry_timeout=DURATION`],
    retryable: true,
    retryAfterMs: askedMs,
  });
}
