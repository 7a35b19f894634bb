import { command, flag, list, one, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { table } from '../../format/table.ts';
import { deletedOffset, type TopicSelection } from '../../kafka/cluster/groups/group-rows.ts';
import { path } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { adviseGroup } from '../missing.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
import { groupName } from './group-name.ts';
import { selectedTopics, topicOrPartition } from './topic-partitions.ts';

const flags = {
  topic: list(topicOrPartition, {
    short: 't',
    help: 'topics, or some of their partitions: orders:0,1,2',
    splits: true,
  }),
  fromFile: flag(path, { short: 'f', help: 'read topics and partitions from a file (- for standard input)' }),
};

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
  flags,
  changes: 'destroys',
  result: listOf(deletedOffset),
  namesAll: ({ fromFile }) => fromFile === undefined,
  plan: (context, values) => selectedPartitions(context, values),
  confirm(_context, { group }, selected) {
    const topics = new Set(selected.map(({ topic }) => topic));
    const question = `Delete the committed offsets of group "${group}" in ${count(topics.size, 'topic')}`;
    return { question, name: group };
  },
  async run(context, { group, dryRun }, topics) {
    const kafka = await context.kafka();
    return kafka.deleteOffsets({ group, topics, dryRun }).catch(async (error: unknown) => {
      throw await adviseGroup(error, context);
    });
  },
  show: {
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
  },
});

async function selectedPartitions(
  context: Context,
  { topic, fromFile }: ValuesOf<typeof flags>,
): Promise<readonly TopicSelection[]> {
  if (topic.length > 0 === (fromFile !== undefined)) {
    const what = fromFile === undefined ? 'no offsets are selected' : '--topic and --from-file exclude each other';
    throw usageError(what, { hints: ['give --topic TOPIC or --from-file FILE'] });
  }
  if (fromFile === undefined) return selectedTopics(topic, '--topic');
  const rows = await readPartitionFile(context, fromFile, { flag: '--from-file', offsets: 'none' });
  return rows.map(({ topic: name, partition }) => ({ topic: name, partitions: [partition] }));
}
