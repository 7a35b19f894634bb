import { any, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { missingError, usageError } from '../../../errors.ts';
import { CanceledMove } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { checkTopicNames, topicOrPattern } from '../topic-name.ts';
import { removeThrottles } from './waiting.ts';

/** `topic reassign cancel` */
export const cancel = change({
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
  noun: 'partition',
  item: CanceledMove,
  async plan(context, { topics, all }) {
    if (all && topics.length > 0) throw usageError('--all cannot be combined with TOPIC', { target: '--all' });
    if (!all && topics.length === 0) throw missingError('TOPIC', ['name topics, or use --all']);
    checkTopicNames(topics);
    const moves = await (await context.kafka()).planCancellation(all ? undefined : topics);
    if (moves.length === 0) context.notice('no reassignment is in progress');
    return moves;
  },
  apply: async (context, moves) => (await context.kafka()).cancelReassignments(moves),
  async follow(context, moves, { topics, all }) {
    await removeThrottles(context, all ? undefined : topics);
    return moves;
  },
  notNeeded: 'no reassignment is in progress',
});
