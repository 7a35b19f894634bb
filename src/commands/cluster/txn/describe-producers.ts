import { list, toggle } from '../../../cli/command.ts';
import { errorAlways } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { usageError } from '../../../errors.ts';
import { Producer } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { int32Id } from '../../../kinds.ts';
import { described, maybe, row, string } from '../../../shape/shape.ts';
import { topicName } from '../../topic/topic-name.ts';
import { timeCell } from './txn-text.ts';

/** `cluster txn describe-producers` */
export const describeProducers = listCommand({
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
  // As text like in rpk.
  row: row({ ...Producer.fields, last_timestamp: maybe(described(string, 'milliseconds since the epoch, as text')) }),
  async read(context, { topics, partitions, all }) {
    if (topics.length === 0 && !all) throw usageError('no topic is given', { hints: ['use --topics or --all'] });
    if (topics.length > 0 && all) throw usageError('--topics cannot be combined with --all', { target: '--all' });
    const kafka = await context.kafka();
    const rows = await kafka.describeProducers({ topics, partitions });
    return rows.map(({ last_timestamp: last, ...one }) => ({ ...one, last_timestamp: last?.toString() ?? null }));
  },
  columns: [
    'leader',
    'topic',
    'partition',
    'producer_id',
    'producer_epoch',
    ['last sequence', (one) => orNull(one.last_sequence)],
    ['last timestamp', ({ last_timestamp: last }) => timeCell(last === null ? null : BigInt(last))],
    ['coordinator epoch', (one) => orNull(one.coordinator_epoch)],
    ['txn start offset', (one) => orNull(one.transaction_start_offset)],
    errorAlways(),
  ],
});

/** Brokers report -1 for a number that a producer does not have. */
function orNull<N extends number | bigint>(value: N | null): N | null {
  return value === null || value < 0 ? null : value;
}
