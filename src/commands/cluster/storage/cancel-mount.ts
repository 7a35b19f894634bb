import { isCanceled } from '../../../admin/storage/storage-words.ts';
import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { CliError, exitCodes, stoppedError } from '../../../errors.ts';
import { sending } from '../../interruption.ts';
import { asConflict } from '../member.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { migrationRow, readMigration, ShownMigration, waitUntilCanceled } from './migrations.ts';
import { migrationId } from './storage-kinds.ts';

/** `cluster storage cancel-mount` */
export const cancelMount = change({
  summary: 'Cancel a mount or unmount that has not finished',
  description: `The cluster undoes what it has done so far. One that has finished cannot be canceled (exit code 6): unmount or mount the
topic again. With --wait, waits until it is canceled; repeat the command with --wait to wait again.`,
  examples: [
    ['Wait until it is undone', 'cluster storage cancel-mount 11 --wait'],
    ['Show what would be canceled', 'cluster storage cancel-mount 11 --dry-run'],
  ],
  aliases: ['cancel-unmount'],
  apis: ['admin'],
  args: { id: one(migrationId, 'ID', 'id of the migration') },
  flags: waitFlags('it is canceled'),
  changes: 'alters',
  noun: 'migration',
  isOne: true,
  item: ShownMigration,
  async plan(context, { id, ...values }) {
    checkWait(values);
    const migration = await readMigration(context, id);
    if (migration.state === 'finished') throw finished(id);
    if (!isCanceled(migration)) return [migrationRow(migration)];
    context.notice(`migration ${id} is ${migration.state} already`);
    return [{ ...migrationRow(migration), status: 'NOT_NEEDED' }];
  },
  async applyEach(context, { id }) {
    const admin = await context.admin();
    sending(context, `canceling migration ${id}`, `weir cluster storage status-mount ${id}`);
    await admin.cancelMigration(id).catch(asConflict);
    const hints = [`wait for its end with: weir cluster storage cancel-mount ${id} --wait`];
    context.onInterrupt(stoppedError(`migration ${id} is being canceled`, hints, String(id)));
    return { state: 'canceling' };
  },
  async follow(context, migrations, { id, ...values }) {
    if (values.wait) return [migrationRow(await waitUntilCanceled(context, id, values))];
    if (migrations.some(({ state }) => state === 'canceling'))
      context.noticeAfter(`see how far it is with: weir cluster storage status-mount ${id}`);
    return migrations;
  },
  text: (migrations) => migrations.map(canceledText).join(''),
});

function canceledText({ id, state }: ShownMigration): string {
  // Only a dry run leaves it as it was.
  if (!state.startsWith('cancel')) return `Migration ${id} would be canceled; it is ${state}.\n`;
  return state === 'canceling' ? `Migration ${id} is being canceled.\n` : `Migration ${id} is canceled.\n`;
}

function finished(id: number): CliError {
  return new CliError(exitCodes.conflict, `unable to cancel migration ${id}: it has finished`, {
    code: 'MIGRATION_FINISHED',
    target: String(id),
  });
}
