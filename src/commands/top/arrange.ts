import type { Cell } from '../../format/table.ts';
import type { Overview } from '../../kafka/cluster/overview/overview-rows.ts';
import type { History, Series } from './history.ts';
import type { Column, SortValue, Table } from './tables.ts';

/** The column that rows are sorted by, and the direction. */
export interface Sorting {
  readonly header: string;
  readonly descending: boolean;
}

/** How a person wants to see a table. */
export interface Arrangement {
  /** Undefined: as the table declares. */
  readonly sorting: Sorting | undefined;
  /** A part of a name, in any case; empty: all rows. */
  readonly filter: string;
}

/** The form of a column, whatever its rows are. */
export type Head = Pick<Column<never>, 'header' | 'width' | 'rank' | 'align'>;

/** A row, whatever it is made of. */
export interface ArrangedRow {
  readonly key: string;
  readonly isBad: boolean;
  cell(column: number, history: History): Cell | { readonly series: Series };
}

/** A table with the rows that are shown, in their order. */
export interface Arranged {
  readonly items: string;
  readonly heads: readonly Head[];
  readonly rows: readonly ArrangedRow[];
  /** How many rows there are without the filter. */
  readonly total: number;
  readonly sorting: Sorting;
}

/** Filters and sorts the rows of a table. */
export function arrange<R>(table: Table<R>, overview: Overview, { sorting, filter }: Arrangement): Arranged {
  const all = table.rows(overview);
  const part = filter.toLowerCase();
  const matches = (row: R): boolean => {
    const names = table.names(row);
    return names.length === 0 || names.some((name) => name.toLowerCase().includes(part));
  };
  const used = sorting ?? ownSorting(table, all);
  const column = table.columns.find(({ header }) => header === used.header) ?? table.columns[0];
  const rows = (part === '' ? all : all.filter(matches)).toSorted(
    (a, b) =>
      compareValues(column.value(a), column.value(b), used.descending) || (table.key(a) < table.key(b) ? -1 : 1),
  );
  return {
    items: table.items,
    heads: table.columns,
    total: all.length,
    sorting: used,
    rows: rows.map((row) => ({
      key: table.key(row),
      isBad: table.isBad(row),
      cell(at, history) {
        const column = table.columns[at];
        return column?.cell === undefined ? column?.value(row) : column.cell(row, history);
      },
    })),
  };
}

/** Numbers begin with the largest one, names with the first one of the alphabet. */
function ownSorting<R>({ columns, sortedBy }: Table<R>, rows: readonly R[]): Sorting {
  const candidates = sortedBy.map((header) => columns.find((one) => one.header === header));
  const column = candidates.find((one) => rows.some((row) => (one?.value(row) ?? null) !== null)) ?? candidates[0];
  return { header: column?.header ?? sortedBy[0], descending: column !== columns[0] && column?.align === 'right' };
}

/** The sorting by the next column; after the last one comes the first. */
export function nextSorting({ heads, sorting }: Pick<Arranged, 'heads' | 'sorting'>): Sorting {
  const at = heads.findIndex(({ header }) => header === sorting.header);
  const next = heads[(at + 1) % heads.length];
  return { header: next?.header ?? sorting.header, descending: next !== heads[0] && next?.align === 'right' };
}

/** What is not known comes last in both directions. */
function compareValues(a: SortValue, b: SortValue, descending: boolean): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b === descending ? 1 : -1;
}

/** The rows of the page that has the selected one. */
export function selectedPage(selected: number, size: number): { readonly start: number; readonly end: number } {
  const start = size < 1 ? 0 : Math.floor(selected / size) * size;
  return { start, end: start + size };
}
