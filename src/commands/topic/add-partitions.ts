import { command, flag, many, toggle } from '../../cli/command.ts';
import { usageError } from '../../errors.ts';
import { columnTable } from '../../format/columns.ts';
import { shortList } from '../../format/named.ts';
import { statusCell } from '../../format/status.ts';
import { table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type GrownTopicRow, grownTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { chosenTopics, nameToType } from './chosen-topics.ts';
import { maxPartitionCount } from './partition-count.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic add-partitions` */
export const addPartitions = command({
  summary: 'Add partitions to topics',
  description: `Adds the same number of partitions to each topic, or with --to as many as it lacks. A topic that cannot be changed does
not affect the others. The partitions of a topic cannot be removed again, and new records with the same key may go to
another partition than before (topic find shows which). Internal topics are refused without --force.`,
  examples: [
    ['Three more partitions', 'topic add-partitions orders -n 3'],
    ['Twelve partitions in all', 'topic add-partitions orders --to 12'],
    ['Check whether partitions can be added to two topics', 'topic add-partitions orders payments -n 10 --dry-run'],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    num: flag(integer({ min: 1, max: maxPartitionCount }), {
      short: 'n',
      help: 'number of partitions to add to each topic',
    }),
    to: flag(integer({ min: 1, max: maxPartitionCount }), {
      help: 'number of partitions that each topic has in the end, instead of -n',
    }),
    force: toggle({ short: 'f', help: 'accept internal topics such as __consumer_offsets, too' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  changes: 'alters',
  guarded: 'because partitions cannot be removed again',
  result: listOf(grownTopic),
  async plan(context, { num: add, to, force, ...values }) {
    if ((add === undefined) === (to === undefined)) {
      throw usageError('give either -n, the number of partitions to add, or --to, the number in all', { target: '-n' });
    }
    const topics = await chosenTopics(context, values, 'change topics');
    return (await context.kafka()).planGrowth({ topics, add, to, force });
  },
  confirm(_context, _values, plan) {
    const growing = plan.filter(({ old, new: count }) => count !== null && count !== old);
    if (growing.length === 0) return null;
    const shown = growing.map((one) => `${one.topic} (${growthText(one.old, one.new)})`);
    return {
      question: `Permanently add partitions to ${shortList(shown)}`,
      name: nameToType(growing.map(({ topic }) => topic)),
    };
  },
  run: async (context, { dryRun }, plan) => (await context.kafka()).addPartitions(plan, dryRun),
  show: {
    text: grownText,
    wide: (rows, view) =>
      table(
        ['topic', 'old partitions', 'new partitions', 'status'],
        rows.map((row) => [row.topic, row.old_partitions, row.new_partitions, statusOf(row)]),
        view,
      ),
  },
});

function grownText(rows: readonly GrownTopicRow[], view: View): string {
  return columnTable(
    rows,
    [
      ['topic', ({ topic }) => topic],
      ['status', statusOf],
      ['partitions', (row) => growthText(row.old_partitions, row.new_partitions)],
    ],
    view,
  );
}

function statusOf({ dry_run: isDryRun, error }: GrownTopicRow) {
  return statusCell(error, isDryRun ? 'OK (dry run)' : 'OK');
}

function growthText(before: number | null, after: number | null): string | null {
  return before === null || after === null ? null : `${before} -> ${after}`;
}
