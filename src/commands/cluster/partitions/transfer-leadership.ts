import { nameFields, type PartitionName, type PartitionState } from '../../../admin/partitions/partition-rows.ts';
import { list, optional } from '../../../cli/command.ts';
import { change, type Planned } from '../../../cli/forms/change.ts';
import { CliError, type ItemError, usageError } from '../../../errors.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { maybe, type RowOf, row, whole } from '../../../shape/shape.ts';
import { changeInTurn, conflictItem, itemRefusal, passingItem } from './changes.ts';
import { checkOnce, forTopics, newLeader, topicPath } from './names.ts';

/** A partition that gets or would get another leader. */
const LeaderTransfer = row({ ...nameFields, old_leader: maybe(whole), new_leader: whole });
type LeaderTransfer = RowOf<typeof LeaderTransfer>;

/** `cluster partitions transfer-leadership` */
export const transferLeadership = change({
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
  noun: 'partition',
  item: LeaderTransfer,
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
  async apply(context, partitions) {
    const admin = await context.admin();
    return await changeInTurn(context, partitions, {
      doing: (one) => `transferring the leadership of ${showPartition(one)}`,
      checkWith: 'weir cluster partitions list --all',
      send: (one) => admin.transferLeadership(one, { from: one.old_leader ?? one.new_leader, to: one.new_leader }),
    });
  },
  notNeeded: 'leads already',
});

function planOne(
  state: PartitionState | CliError | undefined,
  name: PartitionName,
  leader: number,
): Planned<LeaderTransfer> {
  if (state === undefined || state instanceof CliError)
    return { ...name, old_leader: null, new_leader: leader, error: itemRefusal(state) };
  const transfer = { ...name, old_leader: state.leader, new_leader: leader };
  return state.leader === leader
    ? { ...transfer, status: 'NOT_NEEDED' }
    : { ...transfer, error: faultOf(state, leader) };
}

/** Why the leadership cannot be transferred; null if it can. */
function faultOf({ replicas, leader: now, disabled, ...name }: PartitionState, leader: number): ItemError | null {
  const whole = showPartition(name);
  if (!replicas.includes(leader))
    return conflictItem('NO_REPLICA', `broker ${leader} has no replica of ${whole}, only ${replicas.join(', ')}`);
  if (disabled) return conflictItem('DISABLED', `${whole} is disabled`);
  return now === null ? passingItem('NO_LEADER', `${whole} has no leader at the moment`) : null;
}
