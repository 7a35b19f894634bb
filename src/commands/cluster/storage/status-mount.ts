import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { checkWait, waitFlags } from '../wait.ts';
import {
  migrationColumns,
  migrationRow,
  readMigration,
  ShownMigration,
  waitUntilFinished,
  wideMigrationColumns,
} from './migrations.ts';
import { migrationId } from './storage-kinds.ts';

/** `cluster storage status-mount` */
export const statusMount = getCommand({
  summary: 'Show how far a mount or unmount is',
  description: `The states are planned, preparing, prepared, executing, executed, cut_over and finished. One that is being canceled is
canceling.

With --wait, waits until it is finished; fails (exit code 6) if it is canceled. Ctrl-C and --wait-timeout end only the wait.`,
  examples: [
    ['Once', 'cluster storage status-mount 11'],
    ['Wait until it is finished', 'cluster storage status-mount 11 --wait'],
  ],
  aliases: ['status-unmount'],
  apis: ['admin'],
  args: { id: one(migrationId, 'ID', 'id of the migration') },
  flags: waitFlags('it is finished'),
  row: ShownMigration,
  async read(context, { id, ...values }) {
    checkWait(values);
    // Before a wait too: only one that was started just now has the time to show.
    const migration = await readMigration(context, id);
    return migrationRow(values.wait ? await waitUntilFinished(context, id, values) : migration);
  },
  columns: migrationColumns,
  wide: wideMigrationColumns,
});
