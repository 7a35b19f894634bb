import type { OpenContext } from '../context.ts';
import { CliError, type ExitCode, exitCodes } from '../errors.ts';
import type { Host, Signal } from '../host/host.ts';

/** Stops a command from outside: after a signal, a closed pipe or a timeout. */
export interface Interruption {
  /** Rejects when the command does not stop within its grace period; never resolves. */
  readonly overdue: Promise<never>;
  /** The exit code of the received signal; undefined without one. */
  signalCode(): ExitCode | undefined;
  /** Whether the command was ended because it did not stop within its grace period. */
  isOverdue(): boolean;
  /** The command timeout that stops the command in order; undefined if it has not run out. */
  timeout(): Error | undefined;
  /** How long the reader of the output may take for the rest, in milliseconds; undefined if nothing stopped the command. */
  outputMs(): number | undefined;
  /** Stops a command whose output has failed as a signal does: a group member leaves its group first. */
  outputFailed(reason: Error): void;
  stop(): void;
}

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGHUP: exitCodes.hangup,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};

/** The error of a command that a signal ended; nothing is printed for it. */
export function endedBy(signal: Signal): CliError {
  return new CliError(codes[signal], `ended by ${signal}`, { code: 'INTERRUPTED' });
}

// Grace periods. After a signal, a command has time to leave a group or to finish a write; after a timeout, the
// process must end within 200 ms.
const afterSignalMs = 5000;
const afterClosedPipeMs = 500;
const afterTimeoutMs = 150;
/** After a second signal; the report of it must still be written. */
const afterOverdueMs = 50;

/** Watches a command: the first signal aborts its context, the second one ends it at once. */
export function watchInterruption(host: Host, context: OpenContext): Interruption {
  const overdue = Promise.withResolvers<never>();
  overdue.promise.catch(() => {}); // the command may have ended before
  let cancel = (): void => undefined;
  let received: ExitCode | undefined;
  let timeout: Error | undefined;
  let isOverdue = false;
  const end = (reason: unknown): void => {
    isOverdue = true;
    overdue.reject(reason);
  };
  const endAfter = (milliseconds: number, reason: unknown): void => {
    cancel();
    cancel = context.clock.after(milliseconds, () => end(reason));
  };

  const unsubscribe = host.onSignal((signal) => {
    if (context.deliver(signal)) return;
    const reason = endedBy(signal);
    if (received !== undefined) return end(context.signal.aborted ? context.signal.reason : reason);
    received = codes[signal];
    const isTyped = signal === 'SIGINT';
    const left = context.stop('signal');
    context.notice(afterSignal(left ?? [], isTyped));
    if (left === undefined) return context.abort(reason);
    // Someone who presses Ctrl-C can press it again; whoever sends SIGTERM may send SIGKILL next.
    if (isTyped && left.length > 0) return;
    endAfter(afterSignalMs, reason);
  });
  context.onTimeout((reason) => {
    // After a signal, the command stops already.
    if (received !== undefined) return true;
    const left = context.stop('timeout');
    if (left === undefined) return false;
    timeout = reason;
    endAfter(afterSignalMs, reason);
    return true;
  });
  const aborted = (): void => {
    const { reason } = context.signal;
    endAfter(graceMs(reason), reason);
  };
  context.signal.addEventListener('abort', aborted);

  return {
    overdue: overdue.promise,
    signalCode: () => received,
    isOverdue: () => isOverdue,
    timeout: () => timeout,
    outputMs() {
      if (received === undefined && timeout === undefined) return undefined;
      return isOverdue ? afterOverdueMs : afterSignalMs;
    },
    outputFailed(reason) {
      if (context.stop('output') === undefined) context.abort(reason);
      else endAfter(afterSignalMs, reason);
    },
    stop() {
      context.signal.removeEventListener('abort', aborted);
      cancel();
      unsubscribe();
    },
  };
}

/** What a signal prints. @param left what the command has still to do */
function afterSignal(left: readonly string[], isTyped: boolean): string {
  if (left.length === 0) return `stopping${isTyped ? ' (press Ctrl-C again to end at once)' : ''}`;
  return `${left.join(', ')}${isTyped ? '; press Ctrl-C again to stop' : ` for at most ${afterSignalMs / 1000}s`}`;
}

function graceMs(reason: unknown): number {
  if (!(reason instanceof CliError)) return afterTimeoutMs;
  if (reason.code === 'INTERRUPTED') return afterSignalMs;
  return reason.exitCode === exitCodes.brokenPipe ? afterClosedPipeMs : afterTimeoutMs;
}
