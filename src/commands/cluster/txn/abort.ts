import { command, flag, one, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { type ItemError, notFoundError, usageError } from '../../../errors.ts';
import { columnTable } from '../../../format/columns.ts';
import { count } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import { statusCell } from '../../../format/status.ts';
import { plainView, type View } from '../../../format/view.ts';
import type { OpenTransaction } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { int32Id } from '../../../kinds.ts';
import { itemError } from '../../../shape/item-error.ts';
import { described, int64, listOf, maybe, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';
import { topicName } from '../../topic/topic-name.ts';
import { bigNumber, timeCell } from './txn-text.ts';

/** A transaction to abort, with what became of it. */
const Aborted = row({
  topic: string,
  partition: whole,
  producer_id: int64,
  producer_epoch: whole,
  coordinator_epoch: whole,
  start_offset: int64,
  /** Milliseconds since the epoch. */
  last_timestamp: described(int64, 'milliseconds since the epoch'),
  /** The producer's transactional id and the state at its coordinator; null if no coordinator knows the producer. */
  transaction_id: maybe(string),
  state: maybe(string),
  status: word('OK', 'ERROR'),
  error: itemError,
});
type Aborted = RowOf<typeof Aborted>;

const args = { topic: one(topicName, 'TOPIC', 'topic of the partition') };
const flags = {
  partition: flag(int32Id, { short: 'p', help: 'partition of the transaction', required: true }),
  startOffset: flag(bigNumber, { help: 'offset of the first record of the transaction' }),
  producerId: flag(bigNumber, { help: 'id of the producer of the transaction' }),
};

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
  args,
  flags,
  changes: 'destroys',
  result: listOf(Aborted),
  namesAll: true,
  plan: (context, values) => chosenTransactions(context, values),
  confirm(_context, { topic, partition }, open) {
    const rows = open.map((transaction) => rowOf(transaction, null));
    return {
      preview: abortionText(rows, plainView),
      question: `Abort ${count(open.length, 'transaction')} on topic ${topic} partition ${partition}, and lose its records`,
      name: topic,
    };
  },
  async run(context, { dryRun }, open) {
    const kafka = await context.kafka();
    const errors = dryRun ? [] : await kafka.abortTransactions(open);
    return open.map((transaction, at) => rowOf(transaction, errors[at] ?? null));
  },
  show: {
    text: (rows, view, { dryRun }) => abortionText(rows, view, dryRun ? 'OK (dry run: would be aborted)' : 'OK'),
  },
});

async function chosenTransactions(
  context: Context,
  { topic, partition, startOffset, producerId }: ValuesOf<typeof args & typeof flags>,
): Promise<readonly OpenTransaction[]> {
  if (startOffset === undefined && producerId === undefined) {
    throw usageError('no transaction is given', { hints: ['use --start-offset or --producer-id'] });
  }
  const kafka = await context.kafka();
  const open = await kafka.findOpenTransactions(topic, partition);
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

function rowOf(open: OpenTransaction, error: ItemError | null): Aborted {
  return {
    topic: open.topic,
    partition: open.partition,
    producer_id: open.producerId,
    producer_epoch: open.producerEpoch,
    coordinator_epoch: open.coordinatorEpoch,
    start_offset: open.startOffset,
    last_timestamp: open.lastTimestamp,
    transaction_id: open.known?.transactionalId ?? null,
    state: open.known?.state ?? null,
    status: error === null ? 'OK' : 'ERROR',
    error,
  };
}

/** The transactions and, after the question, what became of them; `success` is the status of one without an error. */
function abortionText(rows: readonly Aborted[], view: View, success?: string): string {
  return columnTable(
    rows,
    [
      ['topic', ({ topic }) => topic],
      ['partition', ({ partition }) => partition],
      ['producer id', (one) => one.producer_id],
      ['producer epoch', (one) => one.producer_epoch],
      ['start offset', (one) => one.start_offset],
      ['last timestamp', (one) => timeCell(one.last_timestamp)],
      ['transactional id', (one) => one.transaction_id],
      ['state', ({ state }) => state],
      ['status', ({ error }) => statusCell(error, success), success !== undefined],
    ],
    view,
  );
}
