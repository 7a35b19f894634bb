import { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { maintenanceTable } from './maintenance-text.ts';

/** `cluster maintenance status` */
export const status = command({
  summary: 'Show the maintenance mode of every broker',
  description: `FINISHED is true when the broker leads no partition that another broker can lead. PARTITIONS counts those that it led
when the drain began, ELIGIBLE those of them with another replica, FAILED the transfers that did not succeed.`,
  examples: [
    ['All brokers', 'cluster maintenance status'],
    ['For a script', 'cluster maintenance status --format json'],
  ],
  apis: ['admin'],
  changes: 'reads',
  result: listOf(MaintenanceState),
  async run(context) {
    return await (await context.admin()).maintenance();
  },
  show: { text: maintenanceTable },
});
