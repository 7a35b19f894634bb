import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { ShownHealth } from '../../kafka/cluster/health-rows.ts';

type Deadline = Awaited<ReturnType<Context['deadline']>>;

/** When to stop watching: never, or at the first healthy state. */
export type HealthWatch = 'forever' | 'until-healthy';

/** How often to read the health, in milliseconds, as in rpk. */
const everyMs = 2_000;

/**
 * Reads the health again and again, and yields each state that differs from the one before. A cluster that cannot be
 * reached is not healthy yet, so the watch continues, except that the first read of a watch `forever` must succeed.
 * @throws the reason of the deadline's signal; any failure for another reason than an unreachable cluster
 */
export async function* watchHealth(
  read: () => Promise<ShownHealth>,
  watch: HealthWatch,
  deadline: Deadline,
): AsyncIterable<ShownHealth> {
  const end = Promise.withResolvers<void>();
  const phase = deadline.openEnded(() => end.promise);
  let last: string | undefined;
  try {
    while (true) {
      const health = await readOrTell(read, { deadline, mayFail: watch === 'until-healthy' || last !== undefined });
      const state = health === undefined ? undefined : stateOf(health);
      if (health !== undefined && state !== last) {
        last = state;
        yield health;
      }
      if (health?.is_healthy && watch === 'until-healthy') return;
      await deadline.clock.sleep(everyMs, deadline.signal);
    }
  } finally {
    end.resolve();
    await phase;
  }
}

/**
 * What a change is judged by. Which broker is the controller does not count: without ZooKeeper, Kafka's brokers name any
 * broker that is alive, another one each time (KIP-590).
 */
function stateOf({ controller_id: controller, ...health }: ShownHealth): string {
  return JSON.stringify({ ...health, hasController: controller !== null });
}

async function readOrTell(
  read: () => Promise<ShownHealth>,
  { deadline, mayFail }: { readonly deadline: Deadline; readonly mayFail: boolean },
): Promise<ShownHealth | undefined> {
  try {
    return await read();
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (!mayFail || !(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) throw error;
    deadline.failed(error, { what: 'the next reading of the cluster health', afterMs: everyMs, isLong: true });
    return undefined;
  }
}
