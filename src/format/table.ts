import { createRequire } from 'node:module';
import { printable } from './printable.ts';
import { paint, type Style } from './style.ts';
import { plainView, type View } from './view.ts';
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
  | StyledCell;

/** Text with a style; the text alone carries the meaning. */
export interface StyledCell {
  readonly text: string;
  readonly style: Style;
}

const gap = 2;

/**
 * The width of the widest column. A longer cell only moves the rest of its own row: with one name of some megabytes,
 * the padding of all other rows would exhaust the memory.
 */
const widestColumn = 400;

/** The widest id that is kept whole on a narrow terminal: that of a member is a name and a UUID. */
const widestId = 48;

/** A longer text in the last column may be a path or a URL, whose words run on so that they can be copied. */
const longestName = 24;

/**
 * Lays out rows in columns two spaces apart, under upper-case headers without spaces. The last cell of a row is not
 * padded and does not affect the column width, so the rows of a nested table can start with an empty cell. On a
 * terminal that is too narrow, cells wrap; only ids stay whole, so that they can be copied.
 */
export function table(headers: readonly string[], rows: readonly (readonly Cell[])[], view: View = plainView): string {
  const head = headers.map(label);
  const whole = headers.map((name) => /(^|[ -])id$/i.test(name));
  return lines(view.noHeaders ? rows : [head, ...rows], view, whole);
}

/** Lays out a summary as names and values in two columns; the names look like table headers. */
export function pairs(rows: readonly (readonly [string, Cell])[], view: View = plainView): string {
  return lines(
    rows.map(([name, value]) => [label(name), value]),
    view,
  );
}

function label(name: string): string {
  return name.toUpperCase().replaceAll(' ', '-');
}

function lines(rows: readonly (readonly Cell[])[], view: View, whole: readonly boolean[] = []): string {
  const shown = rows.map((row) => row.map(showCell));
  const widths = columnWidths(shown);
  const fitted = view.columns === undefined ? undefined : fitWidths(shown, widths, { columns: view.columns, whole });
  return shown
    .flatMap((texts, at) => {
      const cells = rows[at] ?? [];
      if (fitted === undefined) return [line(texts, cells, widths, view)];
      return wrapRow(texts, fitted).map((pieces) => line(pieces, cells, fitted, view));
    })
    .map((text) => `${text}\n`)
    .join('');
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

/** The reduced widths of all columns, including the last; undefined if the rows already fit or cannot be made to. */
function fitWidths(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { columns, whole }: { readonly columns: number; readonly whole: readonly boolean[] },
): readonly number[] | undefined {
  const last = widths.length;
  // The last cell of a shorter row, for example the title of a nested table, does not belong to a column.
  const lastWidth = rows.reduce(
    (widest, row) => (row.length === last + 1 ? Math.max(widest, width(row[last] ?? '')) : widest),
    0,
  );
  const available = columns - gap * last;
  const natural = [...widths, Math.min(lastWidth, widestColumn)];
  if (natural.reduce((sum, size) => sum + size, 0) <= available) return undefined;
  // The last column does not count: a long word in it runs on.
  const words = widths.map((_, column) => longestWord(rows.map((row) => (row.length > column + 1 ? row[column] : ''))));
  const kept = natural.map((size, column) => whole[column] === true && size <= widestId);
  return fitColumns(natural, available, words, kept);
}

/** The width of the longest word, except in texts of many pages. */
function longestWord(texts: readonly (string | undefined)[]): number {
  return texts.reduce((longest, text = '') => {
    if (text.length <= longest || text.length > longestMeasured) return longest;
    return Math.max(longest, ...text.split(' ').map(width));
  }, 0);
}

/** The lines of one row with its cells wrapped, except texts of many pages; shorter cells are followed by empty text. */
function wrapRow(texts: readonly string[], widths: readonly number[]): readonly (readonly string[])[] {
  const wrapped = texts.map((text, column) => {
    const isEnd = column === texts.length - 1;
    if ((isEnd && texts.length < widths.length) || text.length > longestMeasured) return [text];
    const breaksWords = !isEnd || text.length <= longestName;
    return wrapLine(text, widths[column] ?? 0, { measure: width, breaksWords });
  });
  const height = Math.max(1, ...wrapped.map((pieces) => pieces.length));
  return Array.from({ length: height }, (_, at) => wrapped.map((pieces) => pieces[at] ?? ''));
}

function line(texts: readonly string[], cells: readonly Cell[], widths: readonly number[], view: View): string {
  const last = texts.length - 1;
  return texts
    .map((text, column) => {
      const shown = view.color && text !== '' ? styled(text, cells[column]) : text;
      return column === last ? shown : shown + ' '.repeat(Math.max(gap, (widths[column] ?? 0) + gap - width(text)));
    })
    .join('')
    .trimEnd();
}

/** Renders a cell on one line, with control characters escaped so that names cannot control the terminal. */
export function showCell(cell: Cell): string {
  if (cell === undefined || cell === null) return '-';
  if (Array.isArray(cell)) return `[${cell.map((item) => printable(String(item))).join(' ')}]`;
  return printable(isStyled(cell) ? cell.text : String(cell));
}

function isStyled(cell: Cell): cell is StyledCell {
  return typeof cell === 'object' && cell !== null && 'style' in cell;
}

function styled(text: string, cell: Cell): string {
  return isStyled(cell) ? paint(cell.style, text) : text;
}

const ascii = /^[\u0020-\u007e]*$/;

// Loading the Unicode tables takes as long as starting Node.js, and few tables need them.
const load = createRequire(import.meta.url);
let measure: ((text: string) => number) | undefined;

const longestMeasured = 10_000;

/**
 * The width of printable text in terminal columns; CJK characters and emoji take two. Text that is longer than any
 * line has its number of characters as its width, because measuring a megabyte of emoji takes seconds.
 */
export function width(text: string): number {
  if (text.length > longestMeasured || ascii.test(text)) return text.length;
  measure ??= (load('string-width') as typeof import('string-width')).default;
  return measure(text);
}
