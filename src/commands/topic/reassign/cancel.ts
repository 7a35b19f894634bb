import { any, command, toggle } from '../../../cli/command.ts';
import { usageError } from '../../../errors.ts';
import { reassignedPartition } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkTopicNames, topicOrPattern } from '../topic-name.ts';
import { reassignedText } from './reassign-text.ts';
import { removeThrottles } from './waiting.ts';

/** `topic reassign cancel` */
export const cancel = command({
  summary: 'Cancel reassignments in progress',
  description: `Returns the partitions to the replicas that they had before. The brokers delete what was copied to the added
replicas. Then removes the throttle of the topics, as topic reassign wait does. A partition that cannot be changed does not
affect the others.`,
  examples: [
    ['One topic', 'topic reassign cancel orders'],
    ['Show what would be canceled', 'topic reassign cancel --all --dry-run'],
  ],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'names of topics') },
  flags: { all: toggle({ help: 'cancel the reassignments of all topics' }) },
  changes: 'alters',
  result: listOf(reassignedPartition),
  async run(context, { topics, all, dryRun }) {
    if (all && topics.length > 0) throw usageError('--all cannot be combined with TOPIC', { target: '--all' });
    if (!all && topics.length === 0) throw usageError('TOPIC is missing', { hints: ['name topics, or use --all'] });
    checkTopicNames(topics);
    const kafka = await context.kafka();
    const chosen = all ? undefined : topics;
    const rows = await kafka.cancelReassignments({ topics: chosen, dryRun });
    if (rows.length === 0) context.notice('no reassignment is in progress');
    if (!dryRun) await removeThrottles(context, chosen);
    return rows;
  },
  show: { text: reassignedText },
});
