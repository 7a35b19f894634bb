import { apiFlag, byApi } from '../../cli/by-api.ts';
import { flag, toggle } from '../../cli/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { ShownHealth } from '../../kafka/cluster/brokers/health-rows.ts';
import { duration } from '../../kinds.ts';
import { healthOfAdmin, healthText } from './health-text.ts';
import { watchHealth } from './health-watch.ts';

const unknownHealth = 'the Kafka API of Redpanda does not tell how partitions are';

/** `cluster health` */
export const health = byApi({
  summary: 'Check for brokers that are down and partitions that are not healthy',
  description: `Exits with 10 if the cluster is unhealthy: a broker is registered but not serving, there is no controller, or a
partition has no leader, replicas that are not in sync, or no replica that is online.`,
  notes: `With --watch, prints the health again whenever it changes, until interrupted; with --until-healthy, until the cluster is
healthy (exit code 0) or --wait-timeout has passed (exit code 5). The command timeout does not apply to either.`,
  examples: [
    ['Check once', 'cluster health'],
    ['Wait until all replicas are in sync after a restart', 'cluster health --until-healthy'],
    ['For five minutes at most', 'cluster health --until-healthy --wait-timeout 5m'],
    ['One line of JSON for each change', 'cluster health --watch --format json'],
  ],
  flags: {
    api: apiFlag,
    watch: toggle({ short: 'w', help: 'check every 2s and print each change, until interrupted' }),
    untilHealthy: toggle({
      short: 'e',
      help: 'check every 2s and print each change, until the cluster is healthy',
      aliases: ['exit-when-healthy'],
    }),
    waitTimeout: flag(duration, { help: 'maximum time to wait, with --until-healthy (default: no limit)' }),
  },
  result: ShownHealth,
  kafka: {
    help: `The Kafka API checks only topics that the principal may describe, and the controller that it reports for a KRaft cluster
is any broker that is online. On a Redpanda cluster, it only shows which brokers are down: the health is not known then
(exit code 10).`,
    async run(context, { untilHealthy }) {
      const health = await (await context.kafka()).clusterHealth();
      if (health.is_healthy !== null) return health;
      if (untilHealthy)
        throw usageError(`--until-healthy needs the Admin API: ${unknownHealth}`, {
          hints: ['use it with: --api admin'],
        });
      context.noticeAfter(`${unknownHealth}: use --api admin`);
      return health;
    },
  },
  admin: {
    help: `The Admin API checks all partitions, and
also reports brokers in recovery mode, but not which partitions are offline (null in JSON).`,
    examples: [['As the Admin API reports it', 'cluster health --api admin']],
    run: async (context) => healthOfAdmin(await (await context.admin()).health()),
  },
  async repeat(context, { watch, untilHealthy, waitTimeout }, once) {
    if (waitTimeout !== undefined && !untilHealthy) {
      throw usageError('--wait-timeout needs --until-healthy', { target: '--wait-timeout' });
    }
    if (!watch && !untilHealthy) return await once();
    return watchHealth(once, { untilHealthy, waitTimeout }, await context.deadline());
  },
  show: {
    text: (health, view) => healthText(health, view),
    // The states of a watched cluster do not decide.
    exitCode: ({ is_healthy: isHealthy }, { watch, untilHealthy }) =>
      isHealthy || watch || untilHealthy ? exitCodes.ok : exitCodes.checkFailed,
  },
});
