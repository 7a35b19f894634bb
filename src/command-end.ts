import type { Context, StopCause } from './context.ts';
import { CliError, type ExitCode, exitCodes, stopCodes } from './errors.ts';

/** What ends a command before its last request: a signal, a timeout, a service that does not answer. */
export interface End {
  /** Why nothing more is sent; undefined while requests are. */
  why(): Cause | undefined;
  /** Waits for an answer until the command times out. @throws CliError for that, or of `work` */
  answer<T>(work: Promise<T>): Promise<T>;
  forget(): void;
}

/** Why a command ended, and the exit code of what it left as it was. */
export interface Cause {
  readonly text: string;
  readonly exitCode: ExitCode;
}

function causeOf(stop: StopCause): Cause {
  return { text: `the command ${stop === 'timeout' ? 'timed out' : 'was stopped'}`, exitCode: stopCodes[stop] };
}

/** Watches what ends a command, so that it stops between two requests. Call `forget` after the last one. */
export function watchEnd(context: Context): End {
  let why: Cause | undefined;
  const timeout = Promise.withResolvers<never>();
  timeout.promise.catch(() => {}); // there may be no request that waits
  const forget = context.onStop((cause) => {
    why ??= causeOf(cause);
    if (cause === 'timeout')
      timeout.reject(
        new CliError(exitCodes.unreachable, 'there was no answer before the command timed out; it may have been done', {
          code: 'COMMAND_TIMEOUT',
        }),
      );
    return 'finishing the request that is on its way';
  });
  return {
    why: () => why,
    async answer(work) {
      try {
        return await Promise.race([work, timeout.promise]);
      } catch (error) {
        if (error instanceof CliError && error.exitCode === exitCodes.unreachable)
          why ??= { text: error.message, exitCode: error.exitCode };
        throw error;
      }
    },
    forget,
  };
}
