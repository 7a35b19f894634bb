import type { ItemError } from '../errors.ts';
import { healthCell } from './style.ts';
import type { Cell } from './table.ts';

/** `CODE: text`, or `success`. */
export function statusText(error: ItemError | null, success = 'OK'): string {
  return error === null ? success : `${error.code}: ${error.message}`;
}

/** The same as a cell of a table, with errors in colour. */
export function statusCell(error: ItemError | null, success = 'OK'): Cell {
  const text = statusText(error, success);
  return error === null ? text : healthCell(text, 'bad');
}
