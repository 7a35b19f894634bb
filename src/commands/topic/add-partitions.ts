import { command, flag, many, toggle } from '../../cli/command.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import { type GrownTopicRow, grownTopic } from '../../kafka/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { chosenTopics } from './chosen-topics.ts';
import { maxPartitionCount } from './partition-count.ts';
import { topicOrPattern } from './topic-name.ts';
import { statusTable } from './topic-text.ts';

/** `topic add-partitions` */
export const addPartitions = command({
  summary: 'Add partitions to topics',
  description: `Adds the same number of partitions to each topic. A topic that cannot be changed does not affect the others. The
partitions of a topic cannot be removed again, and new records with the same key may go to another partition than
before (topic find shows which). Internal topics are refused without --force.`,
  examples: [
    ['Three more partitions', 'topic add-partitions orders -n 3'],
    ['Check whether partitions can be added to two topics', 'topic add-partitions orders payments -n 10 --dry-run'],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    num: flag(integer({ min: 1, max: maxPartitionCount }), {
      short: 'n',
      help: 'number of partitions to add to each topic',
      required: true,
    }),
    force: toggle({ short: 'f', help: 'accept internal topics such as __consumer_offsets, too' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  changes: 'alters',
  result: listOf(grownTopic),
  async run(context, values) {
    const topics = await chosenTopics(context, values, 'change topics');
    const { num: add, force, dryRun } = values;
    return (await context.kafka()).addPartitions({ topics, add, force, dryRun });
  },
  show: {
    text: (rows, view) => statusTable(rows, statusOf, view),
    wide: (rows, view) =>
      table(
        ['topic', 'old partitions', 'new partitions', 'status'],
        rows.map((row) => [row.topic, row.old_partitions, row.new_partitions, statusOf(row)]),
        view,
      ),
  },
});

function statusOf({ dry_run: isDryRun, new_partitions: partitions, error }: GrownTopicRow): Cell {
  return statusCell(error, isDryRun ? `OK (dry run: would have ${count(partitions ?? 0, 'partition')})` : 'OK');
}
