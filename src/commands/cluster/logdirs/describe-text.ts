import { columnTable, errorColumn } from '../../../format/columns.ts';
import { showSize } from '../../../format/size.ts';
import type { Cell } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { LogDirAggregation, LogDirRow } from '../../../kafka/cluster/log-dir-rows.ts';

/** What a table shows of each row. */
interface TableStyle {
  readonly aggregateInto: LogDirAggregation;
  readonly humanReadable: boolean;
  /** Adds the lag of replicas and the space of volumes. */
  readonly wide: boolean;
}

/** A table of log directories. */
export function logDirTable(
  rows: readonly LogDirRow[],
  view: View,
  { aggregateInto, humanReadable, wide }: TableStyle,
): string {
  const bytes = (size: bigint | null): Cell => (size !== null && humanReadable ? showSize(Number(size)) : size);
  const isOneOf = (...some: readonly LogDirAggregation[]): boolean => some.includes(aggregateInto);
  return columnTable(
    rows,
    [
      ['broker', ({ broker }) => broker],
      ['dir', ({ dir }) => dir, !isOneOf('broker')],
      ['topic', ({ topic }) => topic, isOneOf('topic', 'partition')],
      ['partition', ({ partition }) => partition, isOneOf('partition')],
      ['size', ({ size }) => bytes(size)],
      ['offset lag', (row) => row.offset_lag, wide && isOneOf('partition')],
      ['future', (row) => row.is_future, wide && isOneOf('partition')],
      ['total', (row) => bytes(row.total_bytes), wide && isOneOf('dir')],
      ['usable', (row) => bytes(row.usable_bytes), wide && isOneOf('dir')],
      errorColumn(),
    ],
    view,
  );
}
