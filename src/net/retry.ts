import type { Clock } from '../clock.ts';
import type { Deadline, NextTry } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import { showDuration } from '../format/duration.ts';

/** What a retry needs of the clock. */
export interface RetryWorld extends Pick<Clock, 'now' | 'random'> {
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const firstBackoffMs = 250;
const longestBackoffMs = 2_500;
const jitter = 0.2;

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

/** Runs an attempt until it succeeds, fails for good, or the retry rule says stop. */
export type Retry = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

/**
 * The retry rule: after a failure that is retriable, when `globals.retry_timeout` has passed since the
 * first attempt began, stop with the last error; else pause and try again. The limit is looked at before
 * the pause only, so the last attempt may begin after it. A server that says how long to wait is waited for,
 * unless that is longer than the limit leaves.
 */
export function createRetry(deadline: Deadline, world: RetryWorld = deadline.clock, rule: RetryRule = {}): Retry {
  // What stopped a retry inside another one is not tried again by the outer.
  const final = new WeakSet<Error>();
  const limitMs = rule.limitMs ?? deadline.limits.retryMs;

  return async (what, attempt) => {
    let since = world.now();
    for (let failures = 1; ; failures += 1) {
      rule.signal?.throwIfAborted();
      const startedAt = world.now();
      try {
        return await attempt();
      } catch (error) {
        deadline.signal.throwIfAborted();
        if (!(error instanceof CliError) || !error.retryable || final.has(error)) throw error;
        const now = world.now();
        const wasHeld = rule.heldMs !== undefined && now - startedAt >= rule.heldMs;
        if (rule.sinceFailure && (failures === 1 || wasHeld)) since = now;
        const elapsedMs = now - since;
        if (elapsedMs >= limitMs) {
          const last = failures === 1 ? error : exhausted(error, { what, failures, elapsedMs, limitMs, deadline });
          final.add(last);
          throw last;
        }
        const askedMs = error.retryAfterMs ?? 0;
        if (askedMs > 0 && elapsedMs + askedMs > limitMs) throw tooLong(error, askedMs, deadline);
        const afterMs = Math.max(askedMs, backoffMs(failures, world.random));
        await pause({ deadline, world, signal: rule.signal }, error, {
          what: `try ${failures + 1} of ${what}`,
          afterMs,
        });
      }
    }
  };
}

interface Pausing {
  readonly deadline: Deadline;
  readonly world: RetryWorld;
  readonly signal: AbortSignal | undefined;
}

async function pause({ deadline, world, signal }: Pausing, error: Error, next: NextTry): Promise<void> {
  deadline.failed(error, next);
  const done = deadline.waitingFor(next.what);
  try {
    await world.sleep(
      next.afterMs,
      signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]),
    );
  } finally {
    done();
  }
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
