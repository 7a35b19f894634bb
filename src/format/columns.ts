import type { ItemError } from '../errors.ts';
import { statusCell } from './status.ts';
import { type Cell, table } from './table.ts';
import { plainView, type View } from './view.ts';

/** A column of a table of rows: its header, the cell of a row, and whether the table has it (default: yes). */
export type Column<R> = readonly [header: string, cell: (row: R) => Cell, shown?: boolean];

/** An item of a result that may have failed. */
export interface Item {
  readonly error: ItemError | null;
}

/** Lays out rows in the columns that are shown. */
export function columnTable<R>(rows: readonly R[], columns: readonly Column<R>[], view: View = plainView): string {
  const shown = columns.filter(([, , isShown = true]) => isShown);
  return table(
    shown.map(([header]) => header),
    rows.map((row) => shown.map(([, cell]) => cell(row))),
    view,
  );
}

/**
 * The last column ERROR, which is empty for items that succeeded: scripts look for a text in it.
 * @param rows leaves the column out if none of them failed (default: the column is always there)
 */
export function errorColumn<R extends Item>(rows?: readonly R[]): Column<R> {
  return ['error', ({ error }) => statusCell(error, ''), rows?.some(({ error }) => error !== null) ?? true];
}
