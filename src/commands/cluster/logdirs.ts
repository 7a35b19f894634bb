import { flag, list, noun, toggle } from '../../cli/command.ts';
import { errorAlways, tableOf } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { showSize } from '../../format/size.ts';
import type { Cell } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type LogDirAggregation, LogDirRow } from '../../kafka/cluster/brokers/log-dir-rows.ts';
import { integer, maxInt32, oneOf } from '../../kinds.ts';
import { topicName } from '../topic/topic-name.ts';

const aggregations: readonly LogDirAggregation[] = ['partition', 'topic', 'dir', 'broker'];

const describe = listCommand({
  summary: 'Describe the size of partitions, topics, directories or brokers on disk',
  description: `Asks every broker about its log directories. A broker or a directory that cannot be read has a row with its
error, and does not affect the others. Sizes are those of the replicas on each broker: a topic with three replicas
counts three times. On Redpanda, the bucket of tiered storage is a directory as well, remote://BUCKET, in which every replica
has the size of the whole log there; brokers are summed without it.`,
  examples: [
    ['Every replica', 'cluster logdirs describe'],
    [
      'The largest topics first, in human-readable sizes',
      'cluster logdirs describe --aggregate-into topic --sort-by-size -H',
    ],
    [
      'Used and free space of the directories of a broker',
      'cluster logdirs describe -b 1 --aggregate-into dir --format wide',
    ],
  ],
  apis: ['kafka'],
  flags: {
    broker: flag(
      { ...integer({ min: -1, max: maxInt32 }), completes: 'broker' },
      {
        short: 'b',
        help: 'id of the broker to describe; -1 means all brokers',
        fallback: -1,
      },
    ),
    topics: list(topicName, { help: 'only these topics, separated by commas', splits: true }),
    aggregateInto: flag(oneOf('aggregation', aggregations), {
      help: 'what each row stands for',
      fallback: 'partition' as LogDirAggregation,
    }),
    sortBySize: toggle({ help: 'sort by size, largest first' }),
    humanReadable: toggle({ short: 'H', help: 'print sizes like 1.7GB in text' }),
  },
  row: LogDirRow,
  async read(context, { broker, topics, aggregateInto, sortBySize }) {
    const kafka = await context.kafka();
    const only = broker < 0 ? undefined : broker;
    return await kafka.describeLogDirs({ broker: only, topics, aggregateInto, sortBySize });
  },
  text: (rows, view, flags) => logDirTable(rows, view, { ...flags, wide: false }),
  wide: (rows, view, flags) => logDirTable(rows, view, { ...flags, wide: true }),
});

/** What a table shows of each row. */
interface TableStyle {
  readonly aggregateInto: LogDirAggregation;
  readonly humanReadable: boolean;
  /** Adds the lag of replicas and the space of volumes. */
  readonly wide: boolean;
}

/** A table of log directories. */
function logDirTable(
  rows: readonly LogDirRow[],
  view: View,
  { aggregateInto, humanReadable, wide }: TableStyle,
): string {
  const bytes = (size: bigint | null): Cell => (size !== null && humanReadable ? showSize(Number(size)) : size);
  const isOneOf = (...some: readonly LogDirAggregation[]): boolean => some.includes(aggregateInto);
  return tableOf(
    rows,
    [
      'broker',
      ['dir', ({ dir }) => dir, !isOneOf('broker')],
      ['topic', ({ topic }) => topic, isOneOf('topic', 'partition')],
      ['partition', ({ partition }) => partition, isOneOf('partition')],
      ['size', ({ size }) => bytes(size)],
      ['offset lag', (row) => row.offset_lag, wide && isOneOf('partition')],
      ['future', (row) => row.is_future, wide && isOneOf('partition')],
      ['total', (row) => bytes(row.total_bytes), wide && isOneOf('dir')],
      ['usable', (row) => bytes(row.usable_bytes), wide && isOneOf('dir')],
      errorAlways(),
    ],
    view,
  );
}

/** `cluster logdirs` */
export const logdirs = noun({ summary: 'Describe log directories and their sizes', commands: { describe } });
