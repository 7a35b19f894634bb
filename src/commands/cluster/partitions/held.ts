import { command, one, toggle } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, integerSchema, object, string } from '../../../cli/output/schema.ts';
import { table } from '../../../format/table.ts';
import { brokerId } from '../../../kinds.ts';
import { memberOf } from '../member.ts';
import { asUnsupported } from './changes.ts';

/** A partition with a replica on a broker. */
interface HeldRow {
  readonly topic: string;
  readonly partition: number;
  readonly is_leader: boolean;
}

/** `redpanda admin partitions list`, rpk's spelling for the partitions of a broker; hidden. */
export const heldPartitions = command({
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
  changes: 'reads',
  async run(context, { broker, leaderOnly }): Promise<readonly HeldRow[]> {
    const admin = await context.admin();
    memberOf(await admin.brokers(), broker);
    const all = await admin.allPartitions().catch(asUnsupported('list all partitions'));
    return all
      .filter(({ namespace, replicas }) => namespace === 'kafka' && replicas.includes(broker))
      .map(({ topic, partition, leader }) => ({ topic, partition, is_leader: leader === broker }))
      .filter((row) => row.is_leader || !leaderOnly);
  },
  output: {
    schema: arrayOf(object({ topic: string, partition: integerSchema, is_leader: booleanSchema })),
    text: (rows, view) =>
      table(
        ['topic', 'partition', 'is leader'],
        rows.map((row) => [row.topic, row.partition, row.is_leader]),
        view,
      ),
  },
});
