import { LostPartition } from '../../../admin/partitions/partition-rows.ts';
import { command, list, toggle, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError, usageError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, maybe, type RowOf, row, truth, whole, word } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { memberOf } from '../member.ts';
import { asUnsupported, nameOfAll, shortPartitions } from './changes.ts';
import { replicaCell } from './replica-cell.ts';

/** A partition that is or would be recovered. */
const recoveredRow = row({
  ...LostPartition.fields,
  cores: listOf(maybe(whole)),
  status: word('OK'),
  dry_run: truth,
});

const status = 'weir cluster partitions balancer-status';

const flags = {
  fromNodes: list(brokerId, { splits: true, help: 'ids of the lost brokers, separated by commas' }),
  force: toggle({ help: 'recover although a broker is alive or not known to the cluster' }),
};

/** `cluster partitions unsafe-recover` */
export const unsafeRecover = command({
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
  result: listOf(recoveredRow),
  plan: lostPartitions,
  confirm(_context, { fromNodes }, rows) {
    if (rows.length === 0) return null;
    const from = `broker${fromNodes.length === 1 ? '' : 's'} ${fromNodes.join(', ')}`;
    return {
      question: `Recover ${count(rows.length, 'partition')} (${shortPartitions(rows)}) without ${from}, and lose what only ${fromNodes.length === 1 ? 'it has' : 'they have'},`,
      name: nameOfAll(rows),
      preview: lostTable(rows, plainView),
    };
  },
  async run(context, { dryRun, ...values }, rows) {
    if (rows.length === 0) context.notice('no partition has lost most of its replicas');
    const results = rows.map((row) => ({ ...row, status: 'OK', dry_run: dryRun }) as const);
    if (dryRun || rows.length === 0) return results;
    await recover(context, brokersIn(values), rows);
    context.noticeAfter(`see how far the recovery is with: ${status}`);
    return results;
  },
  show: {
    text: lostTable,
  },
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
  return await admin.majorityLost(ids).catch(asUnsupported('recover partitions'));
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
    throw withHints(error, [`see whether a recovery is running with: ${status}`]);
  }
  context.onInterrupt(stoppedError('the recovery has started', [`see how far it is with: ${status}`]));
}

type Lost = Omit<RowOf<typeof recoveredRow>, 'status' | 'dry_run'>;

function lostTable(rows: readonly Lost[], view: View): string {
  return table(
    ['namespace', 'topic', 'partition', 'replica core', 'dead nodes'],
    rows.map((one) => [
      one.namespace,
      one.topic,
      one.partition,
      replicaCell(one.replicas, one.cores),
      one.dead_brokers,
    ]),
    view,
  );
}
