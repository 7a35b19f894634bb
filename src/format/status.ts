import type { ItemError } from '../errors.ts';
import { healthCell } from './style.ts';
import type { Cell } from './table.ts';

/** `CODE: text`, the text alone if it names the code, or `success`. */
export function statusText(error: ItemError | null, success = 'OK'): string {
  if (error === null) return success;
  return error.message.includes(`${error.code} (`) ? error.message : `${error.code}: ${error.message}`;
}

/** The same as a cell of a table, with errors in color. */
export function statusCell(error: ItemError | null, success = 'OK'): Cell {
  const text = statusText(error, success);
  return error === null ? text : healthCell(text, 'bad');
}
