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

/** The same as milliseconds for timers and protocol fields, rounded up and clamped. */
export interface Limits {
  readonly dialMs: number;
  readonly requestOverheadMs: number;
  readonly retryMs: number;
  readonly commandMs: number;
  readonly fetchMaxWaitMs: number;
}

/** What follows a failure. */
export interface NextTry {
  /** For example `try 2 of Metadata`. */
  readonly what: string;
  readonly afterMs: number;
  /** Told again for the same pause, because it has been tried for two seconds by now. */
  readonly isLong?: boolean;
}

/** Hears of every failure that is being retried. */
export type FailureListener = (error: Error, next: NextTry | undefined) => void;

/**
 * The one deadline of a command. Every client gets it: `limits` for its own timers, `signal` to
 * abort what is in flight. The signal's reason is the error to report.
 */
export interface Deadline {
  readonly options: TimeOptions;
  readonly limits: Limits;
  /** Takes the options as resolved, in place of those it was started with; the command's clock goes on. */
  resolve(options: TimeOptions): void;
  /** Measures every limit; whoever waits for time to pass waits by it. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Runs a phase that `globals.command_timeout` does not bound: a stream, a person, a child process,
   * a long-running operation. The command's clock stands still meanwhile.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Says what is being waited for and from whom until the returned function is called; the timeout's message tells it. */
  waitingFor(what: string): () => void;
  /** Tells of a failure that is being retried; the timeout's message ends with the last one, and has its hints. */
  failed(error: Error, next?: NextTry): void;
  /** Milliseconds left to the command; it stands still in an open-ended phase. */
  remainingMs(): number;
  /** Aborts everything with `reason` (Ctrl-C, a closed pipe). Later calls change nothing. */
  abort(reason: Error): void;
  /** Stops the timer, so that it does not keep the process alive. */
  dispose(): void;
}

/**
 * Starts the command's clock.
 * @param startedAt when the command began, on `clock`
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
    /** Moves the end by so many milliseconds, to an earlier time where they are negative. */
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

/** What was being waited for, and what failed last. */
interface Story {
  waitingFor(what: string): () => void;
  failed(error: Error): void;
  tell(): { readonly text: string; readonly failure: Error | undefined };
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
    tell() {
      const [first, ...others] = new Set([...waits].map(({ what }) => what));
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      const waiting = first === undefined ? '' : `, waiting for ${first}${more}`;
      const last = failure === undefined ? '' : `; the last failure: ${failure.message}`;
      return { text: `${waiting}${last}`, failure };
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

function commandTimeout(limit: bigint, story: Story): Error {
  const { text, failure } = story.tell();
  return unreachableError(`the command did not end within globals.command_timeout=${showDuration(limit)}${text}`, {
    code: 'COMMAND_TIMEOUT',
    hints: [...(failure instanceof CliError ? failure.hints : []), 'raise it with -X globals.command_timeout=DURATION'],
    cause: failure,
  });
}
