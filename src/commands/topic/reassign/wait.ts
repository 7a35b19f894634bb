import { any, command } from '../../../cli/command.ts';
import { checkTopicNames, topicOrPattern } from '../topic-name.ts';
import { reassignmentSchema, reassignmentText } from './reassign-text.ts';
import { finish } from './waiting.ts';

/** `topic reassign wait` */
export const wait = command({
  summary: 'Wait for reassignments, then remove their throttle',
  description: `Waits until no reassignment of the topics is in progress, without a time limit, then removes the throttled
replicas from their configs and the throttled rates from the brokers that held them. Without arguments, of all topics.
Prints the reassignments that it waited for. A throttle of all replicas of a topic (*) is kept.`,
  examples: [
    ['Everything in progress', 'topic reassign wait'],
    ['One topic', 'topic reassign wait orders'],
    ['Show what there is to wait for', 'topic reassign wait --dry-run'],
  ],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics (default: all)') },
  changes: 'alters',
  async run(context, { topics, dryRun }) {
    checkTopicNames(topics);
    const kafka = await context.kafka();
    const chosen = topics.length === 0 ? undefined : topics;
    const rows = await kafka.listReassignments(chosen);
    if (rows.length === 0) context.notice('no reassignment is in progress');
    if (!dryRun) await finish(context, chosen);
    return rows;
  },
  output: { schema: reassignmentSchema, text: reassignmentText },
});
