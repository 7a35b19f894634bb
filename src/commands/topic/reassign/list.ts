import { any, command, toggle } from '../../../cli/command.ts';
import { tableShow } from '../../../cli/forms/read.ts';
import { showSize } from '../../../format/size.ts';
import { MovingPartition } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkTopicNames, topicOrPattern } from '../topic-name.ts';

/** How reassignments in progress are shown. */
export const reassignmentTable = tableShow<MovingPartition>([
  'topic',
  'partition',
  'replicas',
  'adding',
  'removing',
  ['copied', copiedText],
]);

function copiedText({ copied_bytes: copied, total_bytes: total }: MovingPartition): string | null {
  if (copied === null || total === null) return null;
  return `${showSize(Number(copied))} of ${showSize(Number(total))}`;
}

/** `topic reassign list` */
export const list = command({
  summary: 'List the reassignments in progress',
  description: `Shows which replicas are being added and removed, and how much of the data the added ones have. Without
arguments, of all topics. With --watch, prints the list again and again, at least every 5s, until no reassignment is in
progress; the command timeout does not apply.`,
  examples: [
    ['Everything in progress', 'topic reassign list'],
    ['One line of JSON for each reading', 'topic reassign list orders --watch --format json'],
  ],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics (default: all)') },
  flags: { watch: toggle({ short: 'w', help: 'print the list again until it is empty' }) },
  changes: 'reads',
  result: listOf(MovingPartition),
  async run(context, { topics, watch }) {
    checkTopicNames(topics);
    const kafka = await context.kafka();
    const chosen = topics.length === 0 ? undefined : topics;
    if (watch) return kafka.watchReassignments({ topics: chosen });
    const rows = await kafka.listReassignments(chosen);
    if (rows.length === 0) context.notice('no reassignment is in progress');
    return rows;
  },
  show: reassignmentTable,
});
