import { any, list, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { usageError } from '../../errors.ts';
import { countAndNames } from '../../format/name-lists.ts';
import { partitionName } from '../../format/partition-name.ts';
import { ElectedPartition, type ElectionType } from '../../kafka/cluster/topics/topic-rows.ts';
import { int32Id } from '../../kinds.ts';
import { chosenTopics } from './chosen-topics.ts';
import { topicOrPattern } from './topic-name.ts';

/** `topic elect-leaders` */
export const electLeaders = change({
  summary: 'Elect leaders of partitions',
  description: `Makes the preferred replica (the first one) the leader of every partition that has another leader,
by default of all topics. Prints only the partitions that need an election, or that are named with -p.

With --unclean, elects any living replica as the leader of partitions that have none. Records that only the missing
replicas have are lost.`,
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
  namesAll: ({ topics, regex }) => topics.length > 0 && !regex,
  noun: 'partition',
  item: ElectedPartition,
  async plan(context, { topics, regex, partitions, unclean }) {
    if (partitions.length > 0 && (topics.length !== 1 || regex))
      throw usageError('--partitions needs exactly one TOPIC', { target: '--partitions' });
    const chosen = topics.length === 0 ? [] : await chosenTopics(context, { topics, regex }, 'elect leaders');
    const call = { type: typeOf(unclean), topics: chosen, partitions: [...new Set(partitions)] };
    return (await context.kafka()).planElections(call);
  },
  asks(elections, { unclean }) {
    if (!unclean) return null;
    const partitions = countAndNames('partition', elections.map(partitionName));
    return `Elect replicas that are not in sync as leaders of ${partitions} without a leader, and lose records,`;
  },
  // Before an election, only the metadata tells whether it can succeed; the brokers check nothing for a dry run.
  validate: async (_context, elections) =>
    elections.map(({ expected = null }) => (expected === null ? {} : { new_leader: null, error: expected })),
  apply: async (context, elections, { unclean }) => (await context.kafka()).electLeaders(elections, typeOf(unclean)),
  after(context, elections) {
    if (elections.length === 0) context.notice('no partition needs an election');
  },
});

function typeOf(unclean: boolean): ElectionType {
  return unclean ? 'unclean' : 'preferred';
}
