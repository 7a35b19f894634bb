import { PartitionMove, type TopicName } from '../../../admin/partitions/partition-rows.ts';
import { any, list, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { showTopic } from '../../../format/partition-name.ts';
import { printable } from '../../../format/printable.ts';
import { sections } from '../../../format/sections.ts';
import { showSize } from '../../../format/size.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { int32Id } from '../../../kinds.ts';
import { listOf, maybe, type RowOf, row, whole } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { asUnsupported } from './changes.ts';
import { waitForEnd } from './move-wait.ts';
import { topicPath } from './names.ts';

/** A partition that is being moved. */
const Move = row({
  ...PartitionMove.fields,
  old_cores: listOf(maybe(whole)),
  new_cores: listOf(maybe(whole)),
  completion_percent: whole,
});
type Move = RowOf<typeof Move>;

/** `cluster partitions move-status` */
export const moveStatus = listCommand({
  summary: 'Show the partitions that are being moved, and how far they are',
  description: `Lists every move in progress, also those that a decommission or the balancer has started. Without arguments, of all
topics. With --print-all, adds what each broker does for it. Nothing in progress is not an error.

With --wait, waits until none of the listed partitions is being moved, and prints those that it waited for. Ctrl-C and
--wait-timeout end only the wait.`,
  examples: [
    ['Everything in progress', 'cluster partitions move-status -H'],
    ['Two partitions of a topic', 'cluster partitions move-status orders -p 0,1'],
    ['Wait until a topic is where it should be', 'cluster partitions move-status orders --wait'],
  ],
  apis: ['admin'],
  args: { topics: any(topicPath, 'TOPIC', 'names of topics (default: all)') },
  flags: {
    printAll: toggle({ short: 'a', help: 'also print what each broker does' }),
    humanReadable: toggle({ short: 'H', help: 'print sizes like 1.7GB in text' }),
    partitions: list(int32Id, {
      short: 'p',
      splits: true,
      help: 'partitions of the TOPICs, separated by commas (default: all)',
      aliases: ['partition'],
    }),
    ...waitFlags('no listed partition is being moved'),
  },
  row: Move,
  async read(context, { topics, partitions, ...values }) {
    checkWait(values);
    if (partitions.length > 0 && topics.length === 0)
      throw usageError('--partitions needs TOPIC', { target: '--partitions' });
    const rows = await movesOf(context, topics, partitions);
    if (rows.length === 0) context.notice('no partition is being moved');
    if (values.wait && rows.length > 0) await waitForEnd(context, rows, values);
    return rows;
  },
  text: (rows, view, { printAll: isDetailed, humanReadable: isHuman }) =>
    movesText(rows, view, { isDetailed, isHuman }),
  wide: (rows, view, { humanReadable: isHuman }) => movesText(rows, view, { isDetailed: true, isHuman }),
});

async function movesOf(
  context: Context,
  topics: readonly TopicName[],
  partitions: readonly number[],
): Promise<readonly Move[]> {
  const admin = await context.admin();
  const wanted = new Set(topics.map(showTopic));
  const moves = await admin.moves().catch(asUnsupported('list moves'));
  return moves
    .filter((one) => topics.length === 0 || wanted.has(showTopic(one)))
    .filter(({ partition }) => partitions.length === 0 || partitions.includes(partition))
    .map((one) => ({ ...one, completion_percent: percentOf(one) }));
}

/** An empty partition has nothing left to copy. */
function percentOf({ bytes_moved: moved, bytes_left: left }: PartitionMove): number {
  return moved + left === 0 ? 100 : Math.floor((moved / (moved + left)) * 100);
}

/** How to show moves in text. */
interface MoveStyle {
  /** Whether to show what each broker does. */
  readonly isDetailed: boolean;
  /** Whether sizes have units. */
  readonly isHuman: boolean;
}

const headers = ['namespace topic', 'partition', 'moving from', 'moving to', 'completion %', 'partition size'];

/** The moves in progress and, in detail, the work of each broker. */
function movesText(rows: readonly Move[], view: View, { isDetailed, isHuman }: MoveStyle): string {
  const bytes = (size: number): Cell => (isHuman ? showSize(size) : size);
  const cells = rows.map((row): Cell[] => [
    `${row.namespace}/${row.topic}`,
    row.partition,
    row.old_replicas,
    row.new_replicas,
    row.completion_percent,
    bytes(row.size),
    bytes(row.bytes_moved),
    bytes(row.bytes_left),
  ]);
  const moves = {
    title: 'partition movements',
    body: table([...headers, 'bytes moved', 'bytes remaining'], cells, view),
  };
  if (!isDetailed) return moves.body;
  const work = rows.map((row) => workText(row, view)).join('\n');
  return sections([moves, { title: 'reconciliation statuses', body: work }], view);
}

function workText({ namespace, topic, partition, reconciliation }: Move, view: View): string {
  const cells = reconciliation.flatMap(({ broker, operations }) =>
    operations.map((one): Cell[] => [broker, one.core, one.type, one.retry_number, one.revision, one.status]),
  );
  const title = `${printable(`${namespace}/${topic}/${partition}`)}\n`;
  return title + table(['node id', 'core', 'type', 'retry number', 'revision', 'status'], cells, view);
}
