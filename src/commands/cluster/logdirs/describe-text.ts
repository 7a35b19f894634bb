import { showSize } from '../../../format/size.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type { LogDirAggregation } from '../../../kafka/cluster/log-dir-rows.ts';
import type { ShownLogDir } from './describe.ts';

type Column = readonly [header: string, shown: boolean, cell: (row: ShownLogDir) => Cell];

/** A table of log directories; `wide` adds the lag of replicas and the space of volumes. */
export function logDirTable(rows: readonly ShownLogDir[], view: View, wide: boolean): string {
  const { aggregation = 'partition', isHuman = false } = rows[0]?.style ?? {};
  const bytes = (size: bigint | null): Cell => (size !== null && isHuman ? showSize(Number(size)) : size);
  const isOneOf = (...some: readonly LogDirAggregation[]): boolean => some.includes(aggregation);
  const columns: readonly Column[] = [
    ['broker', true, ({ broker }) => broker],
    ['dir', !isOneOf('broker'), ({ dir }) => dir],
    ['topic', isOneOf('topic', 'partition'), ({ topic }) => topic],
    ['partition', isOneOf('partition'), ({ partition }) => partition],
    ['size', true, ({ size }) => bytes(size)],
    ['offset lag', wide && isOneOf('partition'), ({ offset_lag: lag }) => lag],
    ['future', wide && isOneOf('partition'), ({ is_future: isFuture }) => isFuture],
    ['total', wide && isOneOf('dir'), ({ total_bytes: total }) => bytes(total)],
    ['usable', wide && isOneOf('dir'), ({ usable_bytes: usable }) => bytes(usable)],
    ['error', true, ({ error }) => statusCell(error, '-')],
  ];
  const shown = columns.filter(([, isShown]) => isShown);
  return table(
    shown.map(([header]) => header),
    rows.map((row) => shown.map(([, , cell]) => cell(row))),
    view,
  );
}
