import type { Clock } from '../../../clock.ts';
import type { NextTry } from '../../../deadline.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { showDuration } from '../../../format/duration.ts';
import { backoffMs } from '../../../net/retry.ts';

/** The work and the timing of heartbeats. */
export interface HeartbeatWork {
  readonly clock: Clock;
  /** The time from the start of one heartbeat to the start of the next, in milliseconds. */
  intervalMs(): number;
  /** How long the coordinator keeps a member that it does not hear, in milliseconds. */
  readonly sessionMs: number;
  /** How long retryable failures are tolerated since the last answer, in milliseconds. */
  readonly patienceMs: number;
  /** Sends one heartbeat, without retries, and applies its answer. */
  beat(): Promise<void>;
  /** Called with a failure that is retried. */
  retried(error: Error, next: NextTry): void;
  /** Called with the failure that ends the heartbeats. */
  failed(error: unknown): void;
}

/** The heartbeats of a membership: one at a time and each a single attempt, so that none delays the next. */
export interface Heartbeats {
  /** Starts or restarts the heartbeats, with the first one after `afterMs` milliseconds (default: one interval). */
  start(afterMs?: number): void;
  /** Restarts the count of `patienceMs`, after the coordinator has answered another request. */
  heard(): void;
  /**
   * Returns a promise if the session may be over because no heartbeat was answered in time: this process, or the
   * coordinator, stood still. It resolves when a heartbeat is answered or the heartbeats end.
   */
  confirmed(): Promise<void> | undefined;
  /** Stops the heartbeats; the result of a pending one is ignored. */
  stop(): void;
}

/** Creates heartbeats. Sends nothing before `start`. */
export function createHeartbeats(work: HeartbeatWork): Heartbeats {
  const { clock } = work;
  let turn = 0;
  let failures = 0;
  let heardAt = clock.now();
  const session = createSession(work);
  let cancel = (): void => undefined;

  function plan(afterMs: number): void {
    cancel();
    turn += 1;
    session.isRunning = true;
    const mine = turn;
    cancel = clock.after(Math.max(0, afterMs), () => void run(mine));
  }
  async function run(mine: number): Promise<void> {
    const started = momentOf(clock);
    try {
      await work.beat();
      heardAt = clock.now();
      session.confirm(started);
      failures = 0;
      if (mine === turn) plan(work.intervalMs() - (clock.now() - started.ms));
    } catch (error) {
      if (mine === turn) judge(error);
    }
  }
  function judge(error: unknown): void {
    const silentMs = clock.now() - heardAt;
    if (!(error instanceof CliError && error.retryable)) work.failed(error);
    else if (silentMs >= work.patienceMs) work.failed(silence(error, silentMs));
    else {
      failures += 1;
      const afterMs = Math.min(work.intervalMs(), backoffMs(failures, clock.random));
      work.retried(error, { what: `attempt ${failures + 1} of Heartbeat`, afterMs });
      plan(afterMs);
    }
  }
  return {
    start: (afterMs = work.intervalMs()) => plan(afterMs),
    heard() {
      heardAt = clock.now();
      session.confirm(momentOf(clock));
      failures = 0;
    },
    confirmed() {
      if (!session.isDoubtful()) return undefined;
      if (!session.isAsking) plan(0);
      return session.confirmed();
    },
    stop() {
      turn += 1;
      cancel();
      session.end();
    },
  };
}

/** A moment on both clocks: while the machine sleeps, only the wall clock goes on. */
interface Moment {
  readonly ms: number;
  readonly wallMs: number;
}

function momentOf(clock: Clock): Moment {
  return { ms: clock.now(), wallMs: clock.wallTime() };
}

/** Tracks whether the coordinator may have ended the session of a member that it has not heard. */
function createSession({ clock, sessionMs }: Pick<HeartbeatWork, 'clock' | 'sessionMs'>) {
  let alive = momentOf(clock);
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    isRunning: false,
    /** Lets go what waits: a member without heartbeats prints nothing that is new. Confirms nothing. */
    end(): void {
      this.isRunning = false;
      waiting?.resolve();
      waiting = undefined;
    },
    /** @param at when the request was sent that the coordinator has answered */
    confirm(at: Moment): void {
      alive = at;
      // An answer from before the standstill says nothing about the session since.
      if (this.isDoubtful()) return;
      waiting?.resolve();
      waiting = undefined;
    },
    isDoubtful(): boolean {
      return this.isRunning && Math.max(clock.now() - alive.ms, clock.wallTime() - alive.wallMs) >= sessionMs;
    },
    get isAsking() {
      return waiting !== undefined;
    },
    confirmed(): Promise<void> {
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
  };
}

function silence(last: CliError, silentMs: number): CliError {
  const time = showDuration(BigInt(Math.round(silentMs / 100)) * 100_000_000n);
  return new CliError(exitCodes.unreachable, `${last.message} (no heartbeat was answered for ${time})`, {
    code: last.code,
    hints: last.hints,
    retryable: true,
    cause: last,
    ...(last.target === undefined ? {} : { target: last.target }),
  });
}
