import { createRequire } from 'node:module';
import { printable } from './printable.ts';
import { paint, type Style } from './style.ts';
import { plainView, type View } from './view.ts';

/** A value in a table; undefined and null show as `-`, lists as `[a b c]`. */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | undefined
  | null
  | readonly (string | number | bigint)[]
  | StyledCell;

/** Text with a style, which never carries the meaning alone. */
export interface StyledCell {
  readonly text: string;
  readonly style: Style;
}

const gap = 2;

/**
 * Lays rows out in columns two spaces apart under upper-case headers without spaces. The last cell of
 * a row is neither padded nor counted, so a nested table may start its rows with an empty cell.
 */
export function table(headers: readonly string[], rows: readonly (readonly Cell[])[], view: View = plainView): string {
  const head = headers.map((header) => header.toUpperCase().replaceAll(' ', '-'));
  return lines(view.noHeaders ? rows : [head, ...rows], view);
}

/** Lays out names and values in two columns without a header row, for summaries. */
export function pairs(rows: readonly (readonly [string, Cell])[], view: View = plainView): string {
  return lines(rows, view);
}

function lines(rows: readonly (readonly Cell[])[], view: View): string {
  const shown = rows.map((row) => row.map(showCell));
  const widths = columnWidths(shown);
  return shown.map((texts, at) => `${line(texts, rows[at] ?? [], widths, view)}\n`).join('');
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (let column = 0; column < row.length - 1; column++) {
      widths[column] = Math.max(widths[column] ?? 0, width(row[column] ?? ''));
    }
  }
  return widths;
}

function line(texts: readonly string[], cells: readonly Cell[], widths: readonly number[], view: View): string {
  const last = texts.length - 1;
  const padding = texts.map((text, column) =>
    column === last ? '' : ' '.repeat((widths[column] ?? 0) + gap - width(text)),
  );
  const plain = texts
    .map((text, column) => text + padding[column])
    .join('')
    .trimEnd();
  if (view.columns !== undefined && width(plain) > view.columns) return cut(plain, view.columns);
  if (!view.color) return plain;
  return texts
    .map((text, column) => styled(text, cells[column]) + padding[column])
    .join('')
    .trimEnd();
}

/** A cell as text: one line, control characters made visible so that names cannot drive the terminal. */
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

// Loading the tables of Unicode takes as long as starting Node, and few tables need them.
const load = createRequire(import.meta.url);
let measure: ((text: string) => number) | undefined;

/** Terminal columns that printable text takes: CJK and emoji take two. */
export function width(text: string): number {
  if (ascii.test(text)) return text.length;
  measure ??= (load('string-width') as typeof import('string-width')).default;
  return measure(text);
}

/** Cuts one plain line to `columns`, ending it with `…`. */
function cut(text: string, columns: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    const size = width(character);
    if (used + size > columns - 1) break;
    kept += character;
    used += size;
  }
  return `${kept}…`;
}
