import { unreachableError } from './errors.ts';
import { durationToMs, maxTimerMs, showDuration } from './format/duration.ts';

/** The five time options as resolved, in nanoseconds (`globals.*` of the options table). */
export interface TimeOptions {
  readonly dial: bigint;
  readonly requestOverhead: bigint;
  readonly retry: bigint;
  readonly command: bigint;
  readonly fetchMaxWait: bigint;
}

/** The same as milliseconds for timers and protocol fields, rounded up and clamped. */
export interface Limits {
  readonly dialMs: number;
  readonly requestOverheadMs: number;
  readonly retryMs: number;
  readonly commandMs: number;
  readonly fetchMaxWaitMs: number;
}

/**
 * The one deadline of a command. Every client gets it: `limits` for its own timers, `signal` to
 * abort what is in flight. The signal's reason is the error to report.
 */
export interface Deadline {
  readonly options: TimeOptions;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /**
   * Runs a phase that `globals.command_timeout` does not bound: a stream, a person, a child process,
   * a long-running operation. The command's clock stands still meanwhile.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Aborts everything with `reason` (Ctrl-C, a closed pipe). Later calls change nothing. */
  abort(reason: Error): void;
  /** Stops the timer, so that it does not keep the process alive. */
  dispose(): void;
}

/** Starts the command's clock. */
export function startDeadline(options: TimeOptions): Deadline {
  const limits = limitsOf(options);
  const controller = new AbortController();
  let remainingMs = limits.commandMs;
  let startedAt = performance.now();
  let timer = arm();
  let openPhases = 0;

  function arm(): NodeJS.Timeout {
    startedAt = performance.now();
    return setTimeout(expire, Math.min(Math.max(1, Math.ceil(remainingMs)), maxTimerMs));
  }
  function expire(): void {
    controller.abort(commandTimeout(options.command));
  }
  function resume(): void {
    openPhases -= 1;
    if (openPhases === 0 && !controller.signal.aborted) timer = arm();
  }

  return {
    options,
    limits,
    signal: controller.signal,
    async openEnded(work) {
      if (openPhases === 0) {
        clearTimeout(timer);
        remainingMs -= performance.now() - startedAt;
      }
      openPhases += 1;
      try {
        return await work();
      } finally {
        resume();
      }
    },
    abort(reason) {
      clearTimeout(timer);
      controller.abort(reason);
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}

/** The time options as milliseconds: rounded up, and clamped to what a timer and an int32 hold. */
export function limitsOf(options: TimeOptions): Limits {
  return {
    dialMs: durationToMs(options.dial),
    requestOverheadMs: durationToMs(options.requestOverhead),
    retryMs: durationToMs(options.retry),
    commandMs: durationToMs(options.command),
    fetchMaxWaitMs: durationToMs(options.fetchMaxWait),
  };
}

function commandTimeout(limit: bigint): Error {
  return unreachableError(`the command did not end within globals.command_timeout=${showDuration(limit)}`, {
    code: 'COMMAND_TIMEOUT',
    hints: ['raise it with -X globals.command_timeout=DURATION'],
  });
}
