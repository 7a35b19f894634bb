import type { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { booleanSchema, integerSchema, nullable } from '../../../cli/output/schema.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';

/** The JSON of the maintenance mode of a broker. */
export const maintenanceFields = {
  id: integerSchema,
  enabled: booleanSchema,
  finished: nullable(booleanSchema),
  errors: nullable(booleanSchema),
  partitions: nullable(integerSchema),
  eligible: nullable(integerSchema),
  transferring: nullable(integerSchema),
  failed: nullable(integerSchema),
};

/** A maintenance mode that was turned on or off. */
export interface ChangedMaintenance extends MaintenanceState {
  /** Whether this command has turned it. */
  readonly changed: boolean;
  readonly dry_run?: true;
}

const headers = ['node id', 'enabled', 'finished', 'errors', 'partitions', 'eligible', 'transferring', 'failed'];

/** The maintenance mode of brokers as a table. */
export function maintenanceTable(rows: readonly MaintenanceState[], view: View): string {
  const cells = rows.map((row): Cell[] => [
    ...[row.id, row.enabled, row.finished],
    row.errors === true ? healthCell('true', 'bad') : row.errors,
    ...[row.partitions, row.eligible, row.transferring, row.failed],
  ]);
  return table(headers, cells, view);
}
