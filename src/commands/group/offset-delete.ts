import { command, flag, list, one } from '../../cli/command.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
  wordOf,
} from '../../cli/output/schema.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfItems, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { table } from '../../format/table.ts';
import { path } from '../../kinds.ts';
import { adviseGroup } from '../missing.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import { groupName } from './group-name.ts';
import { type TopicSelection, topicPartitions } from './partition-list.ts';

interface Selection {
  readonly topic: readonly TopicSelection[];
  readonly fromFile: string | undefined;
}

/** `group offset-delete` */
export const offsetDelete = command({
  summary: 'Delete committed offsets of a group',
  description: `Use this for topics that a group does not read any more: their offsets count as lag until brokers expire them. The
offsets of a topic that a member is subscribed to cannot be deleted (exit code 6).

The file of --from-file has lines of TOPIC PARTITION, or a JSON or YAML list of objects with the keys topic and
partition.`,
  examples: [
    ['All offsets of a topic', 'group offset-delete billing --topic orders'],
    ['Three partitions of one topic and all of another', 'group offset-delete billing -t orders:0,1,2 -t payments'],
    ['Show what a file would delete', 'group offset-delete billing --from-file offsets.txt --dry-run'],
  ],
  apis: ['kafka'],
  args: { group: one(groupName, 'GROUP') },
  flags: {
    topic: list(topicPartitions, { short: 't', help: 'a topic, or some of its partitions; repeatable' }),
    fromFile: flag(path, { short: 'f', help: 'read topics and partitions from a file (- for standard input)' }),
  },
  changes: 'destroys',
  namesAll: ({ fromFile }) => fromFile === undefined,
  async confirm(context, { group, ...selection }) {
    const topics = new Set((await chosen(context, selection)).map(({ topic }) => topic));
    const question = `Delete the committed offsets of group "${group}" in ${count(topics.size, 'topic')}`;
    return { question, name: group };
  },
  async run(context, { group, dryRun, ...selection }) {
    const topics = await chosen(context, selection);
    const kafka = await context.kafka();
    return kafka.deleteOffsets({ group, topics, dryRun }).catch(async (error: unknown) => {
      throw await adviseGroup(error, context);
    });
  },
  output: {
    schema: arrayOf(
      object({
        topic: string,
        partition: nullable(integerSchema),
        offset: nullable(integerSchema),
        status: wordOf('OK', 'ERROR'),
        dry_run: booleanSchema,
        error: itemErrorSchema,
      }),
    ),
    text: (rows, view) =>
      table(
        ['topic', 'partition', 'status'],
        rows.map(({ topic, partition, offset, dry_run: isDryRun, error }) => [
          topic,
          partition,
          statusCell(error, isDryRun ? `OK (dry run: offset ${offset} would be deleted)` : 'OK'),
        ]),
        view,
      ),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});

/** Standard input can be read once only, but is needed for the question and for the deletion. */
const choices = new WeakMap<Context, Promise<readonly TopicSelection[]>>();

function chosen(context: Context, selection: Selection): Promise<readonly TopicSelection[]> {
  const known = choices.get(context) ?? choose(context, selection);
  choices.set(context, known);
  return known;
}

async function choose(context: Context, { topic, fromFile }: Selection): Promise<readonly TopicSelection[]> {
  if (topic.length > 0 === (fromFile !== undefined)) {
    const what = fromFile === undefined ? 'no offsets are selected' : '--topic and --from-file exclude each other';
    throw usageError(what, { hints: ['give --topic TOPIC or --from-file FILE'] });
  }
  if (fromFile === undefined) return topic;
  const rows = await readPartitionFile(context, fromFile, { flag: '--from-file', offsets: 'none' });
  return rows.map(({ topic: name, partition }) => ({ topic: name, partitions: [partition] }));
}
