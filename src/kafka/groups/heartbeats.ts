import type { Clock } from '../../clock.ts';
import type { NextTry } from '../../deadline.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { showDuration } from '../../format/duration.ts';
import { backoffMs } from '../../net/retry.ts';

/** What heartbeats are made of. */
export interface HeartbeatWork {
  readonly clock: Clock;
  /** From the start of one heartbeat to the start of the next, in milliseconds. */
  intervalMs(): number;
  /** Failures that may pass are put up with for so many milliseconds since the last answer. */
  readonly patienceMs: number;
  /** One heartbeat, one try; takes its answer in. */
  beat(): Promise<void>;
  /** Told of a failure that is followed by another try. */
  retried(error: Error, next: NextTry): void;
  /** Told of the failure that ends the heartbeats. */
  failed(error: unknown): void;
}

/** The heartbeats of a membership: one at a time, each of them one try, so that none is ever late because of another. */
export interface Heartbeats {
  /** Begins, or begins anew, with a heartbeat after so many milliseconds (one interval by default). */
  start(afterMs?: number): void;
  /** The coordinator has answered something else: patience counts from now. */
  heard(): void;
  /** Plans no further one; what comes of one under way is nobody's business. */
  stop(): void;
}

/** Sends nothing before `start`. */
export function createHeartbeats(work: HeartbeatWork): Heartbeats {
  const { clock } = work;
  let turn = 0;
  let failures = 0;
  let heardAt = clock.now();
  let cancel = (): void => undefined;

  function plan(afterMs: number): void {
    cancel();
    turn += 1;
    const mine = turn;
    cancel = clock.after(Math.max(0, afterMs), () => void run(mine));
  }
  async function run(mine: number): Promise<void> {
    const startedAt = clock.now();
    try {
      await work.beat();
      heardAt = clock.now();
      failures = 0;
      if (mine === turn) plan(work.intervalMs() - (clock.now() - startedAt));
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
      work.retried(error, { what: `try ${failures + 1} of Heartbeat`, afterMs });
      plan(afterMs);
    }
  }
  return {
    start: (afterMs = work.intervalMs()) => plan(afterMs),
    heard() {
      heardAt = clock.now();
      failures = 0;
    },
    stop() {
      turn += 1;
      cancel();
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
