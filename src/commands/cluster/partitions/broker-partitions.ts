import { one, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { brokerId } from '../../../kinds.ts';
import { row, string, truth, whole } from '../../../shape/shape.ts';
import { memberOf } from '../member.ts';
import { asUnsupported } from './changes.ts';

/** `redpanda admin partitions list`, rpk's spelling for the partitions of a broker; hidden. */
export const heldPartitions = listCommand({
  summary: 'List the partitions with a replica on a broker',
  description: `Lists Kafka topics only. cluster partitions list --all --node-ids BROKER also lists those of other namespaces.`,
  examples: [
    ['All replicas of a broker', 'redpanda admin partitions list 1'],
    ['Those that lead their partition', 'redpanda admin partitions list 1 --leader-only'],
  ],
  aliases: ['ls'],
  hidden: true,
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: { leaderOnly: toggle({ short: 'l', help: 'list only partitions that the broker leads' }) },
  row: row({ topic: string, partition: whole, is_leader: truth }),
  async read(context, { broker, leaderOnly }) {
    const admin = await context.admin();
    memberOf(await admin.brokers(), broker);
    const all = await admin.allPartitions().catch(asUnsupported('list all partitions'));
    return all
      .filter(({ namespace, replicas }) => namespace === 'kafka' && replicas.includes(broker))
      .map(({ topic, partition, leader }) => ({ topic, partition, is_leader: leader === broker }))
      .filter((row) => row.is_leader || !leaderOnly);
  },
  columns: ['topic', 'partition', 'is_leader'],
});
