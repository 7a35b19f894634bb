import { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { row, truth } from '../../../shape/shape.ts';

/** A maintenance mode that was turned on or off. */
export const changedMaintenance = row({
  ...MaintenanceState.fields,
  /** Whether this command has turned it. */
  changed: truth,
});

/** The state right after it was turned: how far the drain is has not been read. */
export function justTurned(id: number, enabled: boolean): MaintenanceState {
  return {
    id,
    enabled,
    finished: null,
    errors: null,
    partitions: null,
    eligible: null,
    transferring: null,
    failed: null,
  };
}

const headers = ['node id', 'enabled', 'finished', 'errors', 'partitions', 'eligible', 'transferring', 'failed'];

/** The maintenance mode of brokers as a table. */
export function maintenanceTable(rows: readonly MaintenanceState[], view: View): string {
  const cells = rows.map((one): Cell[] => [
    one.id,
    one.enabled,
    one.finished,
    one.errors === true ? healthCell('true', 'bad') : one.errors,
    one.partitions,
    one.eligible,
    one.transferring,
    one.failed,
  ]);
  return table(headers, cells, view);
}
