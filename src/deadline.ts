import { type Clock, realClock } from './clock.ts';
import { CliError, unreachableError } from './errors.ts';
import { durationToMs, maxTimerMs, showDuration } from './format/duration.ts';

/** The five time options as resolved, in nanoseconds (`globals.*` of the options table). */
export interface TimeOptions {
  readonly dial: bigint;
  readonly requestOverhead: bigint;
  readonly retry: bigint;
  readonly command: bigint;
  readonly fetchMaxWait: bigint;
}

/** The time options in milliseconds for timers and protocol fields, rounded up and clamped. */
export interface Limits {
  readonly dialMs: number;
  readonly requestOverheadMs: number;
  readonly retryMs: number;
  readonly commandMs: number;
  readonly fetchMaxWaitMs: number;
}

/** The retry that follows a failure. */
export interface NextTry {
  /** For example `attempt 2 of Metadata`. */
  readonly what: string;
  readonly afterMs: number;
  /** Whether this reports the same pause a second time, because attempts have failed for two seconds by now. */
  readonly isLong?: boolean;
}

/** Called for every failure that is retried. */
export type FailureListener = (error: Error, next: NextTry | undefined) => void;

/**
 * The deadline of a command, shared by all clients: `limits` are for their own timers, `signal` aborts
 * pending requests. The signal's reason is the error to report.
 */
export interface Deadline {
  readonly options: TimeOptions;
  readonly limits: Limits;
  /** Replaces the initial options with the resolved ones; the command's clock keeps running. */
  resolve(options: TimeOptions): void;
  /** The clock for every limit and every pause. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Runs a phase without `globals.command_timeout`: a stream, a prompt, a child process or a
   * long-running operation. The command's clock is paused during the phase.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Names what the command waits for, for the timeout's message, until the returned function is called. */
  waitingFor(what: string): () => void;
  /** Reports a failure that is retried; the timeout's message ends with the last one and includes its hints. */
  failed(error: Error, next?: NextTry): void;
  /** Milliseconds left for the command; does not decrease in an open-ended phase. */
  remainingMs(): number;
  /** Aborts everything with `reason` (Ctrl-C, a closed pipe). Later calls change nothing. */
  abort(reason: Error): void;
  /** Stops the timer, so that it does not keep the process alive. */
  dispose(): void;
}

/**
 * Starts the command's clock.
 * @param startedAt when the command started, on `clock`
 */
export function startDeadline(
  options: TimeOptions,
  startedAt?: number,
  onFailure?: FailureListener,
  clock: Clock = realClock,
): Deadline {
  let times = options;
  let limits = limitsOf(options);
  const controller = new AbortController();
  const story = createStory();
  const now = clock.now();
  const countdown = startCountdown(clock, limits.commandMs - (now - (startedAt ?? now)), () =>
    controller.abort(commandTimeout(times.command, story)),
  );
  return {
    get options() {
      return times;
    },
    get limits() {
      return limits;
    },
    resolve(resolved) {
      const before = limits.commandMs;
      times = resolved;
      limits = limitsOf(resolved);
      countdown.extend(limits.commandMs - before);
    },
    clock,
    signal: controller.signal,
    async openEnded(work) {
      const resume = countdown.pause();
      try {
        return await work();
      } finally {
        resume();
      }
    },
    waitingFor: story.waitingFor,
    failed(error, next) {
      story.failed(error);
      onFailure?.(error, next);
    },
    remainingMs: countdown.remainingMs,
    abort(reason) {
      countdown.stop();
      controller.abort(reason);
    },
    dispose: countdown.stop,
  };
}

/** The same deadline for a client that must not retry: diagnosis shows the first failure. */
export function withoutRetries(deadline: Deadline): Deadline {
  return {
    ...deadline,
    get options() {
      return { ...deadline.options, retry: 0n };
    },
    get limits() {
      return { ...deadline.limits, retryMs: 0 };
    },
  };
}

/**
 * The same deadline inside that of a whole command: a phase without a limit has none there either, and the outer one
 * learns what is waited for and what failed.
 */
export function nestedIn(outer: Deadline, deadline: Deadline): Deadline {
  return {
    ...deadline,
    get options() {
      return deadline.options;
    },
    get limits() {
      return deadline.limits;
    },
    openEnded: (work) => outer.openEnded(() => deadline.openEnded(work)),
    waitingFor(what) {
      const ends = [outer, deadline].map((each) => each.waitingFor(what));
      return () => {
        for (const end of ends) end();
      };
    },
    failed(error, next) {
      outer.failed(error, next);
      deadline.failed(error, next);
    },
  };
}

/** A timer that can be paused; pauses may overlap. */
function startCountdown(clock: Clock, milliseconds: number, onExpiry: () => void) {
  let remaining = milliseconds;
  let startedAt = clock.now();
  let cancel = (): void => undefined;
  let pauses = 0;
  let over = false;

  function run(): void {
    startedAt = clock.now();
    cancel = clock.after(Math.min(Math.max(1, Math.ceil(remaining)), maxTimerMs), () => {
      over = true;
      onExpiry();
    });
  }
  function remainingMs(): number {
    return Math.max(0, pauses > 0 ? remaining : remaining - (clock.now() - startedAt));
  }

  run();
  return {
    remainingMs,
    pause(): () => void {
      if (pauses === 0) {
        remaining = remainingMs();
        cancel();
      }
      pauses += 1;
      return () => {
        pauses -= 1;
        if (pauses === 0 && !over) run();
      };
    },
    /** Moves the end by this many milliseconds; a negative number moves it earlier. */
    extend(byMs: number): void {
      if (over || byMs === 0) return;
      remaining = (pauses > 0 ? remaining : remaining - (clock.now() - startedAt)) + byMs;
      if (pauses > 0) return;
      cancel();
      run();
    },
    stop(): void {
      over = true;
      cancel();
    },
  };
}

/** What the command is waiting for, and the last failure. */
interface Story {
  waitingFor(what: string): () => void;
  failed(error: Error): void;
  summary(): { readonly text: string; readonly failure: Error | undefined };
}

function createStory(): Story {
  const waits = new Set<{ readonly what: string }>();
  let failure: Error | undefined;
  return {
    waitingFor(what) {
      const wait = { what };
      waits.add(wait);
      return () => waits.delete(wait);
    },
    failed(error) {
      failure = error;
    },
    summary() {
      const [first, ...others] = new Set([...waits].map(({ what }) => what));
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      const waiting = first === undefined ? '' : ` while waiting for ${first}${more}`;
      const last = failure === undefined ? '' : `; last failure: ${failure.message}`;
      return { text: `${waiting}${last}`, failure };
    },
  };
}

/** Converts the time options to milliseconds, rounded up and clamped to what a timer and an int32 hold. */
export function limitsOf(options: TimeOptions): Limits {
  return {
    dialMs: durationToMs(options.dial),
    requestOverheadMs: durationToMs(options.requestOverhead),
    retryMs: durationToMs(options.retry),
    commandMs: durationToMs(options.command),
    fetchMaxWaitMs: durationToMs(options.fetchMaxWait),
  };
}

function commandTimeout(limit: bigint, story: Story): Error {
  const { text, failure } = story.summary();
  return unreachableError(`the command timed out (globals.command_timeout=${showDuration(limit)})${text}`, {
    code: 'COMMAND_TIMEOUT',
    hints: [
      ...(failure instanceof CliError ? failure.hints : []),
      'raise the limit with -X globals.command_timeout=DURATION',
    ],
    cause: failure,
  });
}
