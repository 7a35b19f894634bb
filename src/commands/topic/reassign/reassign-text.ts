import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  type Schema,
  string,
  wordOf,
} from '../../../cli/output/schema.ts';
import { showSize } from '../../../format/size.ts';
import { statusCell } from '../../../format/status.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import type {
  PlannedRow,
  ReassignedRow,
  ReassignmentRow,
} from '../../../kafka/topics/reassignment/reassignment-rows.ts';

const places = { topic: string, partition: integerSchema };
const brokers = arrayOf(integerSchema);

/** The JSON of `topic reassign plan`. */
export const planSchema: Schema = arrayOf(object({ ...places, old_replicas: brokers, new_replicas: brokers }));

/** The JSON of the commands that start and cancel reassignments. */
export const reassignedSchema: Schema = arrayOf(
  object({
    ...places,
    old_replicas: brokers,
    new_replicas: brokers,
    status: wordOf('OK', 'NOT_NEEDED', 'ERROR'),
    dry_run: booleanSchema,
    error: itemErrorSchema,
  }),
);

/** The JSON of `topic reassign list`. */
export const reassignmentSchema: Schema = arrayOf(
  object({
    ...places,
    replicas: brokers,
    adding: brokers,
    removing: brokers,
    copied_bytes: nullable(integerSchema),
    total_bytes: nullable(integerSchema),
  }),
);

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
    rows.map((row) => [row.topic, row.partition, row.old_replicas, row.new_replicas, statusOf(row)]),
    view,
  );
}

function statusOf({ status, dry_run: isDryRun, error }: ReassignedRow): Cell {
  return statusCell(error, isDryRun && status === 'OK' ? 'OK (dry run)' : status);
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
