import { any, list } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { ItemState } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { checkWait, type WaitValues, waitFlags } from '../wait.ts';
import { changeInTurn, conflictItem, nameOfAll, replicaCell, shortPartitions } from './changes.ts';
import { MovedPartition, type PlannedMove, planMoves } from './move-plan.ts';
import { waitForArrival } from './move-wait.ts';
import { placement, topicPath } from './names.ts';

/** `cluster partitions move` */
export const move = change({
  summary: 'Move the replicas of partitions to other brokers or cores',
  description: `Each -p names a partition and all brokers that it will be on: -p 0:1,2,3 for partition 0 of every
TOPIC, or -p TOPIC/0:1,2,3 without arguments, with NAMESPACE/ before topics outside of the namespace kafka. The number
of replicas stays. BROKER-CORE, as in 1-0, also moves a replica to another core of its broker. Shows the old and the
new replicas before it asks.

The cluster copies the data in the background. --wait waits until all partitions are there; Ctrl-C ends only the wait.
To stop the moves, use cluster partitions move-cancel.`,
  examples: [
    ['Show what would move', 'cluster partitions move orders -p 0:0,1,3 --dry-run'],
    ['Two partitions, and wait for them', 'cluster partitions move -p orders/0:0,1,3 -p orders/1:0,1,3 --wait'],
    ['A replica to another core of its broker', 'cluster partitions move orders -p 0:1-1,2,3'],
  ],
  apis: ['admin'],
  args: { topics: any(topicPath, 'TOPIC', 'names of topics') },
  flags: {
    partition: list(placement, {
      short: 'p',
      help: 'partition and its brokers, as in 0:1,2,3',
      aliases: ['partitions'],
    }),
    ...waitFlags('the partitions are there'),
  },
  changes: 'destroys',
  namesAll: true,
  noun: 'partition',
  item: MovedPartition,
  async plan(context, values) {
    check(values);
    const moves = await planMoves(context, values);
    const same = moves.filter(isReordered);
    if (same.length > 0) {
      context.notice(
        `${shortPartitions(same)}: the brokers are the same, and their order does not matter; ` +
          'for another leader, use: weir cluster partitions transfer-leadership',
      );
    }
    return moves;
  },
  asks: (moves) => ({
    question: `Move the replicas of ${count(moves.length, 'partition')} (${shortPartitions(moves)})`,
    name: nameOfAll(moves),
  }),
  previews: true,
  async apply(context, moves) {
    const admin = await context.admin();
    return await changeInTurn(context, moves, {
      doing: (move) => `moving ${showPartition(move)}`,
      checkWith: 'weir cluster partitions move-status',
      async send(move) {
        if (move.placement !== null) await admin.movePartition(move, move.placement);
        for (const replica of move.toCores) await admin.moveToCore(move, replica);
      },
    });
  },
  async follow(context, moves, values) {
    const moving = moves.filter(isUnderWay);
    if (moving.length === 0) return moves;
    if (values.wait) return await arrived(context, moves, { ...values, moving });
    context.noticeAfter('see how far they are with: weir cluster partitions move-status');
    return moves;
  },
  columns: [
    'namespace',
    'topic',
    'partition',
    ['old replicas', (row) => replicaCell(row.old_replicas, row.old_cores)],
    ['new replicas', (row) => replicaCell(row.new_replicas, row.new_cores)],
  ],
  ends: 'error',
});

function isReordered({ isMoving, status, old_replicas: before, new_replicas: after }: PlannedMove): boolean {
  return !isMoving && status === 'NOT_NEEDED' && before.join() !== after.join();
}

function isUnderWay({ isMoving, status, error = null }: PlannedMove): boolean {
  return error === null && (isMoving || status === undefined);
}

function check(values: WaitValues & { readonly partition: readonly unknown[] }): void {
  checkWait(values);
  if (values.partition.length > 0) return;
  throw usageError('missing --partition', {
    target: '--partition',
    hints: ['name partitions and their brokers, as in -p 0:1,2,3'],
  });
}

async function arrived(
  context: Context,
  moves: readonly PlannedMove[],
  values: WaitValues & { readonly moving: readonly PlannedMove[] },
): Promise<readonly ItemState[]> {
  const { stopped } = await waitForArrival(context, values.moving, values);
  const names = new Set(stopped.map(showPartition));
  return moves.map((move) => {
    if (!names.has(showPartition(move))) return {};
    const message = `the move of ${showPartition(move)} was canceled or replaced by another one`;
    return { error: conflictItem('MOVE_STOPPED', message) };
  });
}
