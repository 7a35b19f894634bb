import { flag, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { type AfterWait, stoppedWait, usageError } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { duration } from '../../kinds.ts';
import type { WaitOptions } from '../../net/poll.ts';

/** The default of `--wait-timeout`, in nanoseconds. */
const ninetyMinutes = 90n * 60n * 1_000_000_000n;

/**
 * The flags of commands that start work which the cluster continues by itself, or that show it.
 * @param until when the wait ends
 */
export function waitFlags(until: string) {
  return {
    wait: toggle({ short: 'w', help: `wait until ${until}` }),
    waitTimeout: flag(duration, { help: 'maximum time to wait, with --wait (default: 90m)' }),
  };
}

/** The values of `waitFlags`. */
export type WaitValues = ValuesOf<ReturnType<typeof waitFlags>>;

/** Checks the flags of a wait. @throws CliError (exit 2) for a limit without a wait */
export function checkWait({ wait, waitTimeout }: WaitValues): void {
  if (waitTimeout !== undefined && !wait) throw usageError('--wait-timeout needs --wait', { target: '--wait-timeout' });
}

/** A wait for work of the cluster. */
interface Wait<S> extends AfterWait {
  /** The work, for example `the drain of broker 1`. */
  readonly what: string;
  /** The state in a few words, for the progress. */
  show(state: S): string;
  /** Starts the wait of the client. */
  start(options: WaitOptions<S>): Promise<S>;
}

/** Waits with progress on stderr; if a signal ends the wait, weir says that the work continues, and how to wait again. */
export async function waitFor<S>(context: Context, { waitTimeout }: WaitValues, wait: Wait<S>): Promise<S> {
  const { what, resumeWith, stopWith } = wait;
  const progress = context.progress(what);
  context.step(`waiting for ${what}`);
  context.onInterrupt(stoppedWait(wait));
  try {
    const state = await wait.start({
      waitTimeoutMs: durationToMs(waitTimeout ?? ninetyMinutes),
      resumeWith,
      stopWith,
      onProgress: (now) => progress.report({ detail: wait.show(now) }),
    });
    context.onInterrupt(undefined);
    return state;
  } finally {
    progress.end();
  }
}
