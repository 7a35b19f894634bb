import { any, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import {
  type DescribedTransactionRow,
  TransactionPartition,
} from '../../../kafka/streams/transactions/transaction-rows.ts';
import { text } from '../../../kinds.ts';
import { transactionTable, transactionWideTable } from './describe-text.ts';
import { noticeMissing } from './list.ts';

/** `cluster txn describe` */
export const describe = listCommand({
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
  row: TransactionPartition,
  async read(context, { transactions }) {
    const kafka = await context.kafka();
    const rows = await kafka.describeTransactions(transactions);
    if (transactions.length === 0) await noticeMissing(context);
    return rows.flatMap(shownRows);
  },
  text: transactionTable,
  wide: transactionWideTable,
});

function shownRows({ partitions, start_timestamp: start, ...row }: DescribedTransactionRow): TransactionPartition[] {
  const shown = { ...row, start_timestamp: start === null ? null : String(start) };
  const { error, ...fields } = shown;
  if (partitions.length === 0) return [{ ...fields, topic: null, partition: null, error }];
  return partitions.map((place) => ({ ...fields, ...place, error }));
}
