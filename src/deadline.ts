import { type Clock, realClock } from './clock.ts';
import { CliError, unreachableError } from './errors.ts';
import { pipesWaitedFor } from './files/read.ts';
import { durationToMs, maxTimerMs, showDuration } from './format/duration.ts';

/** The five time options as resolved, in nanoseconds (`globals.*` of the options table). */
export interface TimeOptions {
  readonly dial: bigint;
  readonly requestOverhead: bigint;
  readonly retry: bigint;
  /** 0 means no limit. */
  readonly command: bigint;
  /** Where the command timeout was set, for messages; undefined if it is the default. */
  readonly commandOrigin?: string | undefined;
  readonly fetchMaxWait: bigint;
}

/** The time options in milliseconds for timers and protocol fields, rounded up and clamped. */
export interface Limits {
  readonly dialMs: number;
  readonly requestOverheadMs: number;
  readonly retryMs: number;
  /** Infinity for no limit. */
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
   * Runs a phase without a fixed end: a stream, a prompt, a child process or a long-running operation. It pauses the
   * command's clock, unless somebody has set `globals.command_timeout`: that bounds every phase.
   */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Names what the command waits for, for the timeout's message, until the returned function is called. */
  waitingFor(what: string): () => void;
  /** Reports a failure that is retried; the timeout's message ends with the last one and includes its hints. */
  failed(error: Error, next?: NextTry): void;
  /** Milliseconds left for the command. */
  remainingMs(): number;
  /**
   * Sets what stops the command in order when it times out, such as a stream that commits what it has printed. If it
   * returns true, nothing is aborted.
   */
  onTimeout(stop: (reason: Error) => boolean): void;
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
  let stopInOrder = (_reason: Error): boolean => false;
  const countdown = startCountdown(clock, startedAt ?? clock.now(), () => {
    const reason = commandTimeout(times, story);
    if (!stopInOrder(reason)) controller.abort(reason);
  });
  countdown.setLimit(limits.commandMs, isSet(times));
  return {
    get options() {
      return times;
    },
    get limits() {
      return limits;
    },
    resolve(resolved) {
      times = resolved;
      limits = limitsOf(resolved);
      countdown.setLimit(limits.commandMs, isSet(times));
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
    onTimeout(stop) {
      stopInOrder = stop;
    },
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

/** Whether somebody has set the command timeout. */
function isSet({ commandOrigin }: TimeOptions): boolean {
  return commandOrigin !== undefined;
}

/** A timer that can be paused; pauses may overlap. */
function startCountdown(clock: Clock, startedAt: number, onExpiry: () => void) {
  let [limitMs, ignoresPauses] = [Number.POSITIVE_INFINITY, false];
  let [pauses, pausedMs, pausedSince] = [0, 0, 0];
  let over = false;
  let cancel = (): void => undefined;

  function remainingMs(): number {
    const paused = ignoresPauses ? 0 : pausedMs + (pauses > 0 ? clock.now() - pausedSince : 0);
    return Math.max(0, limitMs - (clock.now() - startedAt - paused));
  }
  function run(): void {
    cancel();
    const leftMs = remainingMs();
    if (over || (pauses > 0 && !ignoresPauses) || leftMs === Number.POSITIVE_INFINITY) return;
    cancel = clock.after(Math.min(Math.max(1, Math.ceil(leftMs)), maxTimerMs), () => {
      over = true;
      onExpiry();
    });
  }
  return {
    remainingMs,
    /** Changes the limit; the time that has passed counts, except in pauses unless they are ignored. */
    setLimit(milliseconds: number, isPauseless: boolean): void {
      [limitMs, ignoresPauses] = [milliseconds, isPauseless];
      run();
    },
    pause(): () => void {
      if (pauses === 0) pausedSince = clock.now();
      pauses += 1;
      run();
      return () => {
        pauses -= 1;
        if (pauses === 0) pausedMs += clock.now() - pausedSince;
        run();
      };
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
      const [first, ...others] = new Set([...pipesWaitedFor(), ...[...waits].map(({ what }) => what)]);
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
    commandMs: options.command === 0n ? Number.POSITIVE_INFINITY : durationToMs(options.command),
    fetchMaxWaitMs: durationToMs(options.fetchMaxWait),
  };
}

function commandTimeout({ command, commandOrigin }: TimeOptions, story: Story): Error {
  const { text, failure } = story.summary();
  const from = commandOrigin === undefined ? '' : ` from ${commandOrigin}`;
  return unreachableError(`the command timed out (globals.command_timeout=${showDuration(command)}${from})${text}`, {
    code: 'COMMAND_TIMEOUT',
    hints: [
      ...(failure instanceof CliError ? failure.hints : []),
      'raise the limit with -X globals.command_timeout=DURATION; 0 means no limit',
    ],
    cause: failure,
  });
}
