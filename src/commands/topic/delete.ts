import { command, many, toggle } from '../../cli/command.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import type { Cell } from '../../format/table.ts';
import { type DeletedTopicRow, deletedTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { listOf } from '../../shape/shape.ts';
import { existingRows, ifExists, matchesIfAny, suggestTopics } from '../missing.ts';
import { chosenTopics, nameToType, shortList } from './chosen-topics.ts';
import { topicOrPattern } from './topic-name.ts';
import { statusTable } from './topic-text.ts';

/** `topic delete` */
export const deleteCommand = command({
  summary: 'Delete topics',
  description: `With -r, deletes every topic whose whole name matches one of the regular expressions. Internal topics are deleted
by name only. Patterns are matched once, before the confirmation prompt: only the topics named there are deleted.`,
  examples: [
    ['In a script, whether it is there or not', 'topic delete orders --if-exists'],
    ['Two topics', 'topic delete orders payments'],
    ['Topics whose names begin with "tmp-", without a prompt', "topic delete -r 'tmp-.*' --yes"],
    ['Show what would be deleted', "topic delete -r 'tmp-.*' --dry-run"],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    ifExists,
  },
  changes: 'destroys',
  result: listOf(deletedTopic),
  namesAll: ({ regex }) => !regex,
  plan: (context, values) => matchesIfAny(values.ifExists, chosenTopics(context, values, 'delete topics')),
  confirm(_context, _values, names) {
    if (names.length === 0) return null;
    const question = `Delete ${count(names.length, 'topic')} (${shortList(names)}) and ${names.length === 1 ? 'all its' : 'all their'} records`;
    return { question, name: nameToType(names) };
  },
  async run(context, { dryRun, ifExists: isOptional }, topics) {
    if (topics.length === 0) return [];
    const kafka = await context.kafka();
    const rows = await kafka.deleteTopics({ topics, dryRun });
    if (isOptional) return existingRows(context, rows, ({ topic }) => topic);
    await suggestTopics(
      context,
      rows.map(({ topic, error }) => [topic, error]),
    );
    return rows;
  },
  show: {
    text: (rows, view) => statusTable(rows, statusOf, view),
  },
});

function statusOf({ dry_run: isDryRun, partitions, error }: DeletedTopicRow): Cell {
  const success = isDryRun ? `OK (dry run: would be deleted with ${count(partitions ?? 0, 'partition')})` : 'OK';
  return statusCell(error, success);
}
