import { PlacedPartition, type TopicName } from '../../../admin/partitions/partition-rows.ts';
import { any, list as listFlag, toggle, type ValuesOf } from '../../../cli/command.ts';
import { errorIfAny } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { CliError, type ItemError, missingError, rephrased, usageError } from '../../../errors.ts';
import { showTopic } from '../../../format/partition-name.ts';
import { healthCell } from '../../../format/style.ts';
import { brokerId, int32Id } from '../../../kinds.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, type RowOf, row, whole } from '../../../shape/shape.ts';
import { asUnsupported, itemRefusal, replicaCell } from './changes.ts';
import { noPartition, topicPath } from './names.ts';

/** A partition of the list, or a topic that could not be listed. */
const ListedPartition = row({
  ...PlacedPartition.fields,
  partition: maybe(whole),
  /** Null where the broker chooses. */
  cores: listOf(maybe(whole)),
  error: itemError,
});
type ListedPartition = RowOf<typeof ListedPartition>;

const flags = {
  all: toggle({ short: 'a', help: 'list the partitions of all topics, including internal ones' }),
  disabledOnly: toggle({ help: 'list only disabled partitions' }),
  partitions: listFlag(int32Id, {
    short: 'p',
    splits: true,
    help: 'list only these partitions, separated by commas',
    aliases: ['partition'],
  }),
  nodeIds: listFlag(brokerId, {
    short: 'n',
    splits: true,
    help: 'list only partitions with a replica on each of these brokers',
  }),
};

/** `cluster partitions list` */
export const list = listCommand({
  summary: 'List partitions with their leaders and replicas',
  description: `REPLICA-CORE shows each replica as BROKER-CORE; while a partition is being moved, where it goes. LEADER-ID and DISABLED are
"-" if the cluster does not say. Topics outside of the namespace kafka are named NAMESPACE/TOPIC. A topic that cannot be
listed does not affect the others. A partition of -p that none of the topics has is an error (exit code 3).`,
  examples: [
    ['The partitions of a topic', 'cluster partitions list orders'],
    ['Everything, with internal topics', 'cluster partitions list --all'],
    ['What brokers 1 and 2 both have', 'cluster partitions list --all --node-ids 1,2'],
    ['Disabled partitions, for a script', 'cluster partitions list --all --disabled-only --format json'],
  ],
  aliases: ['ls', 'describe'],
  apis: ['admin'],
  args: { topics: any(topicPath, 'TOPIC', 'names of topics') },
  flags,
  row: ListedPartition,
  async read(context, { topics, all, ...filter }) {
    if (all && topics.length > 0) throw usageError('--all cannot be combined with TOPIC', { target: '--all' });
    if (!all && topics.length === 0) throw missingError('TOPIC', ['name topics, or use --all']);
    const rows = all ? await listAll(context) : await listTopics(context, topics, filter.partitions);
    return rows.filter((row) => row.error !== null || isChosen(row, filter));
  },
  columns: [
    'namespace',
    'topic',
    'partition',
    ['leader id', ({ leader }) => leader],
    ['replica core', (row) => (row.error === null ? replicaCell(row.replicas, row.cores) : null)],
    ['disabled', ({ disabled }) => (disabled === true ? healthCell('true', 'bad') : disabled)],
    errorIfAny(),
  ],
});

async function listAll(context: Context): Promise<readonly ListedPartition[]> {
  try {
    const all = await (await context.admin()).allPartitions().catch(asUnsupported('list all partitions'));
    return all.map((one) => ({ ...one, error: null }));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNSUPPORTED') throw error;
    throw rephrased(error, error.message, { hints: [...error.hints, 'name the topics instead of --all'] });
  }
}

async function listTopics(
  context: Context,
  topics: readonly TopicName[],
  wanted: readonly number[],
): Promise<readonly ListedPartition[]> {
  const admin = await context.admin();
  const rows: ListedPartition[] = [];
  for (const topic of topics) {
    try {
      rows.push(...(await admin.partitionsOf(topic)).map((one) => ({ ...one, error: null })));
    } catch (error) {
      rows.push(failedRow(topic, null, itemRefusal(error)));
    }
  }
  // A topic that could not be listed may have the partition.
  if (rows.some(({ error }) => error !== null)) return rows;
  const missing = [...new Set(wanted)].filter((id) => rows.every(({ partition }) => partition !== id));
  const failures = topics.flatMap((topic) =>
    missing.map((id) => failedRow(topic, id, noPartition(showTopic(topic), id))),
  );
  return [...rows, ...failures];
}

function failedRow(topic: TopicName, partition: number | null, error: ItemError): ListedPartition {
  return { ...topic, partition, leader: null, replicas: [], cores: [], disabled: null, error };
}

type Filter = Pick<ValuesOf<typeof flags>, 'disabledOnly' | 'partitions' | 'nodeIds'>;

function isChosen(row: ListedPartition, { disabledOnly, partitions, nodeIds }: Filter): boolean {
  if (disabledOnly && row.disabled !== true) return false;
  if (partitions.length > 0 && !(row.partition !== null && partitions.includes(row.partition))) return false;
  return nodeIds.every((id) => row.replicas.includes(id));
}
