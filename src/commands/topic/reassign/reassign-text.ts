import { changeCell } from '../../../format/columns.ts';
import { showSize } from '../../../format/size.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type {
  PlannedRow,
  ReassignedRow,
  ReassignmentRow,
} from '../../../kafka/cluster/topics/reassignment/reassignment-rows.ts';

const planHeaders = ['topic', 'partition', 'old replicas', 'new replicas'];

/** The replicas before and after. */
export function planText(rows: readonly PlannedRow[], view: View): string {
  return table(
    planHeaders,
    rows.map((row) => [row.topic, row.partition, row.old_replicas, row.new_replicas]),
    view,
  );
}

/** The same with what became of each partition. */
export function reassignedText(rows: readonly ReassignedRow[], view: View): string {
  return table(
    [...planHeaders, 'status'],
    rows.map((row) => [row.topic, row.partition, row.old_replicas, row.new_replicas, changeCell(row)]),
    view,
  );
}

/** The reassignments in progress. */
export function reassignmentText(rows: readonly ReassignmentRow[], view: View): string {
  return table(
    ['topic', 'partition', 'replicas', 'adding', 'removing', 'copied'],
    rows.map((row) => [row.topic, row.partition, row.replicas, row.adding, row.removing, copiedCell(row)]),
    view,
  );
}

function copiedCell({ copied_bytes: copied, total_bytes: total }: ReassignmentRow): Cell {
  if (copied === null || total === null) return null;
  return `${showSize(Number(copied))} of ${showSize(Number(total))}`;
}
