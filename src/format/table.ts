import { cut } from './cut.ts';
import { printable } from './printable.ts';
import { paint, type Style } from './style.ts';
import { plainView, type View } from './view.ts';
import { longestMeasured, width } from './width.ts';
import { fitColumns, wrapLine } from './wrap.ts';

/** A value in a table; undefined and null are shown as `-`, lists as `[a b c]`. */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | undefined
  | null
  | readonly (string | number | bigint)[]
  | StyledCell
  | IdCell;

/** Text with a style; the text alone carries the meaning. */
export interface StyledCell {
  readonly text: string;
  readonly style: Style;
}

/** A long id that tells rows apart; its end is cut off where the terminal is too narrow for the table. */
export interface IdCell {
  readonly id: string;
}

const gap = 2;

/**
 * The width of the widest column. A longer cell only moves the rest of its own row: with one name of some megabytes,
 * the padding of all other rows would exhaust the memory.
 */
const widestColumn = 400;

/** How many columns a text of several words keeps in a table, if a block would give it more. */
const narrowestText = 16;

/** How many columns an id keeps if its end is cut off. */
const shortestId = 12;

/**
 * Lays out rows in columns two spaces apart, under upper-case headers without spaces. The last cell of a row is not
 * padded and does not affect the column width, so the rows of a nested table can start with an empty cell.
 *
 * On a terminal that is too narrow, ids are cut, cells wrap at spaces and headers after hyphens, never inside a word, so that names
 * and addresses can be copied, and one space is between the columns if that helps. A cell whose word is wider than its
 * column takes the rest of its line, and the row goes on in the next one. If that would happen to most rows, each row
 * becomes a block of headers and values, with whole ids.
 */
export function table(headers: readonly string[], rows: readonly (readonly Cell[])[], view: View = plainView): string {
  if (view.noHeaders) return lines(rows, view);
  const head = headers.map(label);
  const hasBlocks = rows.length > 0 && rows.every(({ length }) => length === head.length);
  if (view.columns === undefined || !hasBlocks) return lines([head, ...rows], view, { hasHead: true });
  const blockRoom = view.columns - gap - widestOf(head);
  return lines([head, ...rows], view, { hasHead: true, blockRoom, otherwise: () => blocks(head, rows, view) });
}

/** Each row as headers and values under each other, without the empty cells. */
function blocks(head: readonly string[], rows: readonly (readonly Cell[])[], view: View): string {
  const labels = head.map((name) => name.padEnd(widestOf(head)));
  return rows
    .map((row) => {
      const named = row.map((cell, at) => [labels[at] ?? '', cell] as const);
      return lines(
        named.filter(([, cell]) => showCell(cell) !== ''),
        view,
      );
    })
    .join('\n');
}

function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, width(text)), 0);
}

/** Lays out a summary as names and values in two columns; the names look like table headers. */
export function pairs(rows: readonly (readonly [string, Cell])[], view: View = plainView): string {
  return lines(
    rows.map(([name, value]) => [label(name), value]),
    view,
  );
}

function label(name: string): string {
  return name.toUpperCase().replace(/[ _]/g, '-');
}

/** What is known of rows beside their cells. */
interface Layout {
  /** Whether the first row has the headers. */
  readonly hasHead?: boolean;
  /** The longest word of a last cell that `otherwise` would show on one line. */
  readonly blockRoom?: number;
  /** What to show if most rows do not fit (default: the rows as they are, whose lines run on). */
  readonly otherwise?: () => string;
}

/** The widths of columns and the spaces between them. */
interface Grid {
  readonly widths: readonly number[];
  readonly gap: number;
}

function lines(rows: readonly (readonly Cell[])[], view: View, layout: Layout = {}): string {
  const whole = rows.map((row) => row.map(showCell));
  const short = view.columns === undefined ? whole : cutIds(rows, whole, view.columns);
  const natural = { widths: columnWidths(short), gap };
  const fitted =
    view.columns === undefined ? 'fits' : fitGrid(short, natural.widths, { ...layout, columns: view.columns });
  if (fitted === undefined && layout.otherwise !== undefined) return layout.otherwise();
  const [shown, grid] = fitted === undefined ? [whole, { widths: columnWidths(whole), gap }] : [short, natural];
  return shown
    .flatMap((texts, at) => {
      const cells = rows[at] ?? [];
      if (fitted === undefined || fitted === 'fits') return [line(texts, cells, grid, view)];
      const isHead = at === 0 && layout.hasHead === true;
      return wrapRow(texts, fitted.widths, isHead).map((pieces) => line(pieces, cells, fitted, view));
    })
    .map((text) => `${text}\n`)
    .join('');
}

/** The texts of the rows with shorter ids if they are too wide together; the last column is left as it is. */
function cutIds(
  rows: readonly (readonly Cell[])[],
  texts: readonly (readonly string[])[],
  columns: number,
): readonly (readonly string[])[] {
  const widths = columnWidths(texts);
  const last = widths.length;
  const total = widths.reduce((sum, size) => sum + size + gap, widestOf(texts.map((row) => row[last] ?? '')));
  if (total <= columns) return texts;
  return texts.map((row, at) =>
    row.map((text, column) => {
      if (column === last || !isId(rows[at]?.[column])) return text;
      return cut(text, Math.max(shortestId, (widths[column] ?? 0) - (total - columns)));
    }),
  );
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (let column = 0; column < row.length - 1; column++) {
      widths[column] = Math.max(widths[column] ?? 0, Math.min(width(row[column] ?? ''), widestColumn));
    }
  }
  return widths;
}

/**
 * The reduced widths of all columns, including the last: at most half of the rows have a word that is wider than its
 * column. The gap is one space where that is necessary. Undefined if the rows cannot be made to fit.
 */
function fitGrid(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { columns, hasHead = false, blockRoom: longest = 0 }: Layout & { readonly columns: number },
): Grid | 'fits' | undefined {
  const last = widths.length;
  // The last cell of a shorter row, for example the title of a nested table, does not belong to a column.
  const inColumns = rows.map((row) => (row.length === last + 1 ? row : row.slice(0, -1)));
  const lastWidth = widestOf(inColumns.map((row) => row[last] ?? ''));
  const natural = [...widths, Math.min(lastWidth, widestColumn)];
  if (natural.reduce((sum, size) => sum + size, 0) <= columns - gap * last) return 'fits';
  // Where a text has no more room in another form, it may become as narrow as necessary.
  const leastText = Math.min(narrowestText, Math.max(longest, 0));
  const measured = inColumns.map((row, at) =>
    row.map((text) => (at === 0 && hasHead ? measureHeader(text) : measureCell(text, leastText))),
  );
  // A word in the last column runs on if it would do so in any case.
  const words = measured.map((row) => row.map(({ word }, column) => (column === last && word > longest ? 0 : word)));
  const texts = natural.map((_, column) => Math.max(0, ...new Set(measured.map((row) => row[column]?.text ?? 0))));
  const most = (rows.length - (hasHead ? 1 : 0)) / 2;
  for (const between of [gap, 1]) {
    const fitted = fitColumns({ natural, words, texts, available: columns - between * last });
    const wider = words.filter((row) => row.some((word, column) => word > (fitted?.[column] ?? 0)));
    if (fitted !== undefined && wider.length <= most) return { widths: fitted, gap: between };
  }
  return undefined;
}

/** The width of the longest word of a cell, and the least one of its column in any case. */
interface Measured {
  readonly word: number;
  readonly text: number;
}

function measureHeader(text: string): Measured {
  return { word: 0, text: widestOf(headerParts(text)) };
}

function measureCell(text: string, leastText: number): Measured {
  if (text.length > longestMeasured) return { word: text.length, text: 0 };
  const words = text.split(' ');
  return { word: widestOf(words), text: words.length > 1 ? Math.min(width(text), leastText) : 0 };
}

/** The lines of one row with its cells wrapped, except texts of many pages. */
function wrapRow(texts: readonly string[], widths: readonly number[], isHead: boolean): readonly (readonly string[])[] {
  const wrapped: string[][] = [];
  let start = 0;
  for (const [column, text] of texts.entries()) {
    const isEnd = column === texts.length - 1;
    const columns = widths[column] ?? 0;
    const isWhole = (isEnd && texts.length < widths.length) || text.length > longestMeasured;
    const wrap = isHead ? wrapHeader : wrapLine;
    const pieces = isWhole ? [text] : wrap(text, columns, width);
    for (const [at, piece] of pieces.entries()) {
      const cells = wrapped[start + at] ?? texts.map(() => '');
      cells[column] = piece;
      wrapped[start + at] = cells;
    }
    // The cells after a word that is wider than its column go on under it.
    if (!isEnd && widestOf(pieces) > columns) start = wrapped.length;
  }
  return wrapped;
}

function headerParts(header: string): readonly string[] {
  return header.split(/(?<=-)/);
}

/** The lines of a header, which ends a line only after a hyphen. */
function wrapHeader(header: string, columns: number): readonly string[] {
  const wrapped: string[] = [];
  for (const part of headerParts(header)) {
    const started = wrapped.pop() ?? '';
    if (started === '' || width(started + part) <= columns) wrapped.push(started + part);
    else wrapped.push(started, part);
  }
  return wrapped;
}

function line(texts: readonly string[], cells: readonly Cell[], grid: Grid, view: View): string {
  const last = texts.length - 1;
  return texts
    .map((text, column) => {
      const shown = view.color && text !== '' ? styled(text, cells[column]) : text;
      if (column === last) return shown;
      return shown + ' '.repeat(Math.max(grid.gap, (grid.widths[column] ?? 0) + grid.gap - width(text)));
    })
    .join('')
    .trimEnd();
}

/** Renders a cell on one line, with control characters escaped so that names cannot control the terminal. */
export function showCell(cell: Cell): string {
  if (cell === undefined || cell === null) return '-';
  if (Array.isArray(cell)) return `[${cell.map((item) => printable(String(item))).join(' ')}]`;
  if (isId(cell)) return printable(cell.id);
  return printable(isStyled(cell) ? cell.text : String(cell));
}

function isStyled(cell: Cell): cell is StyledCell {
  return typeof cell === 'object' && cell !== null && 'style' in cell;
}

function isId(cell: Cell): cell is IdCell {
  return typeof cell === 'object' && cell !== null && 'id' in cell;
}

function styled(text: string, cell: Cell): string {
  return isStyled(cell) ? paint(cell.style, text) : text;
}
