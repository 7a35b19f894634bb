import { type Column, errorIfAny, tableOf } from '../../../cli/forms/columns.ts';
import { showPaddedDuration } from '../../../format/duration.ts';
import type { Cell } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { TransactionPartition } from '../../../kafka/streams/transactions/transaction-rows.ts';
import { timeCell } from './txn-text.ts';

type Rows = readonly TransactionPartition[];
type TransactionColumn = Column<TransactionPartition>;

/** The flags of the command that decide what text shows. */
interface Shown {
  /** Whether the numbers of partitions are shown. */
  readonly printPartitions: boolean;
}

/** One line for each transactional id. */
export function transactionTable(rows: Rows, view: View, { printPartitions }: Shown): string {
  const groups = Map.groupBy(rows, ({ transaction_id: id, coordinator_id: node }) => id ?? `broker ${node}`);
  const byRow = new Map(
    [...groups.values()].flatMap((group) => group.slice(0, 1).map((first) => [first, group] as const)),
  );
  return laidOut([...byRow.keys()], [['topics', (row) => topicsText(byRow.get(row) ?? [], printPartitions)]], view);
}

/** One line for each topic in a transaction, or for each partition. */
export function transactionWideTable(rows: Rows, view: View, { printPartitions }: Shown): string {
  const place = ({ transaction_id: id, coordinator_id: node, topic, partition }: TransactionPartition): string =>
    JSON.stringify([id, node, topic, printPartitions ? partition : null]);
  const firsts = [...Map.groupBy(rows, place).values()].flatMap((group) => group.slice(0, 1));
  const more: readonly TransactionColumn[] = ['topic', ['partition', ({ partition }) => partition, printPartitions]];
  return laidOut(firsts, more, view);
}

function laidOut(rows: Rows, more: readonly TransactionColumn[], view: View): string {
  return tableOf(
    rows,
    [
      ['coordinator', (row) => row.coordinator_id],
      ['transactional id', (row) => row.transaction_id],
      'producer_id',
      'producer_epoch',
      'state',
      ['start timestamp', (row) => timeCell(row.start_timestamp === null ? null : BigInt(row.start_timestamp))],
      ['timeout', ({ timeout }) => (timeout === null ? null : showPaddedDuration(BigInt(timeout) * 1_000_000n))],
      ...more,
      errorIfAny(),
    ],
    view,
  );
}

/** `foo,bar`, or `foo[0;1],bar[2]` with partitions. */
function topicsText(rows: Rows, withPartitions: boolean): Cell {
  const topics = Map.groupBy(
    rows.filter(({ topic }) => topic !== null),
    ({ topic }) => topic,
  );
  if (topics.size === 0) return null;
  return [...topics]
    .map(([topic, rows]) => {
      return withPartitions ? `${topic}[${rows.map(({ partition }) => partition).join(';')}]` : topic;
    })
    .join(',');
}
