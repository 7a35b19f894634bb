import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  type Schema,
  string,
} from '../../cli/output/schema.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { TrimRow } from '../../kafka/topics/trim.ts';

/** The JSON of `topic trim-prefix`. */
export const trimSchema: Schema = arrayOf(
  object({
    topic: string,
    partition: nullable(integerSchema),
    prior_start_offset: nullable(integerSchema),
    new_start_offset: nullable(integerSchema),
    dry_run: booleanSchema,
    error: itemErrorSchema,
  }),
);

/** The number of offsets that a plan removes. */
export function recordsIn(rows: readonly TrimRow[]): bigint {
  return rows.reduce((sum, { prior_start_offset: old, new_start_offset: start }) => {
    return old === null || start === null ? sum : sum + start - old;
  }, 0n);
}

/** The offsets before and after, with a column ERROR if a row has one. */
export function planText(rows: readonly TrimRow[], view: View): string {
  const withErrors = rows.some(({ error }) => error !== null);
  return table(
    ['topic', 'partition', 'prior start offset', 'new start offset', ...(withErrors ? ['error'] : [])],
    rows.map((row) => [
      ...[row.topic, row.partition, row.prior_start_offset, row.new_start_offset],
      ...(withErrors ? [errorCell(row)] : []),
    ]),
    view,
  );
}

/** What was done, in rpk's columns. */
export function resultText(rows: readonly TrimRow[], view: View): string {
  return table(
    ['topic', 'partition', 'new start offset', 'error'],
    rows.map((row) => [row.topic, row.partition, row.new_start_offset, errorCell(row)]),
    view,
  );
}

function errorCell({ error }: TrimRow): Cell {
  return statusCell(error, '-');
}
