import { nameFields } from '../../../admin/partitions/partition-rows.ts';
import { flag } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { ItemState } from '../../../cli/forms/outcome.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, row, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { memberOf } from '../member.ts';
import { asUnsupported, conflictItem, shortPartitions } from './changes.ts';

/** A partition whose move is or would be canceled. */
const MoveCancellation = row({
  ...nameFields,
  /** Where it returns to. */
  old_replicas: listOf(whole),
  /** Where it was going. */
  new_replicas: listOf(whole),
});

/** `cluster partitions move-cancel` */
export const moveCancel = change({
  summary: 'Cancel the moves of partitions in progress',
  description: `Returns the partitions to the replicas that they had before. Cancels every move in the cluster, also those that a
decommission or the balancer has started, or with --node those to or from one broker. Lists the moves before it asks.

A status of NOT_NEEDED means that a move was not in progress any more.`,
  examples: [
    ['All moves', 'cluster partitions move-cancel'],
    ['Those of one broker', 'cluster partitions move-cancel --node 2'],
    ['Show what would be canceled', 'cluster partitions move-cancel --dry-run'],
  ],
  aliases: ['alter-cancel', 'movement-cancel'],
  apis: ['admin'],
  flags: { node: flag(brokerId, { help: 'id of a broker: only the moves to or from it' }) },
  changes: 'destroys',
  noun: 'move',
  item: MoveCancellation,
  async plan(context, { node }) {
    const admin = await context.admin();
    if (node !== undefined) memberOf(await admin.brokers(), node);
    const all = await admin.moves().catch(asUnsupported('list moves'));
    const moves =
      node === undefined
        ? all
        : all.filter((one) => one.old_replicas.includes(node) || one.new_replicas.includes(node));
    if (moves.length === 0) context.notice('no partition is being moved');
    return moves.map(({ namespace, topic, partition, old_replicas, new_replicas }) => {
      return { namespace, topic, partition, old_replicas, new_replicas };
    });
  },
  asks: (moves) => ({ question: `Cancel ${count(moves.length, 'move')}`, name: count(moves.length, 'move') }),
  previews: true,
  async apply(context, moves, { node }) {
    const status = 'weir cluster partitions move-status';
    sending(context, `canceling ${count(moves.length, 'move')}`, status);
    const results = await (await context.admin()).cancelMoves(node).catch(asUnsupported('cancel moves'));
    context.onInterrupt(stoppedError('the moves have been canceled', [`check with: ${status}`]));
    const names = new Set(moves.map(showPartition));
    const later = results.filter((one) => !names.has(showPartition(one)));
    if (later.length > 0) context.warn(`moves that have begun since were canceled as well: ${shortPartitions(later)}`);
    const resultOf = new Map(results.map((one) => [showPartition(one), one.result]));
    return moves.map((move) => outcomeOf(resultOf.get(showPartition(move))));
  },
  columns: [
    'namespace',
    'topic',
    'partition',
    ['replicas', (move) => move.old_replicas],
    ['moving to', (move) => move.new_replicas],
  ],
});

/** What became of a move; the cluster has no result for one that was over. */
function outcomeOf(result: string | undefined): ItemState {
  if (result === undefined) return { status: 'NOT_NEEDED' };
  return result.toLowerCase() === 'success' ? {} : { error: conflictItem('NOT_CANCELED', result) };
}
