import type { ItemError } from '../../errors.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import { plainView, type View } from '../../format/view.ts';

/** The names of the fields of a row that a cell can show. */
export type CellField<R> = { [K in keyof R]-?: R[K] extends Cell ? K : never }[keyof R] & string;

/**
 * A column of a table of rows: the name of a field, which is its header too, with spaces for underscores; or a header,
 * what its cells show, and whether the table has it, always or for some rows (default: always).
 */
export type Column<R> = CellField<R> | readonly [header: string, cell: (row: R) => Cell, isShown?: IsShown<R>];

type IsShown<R> = boolean | ((rows: readonly R[]) => boolean);

/**
 * Lays out rows in the columns that are shown.
 * @param below lines under a row, which belong to no column (default: none)
 */
export function tableOf<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  view: View = plainView,
  below: (row: R) => readonly Cell[] = () => [],
): string {
  const shown = columns
    .map((column) => (typeof column === 'string' ? fieldColumn<R>(column) : column))
    .filter(([, , isShown = true]) => (typeof isShown === 'boolean' ? isShown : isShown(rows)));
  return table(
    shown.map(([header]) => header),
    rows.flatMap((row) => [shown.map(([, cell]) => cell(row)), ...below(row).map((line) => [line])]),
    view,
  );
}

function fieldColumn<R>(field: CellField<R>): Exclude<Column<R>, string> {
  return [field.replaceAll('_', ' '), (row) => row[field] as Cell];
}

/** The column ERROR where rpk has it: it is always there, and empty for items that succeeded. */
export function errorAlways<R extends { readonly error: ItemError | null }>(): Column<R> {
  return ['error', ({ error }) => statusCell(error, '')];
}

/** The same column, left out if no item has failed. */
export function errorIfAny<R extends { readonly error: ItemError | null }>(): Column<R> {
  return ['error', ({ error }) => statusCell(error, ''), (rows) => rows.some(({ error }) => error !== null)];
}
