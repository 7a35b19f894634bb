import { flag, one, type ValuesOf } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import type { OpenTransaction } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { int32Id } from '../../../kinds.ts';
import { described, int64, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { topicName } from '../../topic/topic-name.ts';
import { bigNumber, timeCell } from './txn-text.ts';

/** A transaction to abort. */
const AbortedTransaction = row({
  topic: string,
  partition: whole,
  producer_id: int64,
  producer_epoch: whole,
  coordinator_epoch: whole,
  start_offset: int64,
  last_timestamp: described(int64, 'milliseconds since the epoch'),
  transaction_id: described(
    maybe(string),
    "the producer's transactional id; null if no coordinator knows the producer",
  ),
  state: described(maybe(string), 'its state at the coordinator'),
});
type AbortedTransaction = RowOf<typeof AbortedTransaction>;

const args = { topic: one(topicName, 'TOPIC', 'topic of the partition') };
const flags = {
  partition: flag(int32Id, { short: 'p', help: 'partition of the transaction', required: true }),
  startOffset: flag(bigNumber, { help: 'offset of the first record of the transaction' }),
  producerId: flag(bigNumber, { help: 'id of the producer of the transaction' }),
};

/** `cluster txn abort` */
export const abort = change({
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
  namesAll: true,
  noun: 'transaction',
  item: AbortedTransaction,
  plan: chosenTransactions,
  asks: (transactions, { topic, partition }) => ({
    question: `Abort ${count(transactions.length, 'transaction')} on topic ${topic} partition ${partition}, and lose its records`,
    name: topic,
  }),
  previews: true,
  async apply(context, transactions) {
    const errors = await (await context.kafka()).abortTransactions(transactions.map(({ open }) => open));
    return errors.map((error) => ({ error }));
  },
  columns: [
    'topic',
    'partition',
    'producer_id',
    'producer_epoch',
    'start_offset',
    ['last timestamp', (one) => timeCell(one.last_timestamp)],
    ['transactional id', (one) => one.transaction_id],
    'state',
  ],
  would: 'be aborted',
});

/** An open transaction with its row. */
interface PlannedAbort extends AbortedTransaction {
  readonly open: OpenTransaction;
}

async function chosenTransactions(
  context: Context,
  { topic, partition, startOffset, producerId }: ValuesOf<typeof args & typeof flags>,
): Promise<readonly PlannedAbort[]> {
  if (startOffset === undefined && producerId === undefined) {
    throw usageError('no transaction is given', { hints: ['use --start-offset or --producer-id'] });
  }
  const kafka = await context.kafka();
  const open = await kafka.findOpenTransactions(topic, partition);
  const chosen = open.filter(
    (one) =>
      (startOffset === undefined || one.startOffset === startOffset) &&
      (producerId === undefined || one.producerId === producerId),
  );
  if (chosen.length > 0) return chosen.map(plannedAbort);
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

function plannedAbort(open: OpenTransaction): PlannedAbort {
  return {
    open,
    topic: open.topic,
    partition: open.partition,
    producer_id: open.producerId,
    producer_epoch: open.producerEpoch,
    coordinator_epoch: open.coordinatorEpoch,
    start_offset: open.startOffset,
    last_timestamp: open.lastTimestamp,
    transaction_id: open.known?.transactionalId ?? null,
    state: open.known?.state ?? null,
  };
}
