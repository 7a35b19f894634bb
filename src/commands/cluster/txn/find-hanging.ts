import { flag, list } from '../../../cli/command.ts';
import { errorIfAny, tableOf } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { exitCodeOfItems, exitCodes } from '../../../errors.ts';
import { showElapsed } from '../../../format/time.ts';
import { HangingTransaction } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { duration, int32Id } from '../../../kinds.ts';
import { topicName } from '../../topic/topic-name.ts';
import { millisecondsOf, timeCell } from './txn-text.ts';

const fifteenMinutes = 900_000_000_000n;

/** `cluster txn find-hanging` */
export const findHanging = listCommand({
  summary: 'Find transactions that will never end by themselves',
  description: `A transaction hangs if a partition considers it open, but no coordinator knows the producer, or its coordinator
does not have the partition in the transaction. Consumers that read committed records stop there. Transactions are
checked only if their last record is older than --max-transaction-timeout.

Exits with 10 if it finds one. On Kafka, cluster txn abort ends it. The principal must be allowed to read all topics and to
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
  row: HangingTransaction,
  async read(context, { topics, partitions, maxTransactionTimeout }) {
    const kafka = await context.kafka();
    const young: string[] = [];
    const rows = await kafka.findHanging({
      topics,
      partitions,
      olderThanMs: millisecondsOf(maxTransactionTimeout),
      onYounger({ topic, partition, startOffset, ageMs, transactionalId }) {
        const whose = transactionalId === null ? 'an unknown producer' : `"${transactionalId}"`;
        const since = `last record ${showElapsed(ageMs)} ago`;
        young.push(
          `topic "${topic}" partition ${partition}: a transaction of ${whose} is open at offset ${startOffset}, ${since}`,
        );
      },
    });
    if (rows.length === 0) context.notice('no hanging transactions');
    for (const line of young) context.notice(`${line} (too young to be checked)`);
    return rows;
  },
  text(rows, view) {
    if (rows.length === 0) return '';
    return tableOf(
      rows,
      [
        'topic',
        'partition',
        'producer_id',
        'producer_epoch',
        'coordinator_epoch',
        'start_offset',
        ['last timestamp', (row) => timeCell(row.last_timestamp)],
        ['duration', ({ duration }) => (duration === null ? null : showElapsed(Number(duration)))],
        ['transactional id', (row) => row.transaction_id],
        errorIfAny(),
      ],
      view,
    );
  },
  exitCode(rows) {
    const failed = exitCodeOfItems(rows.map(({ error }) => error));
    return failed === exitCodes.ok && rows.length > 0 ? exitCodes.checkFailed : failed;
  },
});
