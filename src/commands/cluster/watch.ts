import type { Context } from '../../context.ts';
import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { durationToMs, showDuration } from '../../format/duration.ts';

type Deadline = Awaited<ReturnType<Context['deadline']>>;

/** A state of the cluster that is read again and again. */
export interface Watch<S> {
  /** What is read, for example `the cluster health`. */
  readonly what: string;
  read(): Promise<S>;
  /** What a change is judged by. */
  textOf(state: S): string;
  /** Whether a state ends the watch (default: nothing does). */
  isEnd?(state: S): boolean;
  /** The longest wait for that, in nanoseconds. */
  readonly waitTimeout?: bigint | undefined;
  /** What was waited for, for the error of that wait: `the cluster was not healthy`. */
  readonly missed: string;
  /** Why a state was not the end, or nothing. */
  why(state: S): string;
}

/** How often to read the state, in milliseconds, as in rpk. */
const everyMs = 2_000;

/**
 * Reads a state again and again, and yields each one that differs from the one before. What cannot be reached is not at
 * the end yet, so the watch continues, except that the first read of a watch without an end must succeed.
 * @throws CliError (exit 5) if the end does not come in time; the reason of the deadline's signal; any failure for another
 * reason than an unreachable cluster
 */
export async function* watchState<S>(watch: Watch<S>, deadline: Deadline): AsyncGenerator<S, void> {
  const { what, read, isEnd, waitTimeout } = watch;
  const end = Promise.withResolvers<void>();
  const phase = deadline.openEnded(() => end.promise);
  let last: S | undefined;
  let failure: CliError | undefined;
  // A read takes as long as the retries of its requests. The limit ends it too.
  const stopLimit =
    waitTimeout === undefined
      ? undefined
      : deadline.clock.after(durationToMs(waitTimeout), () =>
          deadline.abort(timedOut(watch, waitTimeout, { last, failure })),
        );
  const readOrFail = async (): Promise<S | CliError> => {
    try {
      return await read();
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      if (isEnd === undefined && last === undefined) throw error;
      deadline.failed(error, { what: `the next reading of ${what}`, afterMs: everyMs, isLong: true });
      return error;
    }
  };
  try {
    for (; ; await deadline.clock.sleep(everyMs, deadline.signal)) {
      const state = await readOrFail();
      failure = state instanceof CliError ? state : undefined;
      if (state instanceof CliError) continue;
      const isNew = last === undefined || watch.textOf(state) !== watch.textOf(last);
      last = state;
      if (isNew) yield state;
      if (isEnd?.(state)) return;
    }
  } finally {
    stopLimit?.();
    end.resolve();
    await phase;
  }
}

/** Says what the state was last: unreachable, or another one for its reasons. */
function timedOut<S>(
  { missed, why }: Watch<S>,
  limit: bigint,
  { last, failure }: { readonly last: S | undefined; readonly failure: CliError | undefined },
): CliError {
  const reasons = last === undefined ? '' : why(last);
  const reason = failure === undefined ? reasons : `the last reading failed: ${failure.message}`;
  return unreachableError(
    `${missed} within ${showDuration(limit)} (--wait-timeout)${reason === '' ? '' : `: ${reason}`}`,
    {
      code: 'WAIT_TIMEOUT',
      hints: [...(failure?.hints ?? []), 'raise the limit with --wait-timeout DURATION'],
      cause: failure,
    },
  );
}
