import { many, toggle } from '../../cli/command.ts';
import { change, ifExists } from '../../cli/forms/change.ts';
import { exitCodes } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { countAndNames, inNumber } from '../../format/name-lists.ts';
import { maybe, row, string, whole } from '../../shape/shape.ts';
import { matchesIfAny, missingIn, suggestTopics } from '../not-found.ts';
import { chosenTopics } from './chosen-topics.ts';
import { topicOrPattern } from './topic-name.ts';

const nameOf = ({ topic }: { readonly topic: string }) => topic;

/** `topic delete` */
export const deleteCommand = change({
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
  namesAll: ({ regex }) => !regex,
  noun: 'topic',
  item: row({ topic: string, partitions: maybe(whole) }),
  async plan(context, values) {
    const topics = await matchesIfAny(values.ifExists, chosenTopics(context, values, 'delete topics'));
    const sizes = await (await context.kafka()).topicSizes(topics);
    // Who may delete all topics of the cluster may be unable to describe one: the deletion decides, and a dry run shows it.
    return sizes.map(({ error: refusal, ...topic }) => ({
      ...topic,
      refusal,
      error: refusal?.exit_code === exitCodes.notFound ? refusal : null,
    }));
  },
  asks: (topics) =>
    `Delete ${countAndNames('topic', topics.map(nameOf))} and ${inNumber(topics, 'all its', 'all their')} records`,
  validate: async (_, topics) => topics.map(({ refusal }) => ({ error: refusal })),
  apply: async (context, topics) => (await context.kafka()).deleteTopics(topics.map(nameOf)),
  columns: ['topic'],
  would: ({ partitions }) => `be deleted with ${count(partitions ?? 0, 'partition')}`,
  after: (context, topics) => suggestTopics(context, missingIn(topics, nameOf)),
});
