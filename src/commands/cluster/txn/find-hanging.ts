import { command, flag, list } from '../../../cli/command.ts';
import { arrayOf, integerSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { exitCodeOfItems, exitCodes } from '../../../errors.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import { showElapsed } from '../../../format/time.ts';
import { duration, int32Id } from '../../../kinds.ts';
import { topicName } from '../../topic/topic-name.ts';
import { millisecondsOf, timeCell } from './txn-text.ts';

const fifteenMinutes = 900_000_000_000n;

/** `cluster txn find-hanging` */
export const findHanging = command({
  summary: 'Find transactions that will never end by themselves',
  description: `A transaction hangs if a partition considers it open, but no coordinator knows the producer, or its coordinator
does not have the partition in the transaction. Consumers that read committed records stop there. Transactions are
checked only if their last record is older than --max-transaction-timeout.

Exits with 10 if it finds one; cluster txn abort ends it. The principal must be allowed to read all topics and to
describe all transactional ids: an id that it cannot see looks like one that does not exist.`,
  examples: [
    ['On all topics', 'cluster txn find-hanging'],
    ['On one topic, with a shorter limit', 'cluster txn find-hanging -t orders --max-transaction-timeout 5m'],
  ],
  apis: ['kafka'],
  flags: {
    topics: list(topicName, { short: 't', help: 'only these topics (default: all)', splits: true }),
    partitions: list(int32Id, { short: 'p', help: 'only these partitions (default: all)', splits: true }),
    maxTransactionTimeout: flag(duration, {
      help: 'longest transaction timeout in use; younger transactions are not checked',
      fallback: fifteenMinutes,
    }),
  },
  changes: 'reads',
  async run(context, { topics, partitions, maxTransactionTimeout }) {
    const kafka = await context.kafka();
    const rows = await kafka.findHanging({ topics, partitions, olderThanMs: millisecondsOf(maxTransactionTimeout) });
    if (rows.length === 0) context.notice('no hanging transactions');
    return rows;
  },
  output: {
    schema: arrayOf(
      object({
        topic: string,
        partition: nullable(integerSchema),
        producer_id: nullable(integerSchema),
        producer_epoch: nullable(integerSchema),
        coordinator_epoch: nullable(integerSchema),
        start_offset: nullable(integerSchema),
        last_timestamp: nullable(integerSchema),
        duration: nullable(integerSchema),
        transaction_id: nullable(string),
        error: itemErrorSchema,
      }),
    ),
    text(rows, view) {
      if (rows.length === 0) return '';
      const withErrors = rows.some(({ error }) => error !== null);
      const headers = [
        ...['topic', 'partition', 'producer id', 'producer epoch', 'coordinator epoch', 'start offset'],
        ...['last timestamp', 'duration', 'transactional id', ...(withErrors ? ['error'] : [])],
      ];
      const cells = rows.map((row): Cell[] => [
        ...[row.topic, row.partition, row.producer_id, row.producer_epoch, row.coordinator_epoch, row.start_offset],
        timeCell(row.last_timestamp),
        row.duration === null ? null : showElapsed(Number(row.duration)),
        row.transaction_id,
        ...(withErrors ? [statusCell(row.error, '-')] : []),
      ]);
      return table(headers, cells, view);
    },
    exitCode(rows) {
      const failed = exitCodeOfItems(rows.map(({ error }) => error));
      return failed === exitCodes.ok && rows.length > 0 ? exitCodes.checkFailed : failed;
    },
  },
});
