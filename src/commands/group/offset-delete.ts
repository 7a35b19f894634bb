import { flag, list, one, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import type { Context } from '../../context.ts';
import { missingError, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { DeletedOffset, type TopicSelection } from '../../kafka/cluster/groups/group-rows.ts';
import { path } from '../../kinds.ts';
import { groupName } from '../group-name.ts';
import { adviseGroup } from '../not-found.ts';
import { readPartitionFile } from '../topic/partition-file.ts';
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
export const offsetDelete = change({
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
  namesAll: ({ fromFile }) => fromFile === undefined,
  noun: 'offset',
  item: DeletedOffset,
  async plan(context, values) {
    const topics = await selectedPartitions(context, values);
    const kafka = await context.kafka();
    return kafka.planOffsetDeletion({ group: values.group, topics }).catch(async (error: unknown) => {
      throw await adviseGroup(error, context);
    });
  },
  asks(offsets, { group }) {
    const topics = new Set(offsets.map(({ topic }) => topic));
    const question = `Delete ${count(offsets.length, 'committed offset')} of group "${group}" in ${count(topics.size, 'topic')}`;
    return { question, name: group };
  },
  apply: async (context, offsets, { group }) => (await context.kafka()).deleteOffsets(group, offsets),
  columns: ['topic', 'partition'],
  wide: ['topic', 'partition', 'offset'],
  would: ({ offset }) => `delete offset ${offset}`,
});

async function selectedPartitions(
  context: Context,
  { topic, fromFile }: ValuesOf<typeof flags>,
): Promise<readonly TopicSelection[]> {
  if (topic.length > 0 === (fromFile !== undefined)) {
    const hints = ['give --topic TOPIC or --from-file FILE'];
    if (fromFile === undefined) throw missingError('--topic or --from-file', hints);
    throw usageError('--topic and --from-file exclude each other', { hints });
  }
  if (fromFile === undefined) return selectedTopics(topic, '--topic');
  const rows = await readPartitionFile(context, fromFile, { flag: '--from-file', offsets: 'none' });
  return rows.map(({ topic: name, partition }) => ({ topic: name, partitions: [partition] }));
}
