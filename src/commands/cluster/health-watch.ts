import type { Context } from '../../context.ts';
import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { durationToMs, showDuration } from '../../format/duration.ts';
import type { ShownHealth } from '../../kafka/cluster/brokers/health-rows.ts';

type Deadline = Awaited<ReturnType<Context['deadline']>>;

/** When to stop watching. */
export interface HealthWatch {
  /** Whether the first healthy state ends the watch. */
  readonly untilHealthy: boolean;
  /** The longest wait for it, in nanoseconds. */
  readonly waitTimeout?: bigint | undefined;
}

/** How often to read the health, in milliseconds, as in rpk. */
const everyMs = 2_000;

/**
 * Reads the health again and again, and yields each state that differs from the one before. A cluster that cannot be
 * reached is not healthy yet, so the watch continues, except that the first read of a watch without an end must succeed.
 * @throws CliError (exit 5) if the cluster is not healthy in time; the reason of the deadline's signal; any failure for
 * another reason than an unreachable cluster
 */
export async function* watchHealth(
  read: () => Promise<ShownHealth>,
  { untilHealthy, waitTimeout }: HealthWatch,
  deadline: Deadline,
): AsyncIterable<ShownHealth> {
  const end = Promise.withResolvers<void>();
  const phase = deadline.openEnded(() => end.promise);
  let last: ShownHealth | undefined;
  let failure: CliError | undefined;
  // A read takes as long as the retries of its requests. The limit ends it too.
  const stopLimit =
    waitTimeout === undefined
      ? undefined
      : deadline.clock.after(durationToMs(waitTimeout), () => deadline.abort(timedOut(waitTimeout, last, failure)));
  const readOrFail = async (): Promise<ShownHealth | CliError> => {
    try {
      return await read();
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
      if (!untilHealthy && last === undefined) throw error;
      deadline.failed(error, { what: 'the next reading of the cluster health', afterMs: everyMs, isLong: true });
      return error;
    }
  };
  try {
    for (; ; await deadline.clock.sleep(everyMs, deadline.signal)) {
      const health = await readOrFail();
      failure = health instanceof CliError ? health : undefined;
      if (health instanceof CliError) continue;
      const isNew = last === undefined || stateOf(health) !== stateOf(last);
      last = health;
      if (isNew) yield health;
      if (health.is_healthy && untilHealthy) return;
    }
  } finally {
    stopLimit?.();
    end.resolve();
    await phase;
  }
}

/** Says what the cluster was last: unreachable, or unhealthy for its reasons. */
function timedOut(limit: bigint, last: ShownHealth | undefined, failure: CliError | undefined): CliError {
  const reasons = last?.unhealthy_reasons.join(', ') ?? '';
  const why = failure === undefined ? reasons : `the last reading failed: ${failure.message}`;
  return unreachableError(
    `the cluster was not healthy within ${showDuration(limit)} (--wait-timeout)${why === '' ? '' : `: ${why}`}`,
    {
      code: 'WAIT_TIMEOUT',
      hints: [...(failure?.hints ?? []), 'raise the limit with --wait-timeout DURATION'],
      cause: failure,
    },
  );
}

/**
 * What a change is judged by. Which broker is the controller does not count: without ZooKeeper, Kafka's brokers name any
 * broker that is alive, another one each time (KIP-590).
 */
function stateOf({ controller_id: controller, ...health }: ShownHealth): string {
  return JSON.stringify({ ...health, hasController: controller !== null });
}
