import { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { healthCell } from '../../../format/style.ts';

/** `cluster maintenance status` */
export const status = listCommand({
  summary: 'Show the maintenance mode of every broker',
  description: `FINISHED is true when the broker leads no partition that another broker can lead. PARTITIONS counts those that it led
when the drain began, ELIGIBLE those of them with another replica, FAILED the transfers that did not succeed.`,
  examples: [
    ['All brokers', 'cluster maintenance status'],
    ['For a script', 'cluster maintenance status --format json'],
  ],
  apis: ['admin'],
  row: MaintenanceState,
  read: async (context) => (await context.admin()).maintenance(),
  columns: [
    ['node id', ({ id }) => id],
    'enabled',
    'finished',
    ['errors', ({ errors }) => (errors === true ? healthCell('true', 'bad') : errors)],
    'partitions',
    'eligible',
    'transferring',
    'failed',
  ],
});
