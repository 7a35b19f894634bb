import { flag, list, many, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { usageError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';
import { ReplicaMove } from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';
import { brokerId, integer, outputPath } from '../../../kinds.ts';
import { chosenTopics } from '../chosen-topics.ts';
import { writeNewFile } from '../new-file.ts';
import { topicOrPattern } from '../topic-name.ts';
import { placementFile } from './placement-file.ts';

/** `topic reassign plan` */
export const plan = listCommand({
  summary: 'Plan where the replicas of topics should be',
  description: `Balances the replicas and the preferred leaders of the topics over the brokers that are in the cluster, and
moves as few replicas as possible. If every broker has a rack, spreads the replicas of a partition over as many racks as
possible. Prints only the partitions that change. Nothing is changed: --out writes the plan to a file for topic reassign
execute, in the format of Kafka's own tool.`,
  examples: [
    ['Balance a topic over all brokers', 'topic reassign plan orders --out plan.json'],
    ['Move two topics away from broker 3', 'topic reassign plan orders payments --brokers 1,2 --out plan.json'],
    ['Change the number of replicas', 'topic reassign plan orders --replicas 3'],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    brokers: list(brokerId, {
      splits: true,
      help: 'brokers to use, separated by commas (default: all)',
    }),
    replicas: flag(integer({ min: 1, max: 32_767 }), {
      help: 'number of replicas of each partition (default: as now)',
    }),
    ignoreRacks: toggle({ help: 'do not spread replicas over racks' }),
    out: flag(outputPath, { short: 'o', help: 'write the plan to this new file' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  row: ReplicaMove,
  async read(context, values) {
    const topics = await chosenTopics(context, values, 'plan topics');
    const { brokers, replicas, ignoreRacks, out } = values;
    const kafka = await context.kafka();
    if (replicas !== undefined && (await kafka.isRedpanda()) === true)
      throw usageError('--replicas cannot be used with Redpanda, which moves replicas without changing their number', {
        target: '--replicas',
        hints: [
          replicas % 2 === 1
            ? commandText`change the number with: weir topic set-config ${topics[0] ?? 'TOPIC'} ${`replication.factor=${replicas}`}`
            : 'a topic of Redpanda has an odd number of replicas',
        ],
      });
    const call = { topics, brokers: [...new Set(brokers)], replicas, racks: !ignoreRacks };
    const rows = await kafka.planReassignment(call);
    if (rows.length === 0) context.notice('no partition needs to change');
    else if (out !== undefined) {
      const placed = rows.map(({ topic, partition, new_replicas: replicas }) => ({ topic, partition, replicas }));
      await writeNewFile(context, out, placementFile(placed));
      context.noticeAfter(commandText`start the moves with: weir topic reassign execute ${out}`);
    }
    return rows;
  },
  columns: ['topic', 'partition', 'old_replicas', 'new_replicas'],
});
