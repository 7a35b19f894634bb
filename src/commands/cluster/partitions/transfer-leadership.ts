import { nameFields, type PartitionName, type PartitionState } from '../../../admin/partitions/partition-rows.ts';
import { command, list, optional } from '../../../cli/command.ts';
import { CliError, type ItemError, usageError } from '../../../errors.ts';
import { changeCell } from '../../../format/columns.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { listOf, maybe, type RowOf, row, whole, word } from '../../../shape/shape.ts';
import { changeEnd, conflictItem, itemRefusal, passingItem, sendChanges } from './changes.ts';
import { checkOnce, forTopics, newLeader, topicPath } from './names.ts';

/** A partition that gets or would get another leader. */
const Transferred = row({
  ...nameFields,
  old_leader: maybe(whole),
  new_leader: whole,
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  ...changeEnd,
});
type Transferred = RowOf<typeof Transferred>;

/** `cluster partitions transfer-leadership` */
export const transferLeadership = command({
  summary: 'Make another replica the leader of a partition',
  description: `Each -p names a partition and the broker that leads it next: -p 0:2 for partition 0 of TOPIC, or -p TOPIC/0:2 without the
argument, with NAMESPACE/ before topics outside of the namespace kafka. The broker needs a replica of the partition. If the
leader balancer of the cluster is on, it may move the leadership back. A partition that keeps its leader does not affect
the others.`,
  examples: [
    ['Broker 2 leads partition 0', 'cluster partitions transfer-leadership orders -p 0:2'],
    ['Several partitions', 'cluster partitions transfer-leadership -p orders/0:2 -p orders/1:2'],
    ['Show who leads now', 'cluster partitions transfer-leadership orders -p 0:2 --dry-run'],
  ],
  apis: ['admin'],
  args: { topic: optional(topicPath, 'TOPIC', 'name of the topic') },
  flags: {
    partition: list(newLeader, {
      short: 'p',
      help: 'partition and its new leader, as in 0:2',
      aliases: ['partitions'],
    }),
  },
  changes: 'alters',
  result: listOf(Transferred),
  async plan(context, { topic, partition }) {
    if (partition.length === 0)
      throw usageError('missing --partition', {
        target: '--partition',
        hints: ['name partitions and their new leaders, as in -p 0:2'],
      });
    const named = forTopics(topic === undefined ? [] : [topic], partition, '--partition');
    const wanted = named.map(({ value, ...own }) => ({ ...own, ...value }));
    checkOnce(wanted, '--partition');
    const states = await (await context.admin()).partitionStates(wanted);
    return wanted.map(({ leader, ...name }, at) => planOne(states[at], name, leader));
  },
  dryRun: (_context, _values, rows) => rows.map((one) => ({ ...one, dry_run: true })),
  async run(context, _values, rows) {
    const admin = await context.admin();
    return await sendChanges(context, rows, {
      doing: (row) => `transferring the leadership of ${showPartition(row)}`,
      checkWith: 'weir cluster partitions list --all',
      send: (row) => admin.transferLeadership(row, { from: row.old_leader ?? row.new_leader, to: row.new_leader }),
    });
  },
  show: {
    text: transferTable,
  },
});

function planOne(state: PartitionState | CliError | undefined, name: PartitionName, leader: number): Transferred {
  const common = { ...name, new_leader: leader, dry_run: false };
  if (state === undefined || state instanceof CliError)
    return { ...common, old_leader: null, status: 'ERROR', error: itemRefusal(state) };
  if (state.leader === leader) return { ...common, old_leader: leader, status: 'NOT_NEEDED', error: null };
  const error = faultOf(state, leader);
  return { ...common, old_leader: state.leader, status: error === null ? 'OK' : 'ERROR', error };
}

/** Why the leadership cannot be transferred; null if it can. */
function faultOf({ replicas, leader: now, disabled, ...name }: PartitionState, leader: number): ItemError | null {
  const whole = showPartition(name);
  if (!replicas.includes(leader))
    return conflictItem('NO_REPLICA', `broker ${leader} has no replica of ${whole}, only ${replicas.join(', ')}`);
  if (disabled) return conflictItem('DISABLED', `${whole} is disabled`);
  return now === null ? passingItem('NO_LEADER', `${whole} has no leader at the moment`) : null;
}

function transferTable(rows: readonly Transferred[], view: View): string {
  return table(
    ['namespace', 'topic', 'partition', 'old leader', 'new leader', 'status'],
    rows.map((row) => [row.namespace, row.topic, row.partition, row.old_leader, row.new_leader, changeCell(row)]),
    view,
  );
}
