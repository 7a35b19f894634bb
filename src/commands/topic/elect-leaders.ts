import { any, command, list, toggle } from '../../cli/command.ts';
import { usageError } from '../../errors.ts';
import { changeCell } from '../../format/columns.ts';
import { shortList } from '../../format/named.ts';
import { table } from '../../format/table.ts';
import { electedPartition } from '../../kafka/cluster/topics/topic-rows.ts';
import { int32Id } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { chosenTopics } from './chosen-topics.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic elect-leaders` */
export const electLeaders = command({
  summary: 'Elect leaders of partitions',
  description: `Makes the preferred replica (the first one) the leader of every partition that has another leader. Without
arguments, of all topics. Only the partitions that need an election, or that are named with -p, are printed.

With --unclean, elects any living replica as the leader of partitions that have none. Records that only the missing
replicas have are lost, so this asks first.`,
  examples: [
    ['Return all partitions to their preferred leaders', 'topic elect-leaders'],
    ['Show which partitions of a topic need an election', 'topic elect-leaders orders --dry-run'],
    ['Accept the loss of records to make a partition available', 'topic elect-leaders orders -p 0 --unclean'],
  ],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    partitions: list(int32Id, {
      short: 'p',
      splits: true,
      help: 'partitions of the one TOPIC, separated by commas (default: all)',
    }),
    unclean: toggle({ help: 'elect replicas that are not in sync for partitions without a leader' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  changes: 'destroys',
  result: listOf(electedPartition),
  namesAll: ({ topics, regex }) => topics.length > 0 && !regex,
  confirm(_, { topics, partitions, unclean }) {
    if (!unclean) return null;
    const name = topics.length === 0 ? 'all topics' : shortList(topics);
    const where = partitions.length === 0 ? name : `${name} (${partitions.join(', ')})`;
    const question = `Elect replicas that are not in sync as leaders of the partitions of ${where} that have no leader, and lose records,`;
    return { question, name };
  },
  async run(context, { topics, regex, partitions, unclean, dryRun }) {
    if (partitions.length > 0 && (topics.length !== 1 || regex))
      throw usageError('--partitions needs exactly one TOPIC', { target: '--partitions' });
    const chosen = topics.length === 0 ? [] : await chosenTopics(context, { topics, regex }, 'elect leaders');
    const kafka = await context.kafka();
    const type = unclean ? 'unclean' : 'preferred';
    const rows = await kafka.electLeaders({ type, topics: chosen, partitions: [...new Set(partitions)], dryRun });
    if (rows.length === 0) context.notice('no partition needs an election');
    return rows;
  },
  show: {
    text: (rows, view) =>
      table(
        ['topic', 'partition', 'old leader', 'new leader', 'status'],
        rows.map((row) => [row.topic, row.partition, row.old_leader, row.new_leader, changeCell(row)]),
        view,
      ),
  },
});
