import { any, command, list } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { type Column, changeCell, columnTable, errorColumn } from '../../../format/columns.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { plainView, type View } from '../../../format/view.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { conflictItem, nameOfAll, sendChanges, shortPartitions } from './changes.ts';
import { anyCore, Moved, type MovePlan, planMoves } from './move-plan.ts';
import { waitForArrival } from './move-wait.ts';
import { placement, topicPath } from './names.ts';
import { replicaCell } from './replica-cell.ts';

/** `cluster partitions move` */
export const move = command({
  summary: 'Move the replicas of partitions to other brokers or cores',
  description: `Each -p names a partition and all brokers that it will be on: -p 0:1,2,3 for partition 0 of every TOPIC, or
-p TOPIC/0:1,2,3 without arguments, with NAMESPACE/ before topics outside of the namespace kafka. The number of replicas
stays. BROKER-CORE, as in 1-0, also moves a replica to another core of its broker; the broker chooses the core of a new
replica. Shows the old and the new replicas before it asks. A partition that cannot be moved does not affect the others.

The cluster copies the data in the background. With --wait, waits until all partitions are there. Ctrl-C and --wait-timeout
end only the wait: repeat the command to wait again, or use cluster partitions move-status --wait. To stop the moves, use
cluster partitions move-cancel.`,
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
  result: listOf(Moved),
  namesAll: true,
  plan(context, values) {
    check(values);
    return planMoves(context, values);
  },
  confirm(_context, _values, { rows }) {
    const moved = rows.filter(({ status }) => status === 'OK');
    if (moved.length === 0) return null;
    return {
      question: `Move the replicas of ${count(moved.length, 'partition')} (${shortPartitions(moved)})`,
      name: nameOfAll(moved),
      preview: moveTable(rows, plainView),
    };
  },
  dryRun: (_context, _values, { rows }): readonly Moved[] => rows.map((row) => ({ ...row, dry_run: true })),
  async run(context, values, plan) {
    const rows = await start(context, plan);
    const moving = rows.filter(({ status }) => status === 'OK' || status === 'IN_PROGRESS');
    if (moving.length === 0) return rows;
    if (values.wait) return await arrived(context, rows, { ...values, moving });
    context.noticeAfter('see how far they are with: weir cluster partitions move-status');
    return rows;
  },
  show: {
    text: resultTable,
    wide: moveTable,
  },
});

type WaitValues = Parameters<typeof checkWait>[0];

function check(values: WaitValues & { readonly partition: readonly unknown[] }): void {
  checkWait(values);
  if (values.partition.length > 0) return;
  throw usageError('missing --partition', {
    target: '--partition',
    hints: ['name partitions and their brokers, as in -p 0:1,2,3'],
  });
}

/** Sends the changes of a plan: the set of brokers, then the cores where the brokers choose them. */
async function start(context: Context, plan: MovePlan): Promise<readonly Moved[]> {
  const admin = await context.admin();
  return await sendChanges(context, plan.rows, {
    doing: (row) => `moving ${showPartition(row)}`,
    checkWith: 'weir cluster partitions move-status',
    async send(row) {
      const wanted = row.new_replicas.map((broker, at) => ({
        broker,
        core: row.new_cores[at] ?? anyCore(plan, broker, row.partition),
      }));
      const isNew = (broker: number) => !row.old_replicas.includes(broker);
      if (!plan.choosesCores || wanted.some(({ broker }) => isNew(broker))) await admin.movePartition(row, wanted);
      if (!plan.choosesCores) return;
      for (const replica of wanted) {
        const old = row.old_cores[row.old_replicas.indexOf(replica.broker)];
        if (typeof old === 'number' && old !== replica.core) await admin.moveToCore(row, replica);
      }
    },
  });
}

async function arrived(
  context: Context,
  rows: readonly Moved[],
  values: WaitValues & { readonly moving: readonly Moved[] },
): Promise<readonly Moved[]> {
  const { stopped } = await waitForArrival(context, values.moving, values);
  const names = new Set(stopped.map(showPartition));
  return rows.map((row) => {
    if (!names.has(showPartition(row))) return row;
    const message = `the move of ${showPartition(row)} was canceled or replaced by another one`;
    return { ...row, status: 'ERROR', error: conflictItem('MOVE_STOPPED', message) };
  });
}

const columns: readonly Column<Moved>[] = [
  ['namespace', ({ namespace }) => namespace],
  ['topic', ({ topic }) => topic],
  ['partition', ({ partition }) => partition],
  ['old replicas', (row) => replicaCell(row.old_replicas, row.old_cores)],
  ['new replicas', (row) => replicaCell(row.new_replicas, row.new_cores)],
];

/** The moves with what becomes of each. */
function moveTable(rows: readonly Moved[], view: View): string {
  return columnTable(rows, [...columns, ['status', changeCell]], view);
}

/** What was done, in rpk's columns. */
function resultTable(rows: readonly Moved[], view: View): string {
  if (rows.some((row) => row.dry_run)) return moveTable(rows, view);
  return columnTable(rows, [...columns, errorColumn()], view);
}
