import type { Context } from '../../context.ts';
import type { ItemError } from '../../errors.ts';
import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { count } from '../../format/count.ts';
import type { View } from '../../format/view.ts';
import type { SeekPlan, SoughtRow } from '../../kafka/group-admin/seek-rows.ts';

interface Move {
  readonly topic: string;
  readonly partition: number;
  readonly error: ItemError | null;
}

/** The result of a seek, with a column ERROR if a partition has one. */
export function soughtText(rows: readonly SoughtRow[], view: View): string {
  return moveTable(rows, ['current offset', (row) => row.current_offset], view);
}

/** What a seek would do, as if it had been done. */
export function plannedRows({ moves }: SeekPlan): SoughtRow[] {
  return moves.map(({ topic, partition, prior_offset, new_offset, error }) => ({
    ...{ topic, partition, prior_offset, current_offset: error === null ? new_offset : prior_offset, error },
  }));
}

/** The plan, as the question shows it. */
export function planText({ moves }: SeekPlan): string {
  return moveTable(moves, ['new offset', (row) => row.new_offset]);
}

function moveTable<T extends Move & { readonly prior_offset: bigint | null }>(
  rows: readonly T[],
  offset: Column<T>,
  view?: View,
): string {
  return columnTable(
    rows,
    [
      ['topic', ({ topic }) => topic],
      ['partition', ({ partition }) => partition],
      ['prior offset', (row) => row.prior_offset],
      offset,
      errorColumn(rows),
    ],
    view,
  );
}

/** Warns about offsets that are not in the log: consumers would begin where their auto.offset.reset says. */
export function warnOutside(context: Pick<Context, 'warn'>, { moves }: SeekPlan): void {
  const outside = moves.filter(({ new_offset: offset, log_start_offset: start, log_end_offset: end }) => {
    return offset !== null && ((start !== null && offset < start) || (end !== null && offset > end));
  });
  const [first] = outside;
  if (first === undefined) return;
  const { topic, partition, new_offset: offset, log_start_offset: start, log_end_offset: end } = first;
  const more = outside.length > 1 ? `, and ${count(outside.length - 1, 'other offset')} too` : '';
  context.warn(
    `offset ${offset} is outside the log of topic "${topic}" partition ${partition} (${start} to ${end})${more}`,
  );
}
