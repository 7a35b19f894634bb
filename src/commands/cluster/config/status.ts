import { ConfigStatus } from '../../../admin/config-rows.ts';
import { command } from '../../../cli/command.ts';
import { listOf } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { waitForVersion } from './apply.ts';
import { statusTable } from './change-text.ts';

/** `cluster config status` */
export const status = command({
  summary: 'Show the version of the configuration on each broker, and who needs a restart',
  description: `NEEDS-RESTART is true while a changed property waits for a restart of the broker. INVALID and UNKNOWN list properties
whose values a broker does not accept, or that it does not know because its version is another one.

With --wait, waits until every broker has the latest version. Ctrl-C and --wait-timeout end only the wait.`,
  examples: [
    ['All brokers', 'cluster config status'],
    ['Wait for a change to reach every broker', 'cluster config status --wait --wait-timeout 1m'],
    ['For a script', 'cluster config status --format json'],
  ],
  apis: ['admin'],
  flags: waitFlags('every broker has the latest version'),
  changes: 'reads',
  result: listOf(ConfigStatus),
  async run(context, values) {
    checkWait(values);
    if (values.wait) return await waitForVersion(context, undefined, values);
    return await (await context.admin()).configStatus();
  },
  show: {
    text: statusTable,
  },
});
