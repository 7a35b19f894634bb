import { any, command, toggle } from '../../../cli/command.ts';
import { arrayOf, integerSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import type { ItemError } from '../../../errors.ts';
import type { DescribedTransactionRow } from '../../../kafka/transactions/transaction-rows.ts';
import { text } from '../../../kinds.ts';
import { transactionTable, transactionWideTable } from './describe-text.ts';

/** One partition in a transaction, or a transactional id without partitions. */
export interface ShownTransaction {
  readonly coordinator_id: number | null;
  readonly transaction_id: string | null;
  readonly producer_id: bigint | null;
  readonly producer_epoch: number | null;
  readonly state: string | null;
  /** Milliseconds since the epoch, as text like in rpk; null if no transaction is open. */
  readonly start_timestamp: string | null;
  /** Milliseconds. */
  readonly timeout: number | null;
  readonly topic: string | null;
  readonly partition: number | null;
  readonly error: ItemError | null;
}

/** `cluster txn describe` */
export const describe = command({
  summary: 'Describe transactional ids and their open transactions',
  description: `Without arguments, describes all transactional ids that the principal may describe. json and yaml have one row for
each partition in a transaction; so does the wide format, with one row for each topic unless -p is given.`,
  examples: [
    ['All transactional ids', 'cluster txn describe'],
    ['One, with the partitions in its transaction', 'cluster txn describe orders-1 -p'],
  ],
  apis: ['kafka'],
  args: { transactions: any(text, 'TXN-ID', 'transactional ids to describe (default: all)') },
  flags: { printPartitions: toggle({ short: 'p', help: 'print the partitions of each topic' }) },
  changes: 'reads',
  run: async (context, { transactions }): Promise<readonly ShownTransaction[]> =>
    (await (await context.kafka()).describeTransactions(transactions)).flatMap(shownRows),
  output: {
    schema: arrayOf(
      object({
        coordinator_id: nullable(integerSchema),
        transaction_id: nullable(string),
        producer_id: nullable(integerSchema),
        producer_epoch: nullable(integerSchema),
        state: nullable(string),
        start_timestamp: nullable(string),
        timeout: nullable(integerSchema),
        topic: nullable(string),
        partition: nullable(integerSchema),
        error: itemErrorSchema,
      }),
    ),
    text: transactionTable,
    wide: transactionWideTable,
  },
});

function shownRows({ partitions, start_timestamp: start, ...row }: DescribedTransactionRow): ShownTransaction[] {
  const shown = { ...row, start_timestamp: start === null ? null : String(start) };
  const { error, ...known } = shown;
  if (partitions.length === 0) return [{ ...known, topic: null, partition: null, error }];
  return partitions.map((place) => ({ ...known, ...place, error }));
}
