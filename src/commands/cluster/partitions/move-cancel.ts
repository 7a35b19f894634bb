import type { Admin } from '../../../admin/open.ts';
import { type CanceledMove, nameFields, type PartitionMove } from '../../../admin/partitions/partition-rows.ts';
import { command, flag } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { stoppedError } from '../../../errors.ts';
import { changeCell } from '../../../format/columns.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, type RowOf, row, whole, word } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { memberOf } from '../member.ts';
import { asUnsupported, changeEnd, conflictItem } from './changes.ts';

/** A partition whose move is or would be canceled. */
const Canceled = row({
  ...nameFields,
  /** Where it returns to. */
  old_replicas: listOf(whole),
  /** Where it was going. */
  new_replicas: listOf(whole),
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  ...changeEnd,
});
type Canceled = RowOf<typeof Canceled>;

/** `cluster partitions move-cancel` */
export const moveCancel = command({
  summary: 'Cancel the moves of partitions in progress',
  description: `Returns the partitions to the replicas that they had before. Cancels every move in the cluster, also those that a
decommission or the balancer has started, or with --node those to or from one broker. Lists the moves before it asks.

A status of NOT_NEEDED means that a move was not in progress any more.`,
  examples: [
    ['All moves', 'cluster partitions move-cancel'],
    ['Those of one broker', 'cluster partitions move-cancel --node 2'],
    ['Show what would be canceled', 'cluster partitions move-cancel --dry-run'],
  ],
  aliases: ['alter-cancel'],
  apis: ['admin'],
  flags: { node: flag(brokerId, { help: 'id of a broker: only the moves to or from it' }) },
  changes: 'destroys',
  result: listOf(Canceled),
  plan: (context, { node }) => plannedRows(context, node),
  confirm(_context, _values, rows) {
    if (rows.length === 0) return null;
    return {
      question: `Cancel ${count(rows.length, 'move')}`,
      name: count(rows.length, 'move'),
      preview: canceledTable(rows, plainView),
    };
  },
  async run(context, { node, dryRun }, rows) {
    if (rows.length === 0) context.notice('no partition is being moved');
    if (dryRun || rows.length === 0) return rows.map((row) => ({ ...row, dry_run: dryRun }));
    const status = 'weir cluster partitions move-status';
    sending(context, `canceling ${count(rows.length, 'move')}`, status);
    const results = await (await context.admin()).cancelMoves(node).catch(asUnsupported('cancel moves'));
    context.onInterrupt(stoppedError('the moves have been canceled', [`check with: ${status}`]));
    return canceledRows(rows, results);
  },
  show: {
    text: canceledTable,
  },
});

async function plannedRows(context: Context, node: number | undefined): Promise<readonly Canceled[]> {
  const admin = await context.admin();
  if (node !== undefined) memberOf(await admin.brokers(), node);
  return (await movesOf(admin, node)).map((one) => ({ ...rowOf(one), ...placesOf(one) }));
}

async function movesOf(admin: Admin, node: number | undefined): Promise<readonly PartitionMove[]> {
  const all = await admin.moves().catch(asUnsupported('list moves'));
  if (node === undefined) return all;
  return all.filter((one) => one.old_replicas.includes(node) || one.new_replicas.includes(node));
}

function rowOf({ namespace, topic, partition }: CanceledMove | PartitionMove) {
  return { namespace, topic, partition, status: 'OK' as const, dry_run: false, error: null };
}

function placesOf({ old_replicas, new_replicas }: PartitionMove) {
  return { old_replicas, new_replicas };
}

/** What became of the planned moves, and of those that have begun since. */
function canceledRows(planned: readonly Canceled[], results: readonly CanceledMove[]): readonly Canceled[] {
  const resultOf = new Map(results.map((one) => [showPartition(one), one.result]));
  const names = new Set(planned.map(showPartition));
  const begun = results
    .filter((one) => !names.has(showPartition(one)))
    .map((one): Canceled => ({ ...rowOf(one), old_replicas: [], new_replicas: [] }));
  return [...planned, ...begun].map((row) => {
    const result = resultOf.get(showPartition(row));
    if (result === undefined) return { ...row, status: 'NOT_NEEDED' };
    if (result.toLowerCase() === 'success') return row;
    return { ...row, status: 'ERROR', error: conflictItem('NOT_CANCELED', result) };
  });
}

function canceledTable(rows: readonly Canceled[], view: View): string {
  return table(
    ['namespace', 'topic', 'partition', 'replicas', 'moving to', 'result'],
    rows.map((one) => [one.namespace, one.topic, one.partition, one.old_replicas, one.new_replicas, changeCell(one)]),
    view,
  );
}
