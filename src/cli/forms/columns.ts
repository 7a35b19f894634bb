import type { ItemError } from '../../errors.ts';
import { columnTable } from '../../format/columns.ts';
import { statusCell } from '../../format/status.ts';
import type { Cell } from '../../format/table.ts';
import { plainView, type View } from '../../format/view.ts';

/** The names of the fields of a row that a cell can show. */
export type CellField<R> = { [K in keyof R]-?: R[K] extends Cell ? K : never }[keyof R] & string;

/**
 * A column of a table of rows: the name of a field, which is its header too, with spaces for underscores; or a header,
 * what its cells show, and in which tables it is (default: in all).
 */
export type Column<R> = CellField<R> | readonly [header: string, cell: (row: R) => Cell, isShown?: IsShown<R>];

type IsShown<R> = (rows: readonly R[]) => boolean;

/** Lays out rows in columns. */
export function tableOf<R>(rows: readonly R[], columns: readonly Column<R>[], view: View = plainView): string {
  return columnTable(
    rows,
    columns.map((column) => {
      if (typeof column === 'string') return [column.replaceAll('_', ' '), (row: R) => row[column] as Cell];
      const [header, cell, isShown] = column;
      return [header, cell, isShown?.(rows) ?? true];
    }),
    view,
  );
}

/** The column ERROR where rpk has it: it is always there, and empty for items that succeeded. */
export function errorAlways<R extends { readonly error: ItemError | null }>(): Column<R> {
  return ['error', ({ error }) => statusCell(error, '')];
}

/** The same column, left out if no item has failed. */
export function errorIfAny<R extends { readonly error: ItemError | null }>(): Column<R> {
  return ['error', ({ error }) => statusCell(error, ''), (rows) => rows.some(({ error }) => error !== null)];
}
