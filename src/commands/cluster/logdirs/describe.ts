import { command, flag, list, toggle } from '../../../cli/command.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
} from '../../../cli/output/schema.ts';
import type { LogDirAggregation } from '../../../kafka/cluster/log-dir-rows.ts';
import { integer, maxInt32, oneOf } from '../../../kinds.ts';
import { topicName } from '../../topic/topic-name.ts';
import { logDirTable } from './describe-text.ts';

const aggregations: readonly LogDirAggregation[] = ['partition', 'topic', 'dir', 'broker'];

/** `cluster logdirs describe` */
export const describe = command({
  summary: 'Describe the size of partitions, topics, directories or brokers on disk',
  description: `Asks every broker about its log directories. A broker or a directory that cannot be read has a row with its
error, and does not affect the others. Sizes are those of the replicas on each broker: a topic with three replicas
counts three times.`,
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
  changes: 'reads',
  async run(context, { broker, topics, aggregateInto, sortBySize }) {
    const kafka = await context.kafka();
    const only = broker < 0 ? undefined : broker;
    return await kafka.describeLogDirs({ broker: only, topics, aggregateInto, sortBySize });
  },
  output: {
    schema: arrayOf(
      object({
        broker: nullable(integerSchema),
        dir: nullable(string),
        topic: nullable(string),
        partition: nullable(integerSchema),
        size: nullable(integerSchema),
        offset_lag: nullable(integerSchema),
        is_future: nullable(booleanSchema),
        total_bytes: nullable(integerSchema),
        usable_bytes: nullable(integerSchema),
        error: itemErrorSchema,
      }),
    ),
    text: (rows, view, flags) => logDirTable(rows, view, { ...flags, wide: false }),
    wide: (rows, view, flags) => logDirTable(rows, view, { ...flags, wide: true }),
  },
});
