import type { Deadline } from '../deadline.ts';
import {
  type AfterWait,
  afterWaitHints,
  CliError,
  exitCodes,
  isCommandTimeout,
  rephrased,
  stoppedWait,
} from '../errors.ts';
import { showElapsed } from '../format/time.ts';
import type { RetryWorld } from './retry.ts';

/** What every poll of a client runs with. */
export interface PollParts {
  readonly deadline: Deadline;
  readonly world: RetryWorld;
}

/** The parameters of a poll. */
export interface Poll<T> extends AfterWait, PollParts {
  /** The subject for messages, for example `operation x`. */
  readonly what: string;
  readonly read: () => Promise<T>;
  readonly isDone: (state: T) => boolean;
  readonly onProgress?: ((state: T) => void) | undefined;
  readonly waitTimeoutMs: number;
}

/** How to wait for work of the cluster, such as a decommission. */
export interface WaitOptions<S> extends AfterWait {
  readonly waitTimeoutMs: number;
  /** Called with every state that was read. */
  readonly onProgress: (state: S) => void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const growth = 1.5;
const jitter = 0.2;

/** The pause in milliseconds after `polls` polls (from 1): 1 s, growing up to 30 s, jitter ±20 %. */
export function pollPauseMs(polls: number, random: () => number): number {
  const pause = Math.min(firstPauseMs * growth ** (polls - 1), longestPauseMs);
  return pause * (1 - jitter + 2 * jitter * random());
}

/**
 * Polls until `isDone` returns true, without the default of the command timeout; every request has its own limits.
 * @throws CliError (exit 5) on a timeout, or if the server is unreachable for too long; the hints name the command to
 * resume
 */
export async function poll<T>(options: Poll<T>): Promise<T> {
  const { deadline, what } = options;
  const done = deadline.waitingFor(what);
  try {
    return await deadline.openEnded(() => pollUntilDone(options));
  } catch (error) {
    const { aborted, reason } = deadline.signal;
    if (isCommandTimeout(reason)) throw withResume(reason, options);
    throw aborted ? stopped(options) : withResume(error, options);
  } finally {
    done();
  }
}

async function pollUntilDone<T>(options: Poll<T>): Promise<T> {
  const { read, isDone, onProgress, waitTimeoutMs, deadline, world } = options;
  const startedAt = world.now();
  for (let polls = 1; ; polls += 1) {
    const state = await read();
    onProgress?.(state);
    if (isDone(state)) return state;
    const leftMs = waitTimeoutMs - (world.now() - startedAt);
    // Less than a millisecond is left when the last pause was rounded; a clock may not move by that little.
    if (leftMs < 1) throw timedOut(options);
    await world.sleep(Math.min(pollPauseMs(polls, world.random), leftMs), deadline.signal);
  }
}

function timedOut({ what, waitTimeoutMs }: Pick<Poll<unknown>, 'what' | 'waitTimeoutMs'>): CliError {
  const limit = showElapsed(waitTimeoutMs);
  return new CliError(
    exitCodes.unreachable,
    `${what} was not done within ${limit} (--wait-timeout); it is still running`,
    {
      code: 'WAIT_TIMEOUT',
      hints: ['raise the limit with --wait-timeout DURATION'],
      retryable: true,
      target: what,
    },
  );
}

function stopped(poll: AfterWait & Pick<Poll<unknown>, 'what' | 'deadline'>): CliError {
  const { reason } = poll.deadline.signal;
  const fields = reason instanceof CliError ? { exitCode: reason.exitCode, code: reason.code } : {};
  const error = stoppedWait(poll);
  return rephrased(error, error.message, { ...fields, cause: reason });
}

/** Adds the commands to resume or to stop it to an error outside the operation, which is still running. */
function withResume(error: unknown, wait: AfterWait): unknown {
  const isOutside =
    error instanceof CliError && (error.exitCode === exitCodes.unreachable || error.exitCode === exitCodes.auth);
  if (!isOutside) return error;
  return rephrased(error, error.message, { hints: [...error.hints, ...afterWaitHints(wait)] });
}
