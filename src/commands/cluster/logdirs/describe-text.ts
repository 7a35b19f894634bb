import { columnTable, errorColumn } from '../../../format/columns.ts';
import { showSize } from '../../../format/size.ts';
import type { Cell } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { LogDirAggregation } from '../../../kafka/cluster/log-dir-rows.ts';
import type { ShownLogDir } from './describe.ts';

/** A table of log directories; `wide` adds the lag of replicas and the space of volumes. */
export function logDirTable(rows: readonly ShownLogDir[], view: View, wide: boolean): string {
  const { aggregation = 'partition', isHuman = false } = rows[0]?.style ?? {};
  const bytes = (size: bigint | null): Cell => (size !== null && isHuman ? showSize(Number(size)) : size);
  const isOneOf = (...some: readonly LogDirAggregation[]): boolean => some.includes(aggregation);
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
