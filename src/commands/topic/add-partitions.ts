import { flag, many, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { GrownTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { missingIn, suggestTopics } from '../not-found.ts';
import { chosenTopics } from './chosen-topics.ts';
import { maxPartitionCount } from './partition-count.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic add-partitions` */
export const addPartitions = change({
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
      help: 'final number of partitions of each topic, instead of -n',
    }),
    force: toggle({ short: 'f', help: 'accept internal topics, such as __consumer_offsets' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  changes: 'alters',
  guarded: 'because partitions cannot be removed again',
  noun: 'topic',
  item: GrownTopic,
  async plan(context, { num: add, to, force, ...values }) {
    if ((add === undefined) === (to === undefined)) {
      throw usageError('give either -n, the number of partitions to add, or --to, the number in all', { target: '-n' });
    }
    const topics = await chosenTopics(context, values, 'change topics');
    return (await context.kafka()).planGrowth({ topics, add, to, force });
  },
  asks: (topics) =>
    `Permanently add partitions to ${shortList(topics.map((one) => `${one.topic} (${growthText(one)})`))}`,
  validate: async (context, topics) => (await context.kafka()).validateGrowth(topics),
  apply: async (context, topics) => (await context.kafka()).addPartitions(topics),
  columns: ['topic', ['partitions', growthText]],
  wide: ['topic', 'old_partitions', 'new_partitions'],
  notNeeded: ({ old_partitions: partitions }) => `already has ${count(partitions ?? 0, 'partition')}`,
  after: (context, topics) =>
    suggestTopics(
      context,
      missingIn(topics, ({ topic }) => topic),
    ),
});

function growthText({ old_partitions: before, new_partitions: after }: GrownTopic): string | null {
  return before === null || after === null ? null : `${before} -> ${after}`;
}
