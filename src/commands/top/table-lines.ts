import { grouped } from '../../format/count.ts';
import { cutOrFill } from '../../format/cut.ts';
import { sparkline } from '../../format/sparkline.ts';
import { paint, type Style } from '../../format/style.ts';
import { type Cell, type StyledCell, showCell } from '../../format/table.ts';
import { width } from '../../format/width.ts';
import { type Arranged, type ArrangedRow, type Head, selectedPage } from './arrange.ts';
import type { History, Series } from './history.ts';

/** What the terminal can show. */
export interface Drawing {
  readonly color: boolean;
  /** Whether characters beyond ASCII are drawn. */
  readonly unicode: boolean;
}

/** Where and how a table is drawn. */
export interface TablePlace extends Drawing {
  readonly columns: number;
  /** With the line of the headers. */
  readonly rows: number;
  readonly history: History;
  /** The index of the selected row; undefined: none. */
  readonly selected?: number;
}

/** A wide screen has two spaces between columns. */
const roomyColumns = 60;
/** The first column is not made narrower than this for others. */
const leastFirst = 14;
const longestSparkline = 60;
/** The marks of the selected row and of one with which something is wrong. */
const gutter = 2;

/** Paints text if colors are wanted. */
export function painted(style: Style, text: string, { color }: Pick<Drawing, 'color'>): string {
  return color && text !== '' ? paint(style, text) : text;
}

/** The mark of a text that was cut. */
export function ellipsisOf({ unicode }: Pick<Drawing, 'unicode'>): string {
  return unicode ? '…' : '~';
}

/** Draws a table: a line of headers, and the page of rows that has the selected one. Every line is exactly as wide as its place. */
export function tableLines(table: Arranged, place: TablePlace): readonly string[] {
  const { rows, selected = 0 } = place;
  const page = selectedPage(selected, Math.max(0, rows - 1));
  const shown = table.rows.slice(page.start, page.end);
  const grid = gridOf(table, shown, place);
  const lines = [headerLine(table, grid, place)];
  for (const [at, row] of shown.entries()) {
    lines.push(rowLine(row, { grid, isSelected: place.selected === page.start + at }, place));
  }
  return lines.slice(0, rows);
}

/** A column of the table that is drawn, with its width. */
interface GridColumn {
  readonly at: number;
  readonly head: Head;
  readonly width: number;
}

interface Grid {
  readonly columns: readonly GridColumn[];
  readonly gap: number;
}

function gridOf({ heads }: Arranged, shown: readonly ArrangedRow[], place: TablePlace): Grid {
  const gap = place.columns < roomyColumns ? 1 : 2;
  const available = place.columns - gutter;
  const natural = Math.max(
    (heads[0]?.header.length ?? 0) + 1,
    ...shown.map((row) => width(shownText(row.cell(0, place.history), 0, place))),
  );
  const others = heads.map((head, at) => ({ at, head, width: head.width ?? head.header.length + 1 })).slice(1);
  const fitting = keptColumns(others, available - Math.min(natural, leastFirst), gap);
  const rest = available - fitting.reduce((sum, column) => sum + column.width + gap, 0);
  // A sparkline takes what the first column does not need.
  const spark = fitting.find(({ head }) => head.header === 'TREND');
  const more = spark === undefined ? 0 : Math.max(0, Math.min(rest - natural, longestSparkline - spark.width));
  const [first] = heads;
  return {
    gap,
    columns: [
      ...(first === undefined ? [] : [{ at: 0, head: first, width: Math.max(0, rest - more) }]),
      ...fitting.map((column) => (column === spark ? { ...column, width: column.width + more } : column)),
    ],
  };
}

/** Leaves out columns by their rank until the rest fits. */
function keptColumns(columns: readonly GridColumn[], available: number, gap: number): readonly GridColumn[] {
  let fitting = columns;
  const total = (): number => fitting.reduce((sum, column) => sum + column.width + gap, 0);
  while (fitting.length > 0 && total() > available) {
    const highest = Math.max(...fitting.map(({ head }) => head.rank ?? 0));
    fitting = fitting.filter(({ head }) => (head.rank ?? 0) < highest);
  }
  return fitting;
}

function headerLine({ sorting, rows }: Arranged, { columns, gap }: Grid, place: TablePlace): string {
  const [down, up] = place.unicode ? ['▼', '▲'] : ['v', '^'];
  const texts = columns.map(({ head, at, width: columnWidth }) => {
    const arrow = head.header === sorting.header ? (sorting.descending ? down : up) : '';
    const label = `${head.header}${arrow}`;
    const isCut = at === 0 && place.selected === undefined && rows.length >= place.rows;
    const counted = isCut ? `${label}  ${place.rows - 1} of ${grouped(rows.length)}` : label;
    return cutOrFill(
      width(counted) > columnWidth ? label : counted,
      columnWidth,
      head.align ?? 'left',
      ellipsisOf(place),
    );
  });
  return painted('bold', joined(texts, gap, '  ', place.columns), place);
}

interface RowPlace {
  readonly grid: Grid;
  readonly isSelected: boolean;
}

function rowLine(row: ArrangedRow, { grid, isSelected }: RowPlace, place: TablePlace): string {
  const texts = grid.columns.map(({ at, head, width: columnWidth }) => {
    const cell = row.cell(at, place.history);
    const text = cutOrFill(shownText(cell, columnWidth, place), columnWidth, head.align ?? 'left', ellipsisOf(place));
    const style = isSelected ? undefined : styleOf(cell, at === 0 && row.isBad);
    return style === undefined ? text : painted(style, text, place);
  });
  const marks = `${isSelected ? '>' : ' '}${row.isBad ? '!' : ' '}`;
  const line = joined(texts, grid.gap, marks, place.columns);
  return isSelected ? painted('inverse', line, place) : line;
}

/** The cells of a line. A place that is narrower than the marks has only them. */
function joined(texts: readonly string[], gap: number, marks: string, columns: number): string {
  return columns <= gutter ? marks.slice(0, columns) : marks + texts.join(' '.repeat(gap));
}

function styleOf(cell: Cell | { readonly series: Series }, isBadName: boolean): Style | undefined {
  if (isBadName) return 'red';
  if (isSeries(cell)) return 'cyan';
  return isStyled(cell) ? cell.style : undefined;
}

function shownText(cell: Cell | { readonly series: Series }, columns: number, place: Drawing): string {
  return isSeries(cell) ? sparkline(cell.series, columns, place.unicode) : showCell(cell);
}

function isSeries(cell: Cell | { readonly series: Series }): cell is { readonly series: Series } {
  return typeof cell === 'object' && cell !== null && 'series' in cell;
}

function isStyled(cell: Cell | { readonly series: Series }): cell is StyledCell {
  return typeof cell === 'object' && cell !== null && 'style' in cell;
}
