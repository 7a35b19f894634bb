import { ConfigStatus } from '../../../admin/config-rows.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { printable } from '../../../format/printable.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { waitForVersion } from './apply.ts';

/** `cluster config status` */
export const status = listCommand({
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
  row: ConfigStatus,
  async read(context, values) {
    checkWait(values);
    if (values.wait) return await waitForVersion(context, undefined, values);
    return await (await context.admin()).configStatus();
  },
  columns: [
    ['node', ({ id }) => id],
    'config_version',
    'needs_restart',
    ['invalid', ({ invalid }) => invalid.map(printable)],
    ['unknown', ({ unknown }) => unknown.map(printable)],
  ],
});
