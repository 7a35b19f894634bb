import type { OpenContext } from '../context.ts';
import { CliError, type ExitCode, exitCodes } from '../errors.ts';
import type { Host, Signal } from '../host.ts';

/** How a command is stopped from outside: by a signal, a closed pipe, or the end of its time. */
export interface Interruption {
  /** Rejects when the command, told to stop, did not; never resolves. */
  readonly overdue: Promise<never>;
  /** The exit code of the signal that came; undefined when none did. */
  signalCode(): ExitCode | undefined;
  stop(): void;
}

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGHUP: exitCodes.hangup,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};

/** The error of a command that a signal ended; reported without a word. */
export function endedBy(signal: Signal): CliError {
  return new CliError(codes[signal], `ended by ${signal}`, { code: 'INTERRUPTED' });
}

// What a command may still take once it was told to stop: a signal leaves time to leave a group or to
// finish a write, the end of the command's time must end the process within 200 ms.
const afterSignalMs = 5000;
const afterClosedPipeMs = 500;
const afterTimeoutMs = 50;

/** Watches over a command: the first signal aborts its context, the second ends it at once. */
export function watchInterruption(host: Host, context: OpenContext): Interruption {
  const overdue = Promise.withResolvers<never>();
  overdue.promise.catch(() => {}); // the command may have ended before
  let timer: NodeJS.Timeout | undefined;
  let received: ExitCode | undefined;

  const unsubscribe = host.onSignal((signal) => {
    if (context.deliver(signal)) return;
    const reason = endedBy(signal);
    if (received !== undefined) return overdue.reject(context.signal.aborted ? context.signal.reason : reason);
    received = codes[signal];
    const again = signal === 'SIGINT' ? ' (Ctrl-C again ends at once)' : '';
    context.notice(`stopping${again}`);
    if (context.stop()) timer = setTimeout(() => overdue.reject(reason), afterSignalMs);
    else context.abort(reason);
  });
  context.signal.addEventListener('abort', () => {
    const { reason } = context.signal;
    clearTimeout(timer);
    timer = setTimeout(() => overdue.reject(reason), graceMs(reason));
  });

  return {
    overdue: overdue.promise,
    signalCode: () => received,
    stop() {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

function graceMs(reason: unknown): number {
  if (!(reason instanceof CliError)) return afterTimeoutMs;
  if (reason.code === 'INTERRUPTED') return afterSignalMs;
  return reason.exitCode === exitCodes.brokenPipe ? afterClosedPipeMs : afterTimeoutMs;
}
