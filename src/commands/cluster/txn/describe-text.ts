import { showDuration } from '../../../format/duration.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { ShownTransaction } from './describe.ts';
import { timeCell } from './txn-text.ts';

type Rows = readonly ShownTransaction[];

const headers = [
  ...['coordinator', 'transactional id', 'producer id', 'producer epoch', 'state', 'start timestamp', 'timeout'],
];

/** One line for each transactional id. */
export function transactionTable(rows: Rows, view: View): string {
  const groups = [
    ...Map.groupBy(rows, ({ transaction_id: id, coordinator_id: node }) => id ?? `broker ${node}`).values(),
  ];
  return laidOut(rows, ['topics'], view, (withErrors) =>
    groups.map((group) => [...cellsOf(group[0]), topicsText(group), ...errorCells(group[0], withErrors)]),
  );
}

/** One line for each topic in a transaction, or for each partition. */
export function transactionWideTable(rows: Rows, view: View): string {
  const withPartitions = rows[0]?.withPartitions === true;
  const place = ({ transaction_id: id, coordinator_id: node, topic, partition }: ShownTransaction): string =>
    JSON.stringify([id, node, topic, withPartitions ? partition : null]);
  const groups = [...Map.groupBy(rows, place).values()];
  return laidOut(rows, withPartitions ? ['topic', 'partition'] : ['topic'], view, (withErrors) =>
    groups.map(([first]) => [
      ...cellsOf(first),
      first?.topic,
      ...(withPartitions ? [first?.partition] : []),
      ...errorCells(first, withErrors),
    ]),
  );
}

function laidOut(
  rows: Rows,
  more: readonly string[],
  view: View,
  cells: (withErrors: boolean) => readonly (readonly Cell[])[],
): string {
  const withErrors = rows.some(({ error }) => error !== null);
  return table([...headers, ...more, ...(withErrors ? ['error'] : [])], cells(withErrors), view);
}

function cellsOf(row: ShownTransaction | undefined): Cell[] {
  const { start_timestamp: start = null, timeout = null } = row ?? {};
  return [
    ...[row?.coordinator_id, row?.transaction_id, row?.producer_id, row?.producer_epoch, row?.state],
    timeCell(start === null ? null : BigInt(start)),
    timeout === null ? null : showDuration(BigInt(timeout) * 1_000_000n),
  ];
}

function errorCells(row: ShownTransaction | undefined, withErrors: boolean): Cell[] {
  return withErrors ? [statusCell(row?.error ?? null, '-')] : [];
}

/** `foo,bar`, or `foo[0;1],bar[2]` with partitions. */
function topicsText(rows: Rows): Cell {
  const topics = Map.groupBy(
    rows.filter(({ topic }) => topic !== null),
    ({ topic }) => topic,
  );
  if (topics.size === 0) return null;
  return [...topics]
    .map(([topic, own]) => {
      return own[0]?.withPartitions ? `${topic}[${own.map(({ partition }) => partition).join(';')}]` : topic;
    })
    .join(',');
}
