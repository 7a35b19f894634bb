import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import type { TrimRow } from '../../kafka/topics/topic-rows.ts';

/** The number of offsets that a plan removes. */
export function recordsIn(rows: readonly TrimRow[]): bigint {
  return rows.reduce((sum, { prior_start_offset: old, new_start_offset: start }) => {
    return old === null || start === null ? sum : sum + start - old;
  }, 0n);
}

const partition: readonly Column<TrimRow>[] = [
  ['topic', ({ topic }) => topic],
  ['partition', (row) => row.partition],
];
const after: Column<TrimRow> = ['new start offset', (row) => row.new_start_offset];

/** The offsets before and after, with a column ERROR if a row has one. */
export function planText(rows: readonly TrimRow[], view: View): string {
  const before: Column<TrimRow> = ['prior start offset', (row) => row.prior_start_offset];
  return columnTable(rows, [...partition, before, after, errorColumn(rows)], view);
}

/** What was done, in rpk's columns. */
export function resultText(rows: readonly TrimRow[], view: View): string {
  return columnTable(rows, [...partition, after, errorColumn()], view);
}
