import type { Context } from '../../context.ts';
import type { ShownHealth } from '../../kafka/cluster/brokers/health-rows.ts';
import { watchState } from './watch.ts';

/** When to stop watching. */
export interface HealthWatch {
  /** Whether the first healthy state ends the watch. */
  readonly untilHealthy: boolean;
  /** The longest wait for it, in nanoseconds. */
  readonly waitTimeout?: bigint | undefined;
}

/** Reads the health again and again, and yields each state that differs from the one before. @throws as `watchState` */
export function watchHealth(
  read: () => Promise<ShownHealth>,
  { untilHealthy, waitTimeout }: HealthWatch,
  deadline: Awaited<ReturnType<Context['deadline']>>,
): AsyncGenerator<ShownHealth, void> {
  return watchState(
    {
      what: 'the cluster health',
      read,
      textOf,
      ...(untilHealthy && { isEnd: (health) => health.is_healthy === true }),
      waitTimeout,
      missed: 'the cluster was not healthy',
      why: ({ unhealthy_reasons: reasons }) => reasons.join(', '),
    },
    deadline,
  );
}

/**
 * What a change is judged by. Which broker is the controller does not count: without ZooKeeper, Kafka's brokers name any
 * broker that is alive, another one each time (KIP-590).
 */
function textOf({ controller_id: controller, ...health }: ShownHealth): string {
  return JSON.stringify({ ...health, hasController: controller !== null });
}
