import { LostPartition } from '../../../admin/partitions/partition-rows.ts';
import { list, toggle, type ValuesOf } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, usageError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { inNumber } from '../../../format/name-lists.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, maybe, row, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { memberOf } from '../member.ts';
import { asUnsupported, nameOfAll, replicaCell, shortPartitions } from './changes.ts';

const status = 'weir cluster partitions balancer-status';

const flags = {
  fromNodes: list(brokerId, { splits: true, help: 'ids of the lost brokers, separated by commas' }),
  force: toggle({ help: 'recover although a broker is alive or not known to the cluster' }),
};

/** `cluster partitions unsafe-recover` */
export const unsafeRecover = change({
  summary: 'Recover partitions that have lost most of their replicas, and lose data',
  description: `For brokers that are down and never come back: finds the partitions most of whose replicas were on them, and rebuilds each
from the replicas that are left. What only the lost brokers had is gone, and a partition without any replica left becomes
empty. Lists these partitions before it asks, and recovers exactly those. The cluster works in the background.

Refused (exit code 6), without --force, while one of the brokers is alive. The request is not repeated after a failure that
leaves it open whether it arrived: check with cluster partitions balancer-status.`,
  examples: [
    ['Show what would be recovered', 'cluster partitions unsafe-recover --from-nodes 2 --dry-run'],
    ['Recover what broker 2 has taken with it', 'cluster partitions unsafe-recover --from-nodes 2'],
  ],
  apis: ['admin'],
  flags,
  changes: 'destroys',
  noun: 'partition',
  item: row({ ...LostPartition.fields, cores: listOf(maybe(whole)) }),
  plan: lostPartitions,
  asks(partitions, { fromNodes }) {
    const from = `${inNumber(fromNodes, 'broker', 'brokers')} ${fromNodes.join(', ')}`;
    const loss = inNumber(fromNodes, 'it has', 'they have');
    return {
      question: `Recover ${count(partitions.length, 'partition')} (${shortPartitions(partitions)}) without ${from}, and lose what only ${loss},`,
      name: nameOfAll(partitions),
    };
  },
  previews: true,
  async apply(context, partitions, values) {
    await recover(context, brokersIn(values), partitions);
    context.noticeAfter(`see how far the recovery is with: ${status}`);
    return [];
  },
  columns: [
    'namespace',
    'topic',
    'partition',
    ['replica core', ({ replicas, cores }) => replicaCell(replicas, cores)],
    ['dead nodes', (one) => one.dead_brokers],
  ],
});

type Choice = ValuesOf<typeof flags>;

function brokersIn({ fromNodes }: Choice): readonly number[] {
  if (fromNodes.length > 0) return [...new Set(fromNodes)];
  throw usageError('missing --from-nodes', {
    target: '--from-nodes',
    hints: ['name the lost brokers, as in --from-nodes 1,2'],
  });
}

async function lostPartitions(context: Context, choice: Choice): Promise<readonly LostPartition[]> {
  const ids = brokersIn(choice);
  const admin = await context.admin();
  if (!choice.force) {
    const brokers = await admin.brokers();
    const alive = ids.filter((id) => memberOf(brokers, id).is_alive === true);
    if (alive.length > 0) throw isAlive(alive);
  }
  const lost = await admin.majorityLost(ids).catch(asUnsupported('recover partitions'));
  if (lost.length === 0) context.notice('no partition has lost most of its replicas');
  return lost;
}

function isAlive(ids: readonly number[]): CliError {
  const who = ids.length === 1 ? `broker ${ids[0]} is` : `brokers ${ids.join(', ')} are`;
  return new CliError(exitCodes.conflict, `unable to recover partitions: ${who} alive`, {
    code: 'BROKER_ALIVE',
    target: ids.join(','),
    hints: ['recover anyway with --force; what was written there is lost'],
  });
}

async function recover(context: Context, brokers: readonly number[], rows: readonly LostPartition[]): Promise<void> {
  const admin = await context.admin();
  sending(context, `recovering ${count(rows.length, 'partition')}`, status);
  try {
    await admin.forceRecover(brokers, rows);
  } catch (error) {
    if (!(error instanceof CliError) || context.signal.aborted) throw error;
    const changed =
      error.code === 'CONFLICT' ? ['the partitions have changed since they were listed: list them again'] : [];
    throw withHints(error, [...changed, `see whether a recovery is running with: ${status}`]);
  }
  context.onInterrupt(stoppedError('the recovery has started', [`see how far it is with: ${status}`]));
}
