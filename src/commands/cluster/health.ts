import { command, toggle } from '../../cli/command.ts';
import { exitCodes } from '../../errors.ts';
import type { ClusterHealth } from '../../kafka/cluster/health-rows.ts';
import { healthSchema, healthText } from './health-text.ts';

/** A state of a watched cluster, which does not decide the exit code. */
type ShownHealth = ClusterHealth & { readonly isWatched?: true };

/** `cluster health` */
export const health = command({
  summary: 'Check for brokers that are down and partitions that are not healthy',
  description: `Exits with 10 if the cluster is unhealthy: a broker is registered but not serving, there is no controller, or a
partition has no leader, replicas that are not in sync, or no replica that is online. Only topics that the principal
may describe are checked.

Controller ID is the broker that the answering broker reports as the controller. In KRaft clusters, that is any broker
that is online, so it changes from run to run without an election.

With --watch, prints the health again whenever it changes, until interrupted. With --until-healthy, does the same until
the cluster is healthy, then exits with 0; a cluster that cannot be reached is not healthy yet. The command timeout does
not apply to either.`,
  examples: [
    ['Check once', 'cluster health'],
    ['Wait until all replicas are in sync after a restart', 'cluster health --until-healthy'],
    ['One line of JSON for each change', 'cluster health --watch --format json'],
  ],
  apis: ['kafka'],
  flags: {
    watch: toggle({ short: 'w', help: 'check every 2s and print each change, until interrupted' }),
    untilHealthy: toggle({
      short: 'e',
      help: 'check every 2s and print each change, until the cluster is healthy',
      aliases: ['exit-when-healthy'],
    }),
  },
  changes: 'reads',
  async run(context, { watch, untilHealthy }): Promise<ShownHealth | AsyncIterable<ShownHealth>> {
    const kafka = await context.kafka();
    if (!watch && !untilHealthy) return kafka.clusterHealth();
    return watched(kafka.watchHealth(untilHealthy ? 'until-healthy' : 'forever'));
  },
  output: {
    schema: healthSchema,
    text: (health, view) => healthText(health, view),
    exitCode: ({ is_healthy: isHealthy, isWatched }) => (isHealthy || isWatched ? exitCodes.ok : exitCodes.checkFailed),
  },
});

async function* watched(states: AsyncIterable<ClusterHealth>): AsyncIterable<ShownHealth> {
  // Not enumerable, so that it is not in the JSON.
  for await (const state of states) yield Object.defineProperty(state, 'isWatched', { value: true }) as ShownHealth;
}
