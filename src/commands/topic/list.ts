import { any, toggle } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { ListedTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { partialHint } from '../not-found.ts';
import { checkTopicNames, topicOrPattern } from './topic-name.ts';
import { listedTopics, topicListing } from './topic-text.ts';

/** `topic list` */
export const list = listCommand({
  summary: 'List topics',
  description: `Without arguments, lists all topics except internal ones. A named topic is listed even if it is internal. A topic
that does not exist is listed with an error, and the exit code is 3.

With -r, a regular expression must match the whole name of a topic: -r 'order' does not list orders, -r 'order.*' does.
In topic consume, it may match anywhere in the name.`,
  examples: [
    ['All topics', 'topic list'],
    ['Two topics with their partitions', 'topic list -d orders payments'],
    ['Topics whose names begin with "order"', "topic list -r 'order.*'"],
    ['All topics, including internal ones, for a script', 'topic list -i --format json'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    detailed: toggle({ short: 'd', help: 'include the partitions of each topic' }),
    internal: toggle({ short: 'i', help: 'include internal topics' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  row: ListedTopic,
  async read(context, { topics, regex, internal, detailed }) {
    if (!regex) checkTopicNames(topics);
    const kafka = await context.kafka();
    const rows = await kafka.listTopics({ topics, regex: regex && topics.length > 0, internal });
    if (regex && topics.length > 0 && rows.length === 0) {
      const hint = await partialHint(context, 'topic', topics);
      context.notice([`no topic matches ${topics.join(' ')}`, ...(hint === undefined ? [] : [hint])].join('; '));
    }
    return listedTopics(rows, detailed);
  },
  text: (rows, view) => topicListing(rows, view, { joiner: '_', wide: false }),
  wide: (rows, view) => topicListing(rows, view, { joiner: '_', wide: true }),
});
