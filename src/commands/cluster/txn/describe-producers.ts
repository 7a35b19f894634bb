import { command, list, toggle } from '../../../cli/command.ts';
import { arrayOf, integerSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { usageError } from '../../../errors.ts';
import { columnTable, errorColumn } from '../../../format/columns.ts';
import { int32Id } from '../../../kinds.ts';
import { topicName } from '../../topic/topic-name.ts';
import { timeCell } from './txn-text.ts';

/** `cluster txn describe-producers` */
export const describeProducers = command({
  summary: 'Describe the producers that partitions remember',
  description: `Asks the leader of each partition for the idempotent and transactional producers whose state it keeps. A
TXN-START-OFFSET means that the producer has an open transaction on the partition; without one, it is -1 in JSON.`,
  examples: [
    ['The producers of a topic', 'cluster txn describe-producers -t orders'],
    ['Those of two partitions', 'cluster txn describe-producers -t orders -p 0,1'],
    ['Those of all topics, for a script', 'cluster txn describe-producers -a --format json'],
  ],
  apis: ['kafka'],
  flags: {
    topics: list(topicName, { short: 't', help: 'topics to describe, separated by commas', splits: true }),
    partitions: list(int32Id, { short: 'p', help: 'only these partitions (default: all)', splits: true }),
    all: toggle({ short: 'a', help: 'describe all topics' }),
  },
  changes: 'reads',
  async run(context, { topics, partitions, all }) {
    if (topics.length === 0 && !all) throw usageError('no topic is given', { hints: ['use --topics or --all'] });
    if (topics.length > 0 && all) throw usageError('--topics cannot be combined with --all', { target: '--all' });
    const kafka = await context.kafka();
    const rows = await kafka.describeProducers({ topics, partitions });
    return rows.map(({ last_timestamp: last, ...row }) => ({
      ...row,
      last_timestamp: last === null ? null : String(last),
    }));
  },
  output: {
    schema: arrayOf(
      object({
        leader: nullable(integerSchema),
        topic: string,
        partition: nullable(integerSchema),
        producer_id: nullable(integerSchema),
        producer_epoch: nullable(integerSchema),
        last_sequence: nullable(integerSchema),
        last_timestamp: nullable(string),
        coordinator_epoch: nullable(integerSchema),
        transaction_start_offset: nullable(integerSchema),
        error: itemErrorSchema,
      }),
    ),
    text(rows, view) {
      return columnTable(
        rows,
        [
          ['leader', ({ leader }) => leader],
          ['topic', ({ topic }) => topic],
          ['partition', ({ partition }) => partition],
          ['producer id', (row) => row.producer_id],
          ['producer epoch', (row) => row.producer_epoch],
          ['last sequence', (row) => given(row.last_sequence)],
          ['last timestamp', ({ last_timestamp: last }) => timeCell(last === null ? null : BigInt(last))],
          ['coordinator epoch', (row) => given(row.coordinator_epoch)],
          ['txn start offset', (row) => given(row.transaction_start_offset)],
          errorColumn(),
        ],
        view,
      );
    },
  },
});

/** Brokers report -1 for a number that a producer does not have. */
function given<N extends number | bigint>(value: N | null): N | null {
  return value === null || value < 0 ? null : value;
}
