import { any, command } from '../../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../../cli/forms/outcome.ts';
import { MovingPartition } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { listOf, nothing, row } from '../../../shape/shape.ts';
import { checkTopicNames, topicOrPattern } from '../topic-name.ts';
import { reassignmentTable } from './list.ts';
import { finish, waitTimeout } from './waiting.ts';

/** `topic reassign wait` */
export const wait = command({
  summary: 'Wait for reassignments, then remove their throttle',
  description: `Waits until no reassignment of the topics (default: all) is in progress, then removes the throttle
that topic reassign execute has set from this machine, and restores the rates that were set before. Prints the
reassignments that it waited for. A throttle that was set in another way is kept, with a warning that names the
command to remove it.

With --wait-timeout, gives up after that time (exit code 5). The brokers continue, and the throttle stays.`,
  examples: [
    ['Everything in progress', 'topic reassign wait'],
    ['One topic, for at most ten minutes', 'topic reassign wait orders --wait-timeout 10m'],
    ['Show what there is to wait for', 'topic reassign wait --dry-run'],
  ],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics (default: all)') },
  flags: { waitTimeout },
  changes: 'alters',
  // A wait fails as a whole.
  result: listOf(row({ ...MovingPartition.fields, ...outcomeFields, error: nothing })),
  async run(context, { topics, waitTimeout: limit, dryRun }) {
    checkTopicNames(topics);
    const kafka = await context.kafka();
    const chosen = topics.length === 0 ? undefined : topics;
    const rows = await kafka.listReassignments(chosen);
    if (rows.length === 0) context.notice('no reassignment is in progress');
    if (!dryRun) await finish(context, chosen, limit);
    return rows.map((one) => ({ ...one, ...outcomeOf({}, dryRun), error: null }));
  },
  show: reassignmentTable,
});
