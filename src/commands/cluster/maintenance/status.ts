import { command } from '../../../cli/command.ts';
import { arrayOf, object } from '../../../cli/output/schema.ts';
import { maintenanceFields, maintenanceTable } from './maintenance-text.ts';

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
  async run(context) {
    return await (await context.admin()).maintenance();
  },
  output: { schema: arrayOf(object(maintenanceFields)), text: maintenanceTable },
});
