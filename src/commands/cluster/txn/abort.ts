import { command, flag, one } from '../../../cli/command.ts';
import {
  arrayOf,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
  wordOf,
} from '../../../cli/output/schema.ts';
import type { Context } from '../../../context.ts';
import { type ItemError, notFoundError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import { plainView, type View } from '../../../format/view.ts';
import type { OpenTransaction } from '../../../kafka/transactions/transaction-rows.ts';
import { int32Id } from '../../../kinds.ts';
import { topicName } from '../../topic/topic-name.ts';
import { bigNumber, timeCell } from './txn-text.ts';

interface Selection {
  readonly topic: string;
  readonly partition: number;
  readonly startOffset: bigint | undefined;
  readonly producerId: bigint | undefined;
}

/** An aborted transaction. */
interface AbortedRow {
  readonly topic: string;
  readonly partition: number;
  readonly producer_id: bigint;
  readonly producer_epoch: number;
  readonly coordinator_epoch: number;
  readonly start_offset: bigint;
  readonly last_timestamp: bigint;
  /** The producer's transactional id and the state at its coordinator; null if no coordinator knows the producer. */
  readonly transaction_id: string | null;
  readonly state: string | null;
  readonly status: 'OK' | 'ERROR';
  readonly error: ItemError | null;
  readonly dry_run?: true;
}

/** `cluster txn abort` */
export const abort = command({
  summary: 'Abort an open transaction on a partition',
  description: `Writes an abort marker to one partition: its records of the transaction are lost for consumers that read
committed records. This is meant for the transactions that cluster txn find-hanging reports. If the producer is still
running, the other partitions of its transaction are not aborted, and may be committed.

The transaction is chosen by its first offset or by its producer. It is shown, with the state at its coordinator, before
the question.`,
  examples: [
    ['A transaction that find-hanging has reported', 'cluster txn abort orders -p 3 --start-offset 12345'],
    ['Show what would be aborted', 'cluster txn abort orders -p 3 --producer-id 4000 --dry-run'],
  ],
  apis: ['kafka'],
  args: { topic: one(topicName, 'TOPIC', 'topic of the partition') },
  flags: {
    partition: flag(int32Id, { short: 'p', help: 'partition of the transaction', required: true }),
    startOffset: flag(bigNumber, { help: 'offset of the first record of the transaction' }),
    producerId: flag(bigNumber, { help: 'id of the producer of the transaction' }),
  },
  changes: 'destroys',
  namesAll: true,
  plan: chosenTransactions,
  confirm(_context, { topic, partition }, open) {
    const rows = open.map((transaction) => rowOf(transaction, null));
    return {
      preview: abortionText(rows, plainView),
      question: `Abort ${count(open.length, 'transaction')} on topic ${topic} partition ${partition}, and lose its records`,
      name: topic,
    };
  },
  async run(context, values, open): Promise<readonly AbortedRow[]> {
    const kafka = await context.kafka();
    const errors = values.dryRun ? [] : await kafka.abortTransactions(open);
    return open.map((transaction, at) => ({
      ...rowOf(transaction, errors[at] ?? null),
      ...(values.dryRun && { dry_run: true as const }),
    }));
  },
  output: {
    schema: arrayOf(
      object({
        topic: string,
        partition: integerSchema,
        producer_id: integerSchema,
        producer_epoch: integerSchema,
        coordinator_epoch: integerSchema,
        start_offset: integerSchema,
        last_timestamp: integerSchema,
        transaction_id: nullable(string),
        state: nullable(string),
        status: wordOf('OK', 'ERROR'),
        error: itemErrorSchema,
      }),
    ),
    text: (rows, view) => abortionText(rows, view, 'with status'),
  },
});

async function chosenTransactions(
  context: Context,
  { topic, partition, startOffset, producerId }: Selection,
): Promise<readonly OpenTransaction[]> {
  if (startOffset === undefined && producerId === undefined) {
    throw usageError('no transaction is given', { hints: ['use --start-offset or --producer-id'] });
  }
  const kafka = await context.kafka();
  const open = await kafka.openTransactions(topic, partition);
  const found = open.filter(
    (one) =>
      (startOffset === undefined || one.startOffset === startOffset) &&
      (producerId === undefined || one.producerId === producerId),
  );
  if (found.length > 0) return found;
  const producer = producerId === undefined ? '' : ` of producer ${producerId}`;
  const offset = startOffset === undefined ? '' : ` that starts at offset ${startOffset}`;
  throw notFoundError(
    `unable to abort: topic "${topic}" partition ${partition} has no open transaction${producer}${offset}`,
    {
      target: topic,
      hints: [commandText`list open transactions with: weir cluster txn describe-producers -t ${topic}`],
    },
  );
}

function rowOf(open: OpenTransaction, error: ItemError | null): AbortedRow {
  return {
    ...{ topic: open.topic, partition: open.partition, producer_id: open.producerId },
    ...{ producer_epoch: open.producerEpoch, coordinator_epoch: open.coordinatorEpoch },
    ...{ start_offset: open.startOffset, last_timestamp: open.lastTimestamp },
    ...{ transaction_id: open.known?.transactionalId ?? null, state: open.known?.state ?? null },
    ...{ status: error === null ? 'OK' : 'ERROR', error },
  };
}

function abortionText(rows: readonly AbortedRow[], view: View, status?: 'with status'): string {
  const headers = [
    ...['topic', 'partition', 'producer id', 'producer epoch', 'start offset', 'last timestamp'],
    ...['transactional id', 'state', ...(status === undefined ? [] : ['status'])],
  ];
  const cells = rows.map((row) => [
    ...[row.topic, row.partition, row.producer_id, row.producer_epoch, row.start_offset, timeCell(row.last_timestamp)],
    ...[row.transaction_id, row.state, ...(status === undefined ? [] : [statusOf(row)])],
  ]);
  return table(headers, cells, view);
}

function statusOf({ error, dry_run: isDryRun }: AbortedRow): Cell {
  return statusCell(error, isDryRun ? 'OK (dry run: would be aborted)' : 'OK');
}
