import type { Migration } from '../../../admin/storage/storage-rows.ts';
import { isCanceled } from '../../../admin/storage/storage-words.ts';
import { command, one } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError } from '../../../errors.ts';
import { maybe, row, string, truth, whole } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { asConflict } from '../member.ts';
import { checkWait, type WaitValues, waitFlags } from '../waiting.ts';
import { migrationRow, readMigration, ShownMigration, waitUntilCanceled } from './migrations.ts';
import { migrationId } from './storage-kinds.ts';

/** A mount or unmount that is canceled. */
const canceledMigration = row({
  ...ShownMigration.fields,
  id: maybe(whole),
  state: maybe(string),
  /** Whether this command has canceled it. */
  changed: truth,
});

/** `cluster storage cancel-mount` */
export const cancelMount = command({
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
  result: canceledMigration,
  async plan(context, { id, ...values }) {
    checkWait(values);
    const before = await readMigration(context, id);
    if (before.state === 'finished') throw finished(id);
    if (isCanceled(before)) context.notice(`migration ${id} is ${before.state} already`);
    return before;
  },
  dryRun: (_context, _values, before) => ({ ...migrationRow(before), changed: false }),
  async run(context, { id, ...values }, before) {
    const changed = !isCanceled(before);
    if (changed) await cancel(context, id);
    return { ...migrationRow(await after(context, before, { ...values, changed })), changed };
  },
  show: {
    text({ id, state }, _view, { dryRun }) {
      if (dryRun && !state?.startsWith('cancel')) return `Migration ${id} would be canceled; it is ${state}.\n`;
      return state === 'canceling' ? `Migration ${id} is being canceled.\n` : `Migration ${id} is canceled.\n`;
    },
  },
});

async function cancel(context: Context, id: number): Promise<void> {
  const admin = await context.admin();
  sending(context, `canceling migration ${id}`, `weir cluster storage status-mount ${id}`);
  try {
    await admin.cancelMigration(id);
  } catch (error) {
    throw asConflict(error);
  }
  const hints = [`wait for its end with: weir cluster storage cancel-mount ${id} --wait`];
  context.onInterrupt(stoppedError(`migration ${id} is being canceled`, hints, String(id)));
}

type AfterValues = WaitValues & { readonly changed: boolean };

async function after(context: Context, before: Migration, values: AfterValues): Promise<Migration> {
  if (values.wait) return waitUntilCanceled(context, before.id, values);
  if (before.state === 'canceling' || values.changed)
    context.noticeAfter(`see how far it is with: weir cluster storage status-mount ${before.id}`);
  return values.changed ? { ...before, state: 'canceling' } : before;
}

function finished(id: number): CliError {
  return new CliError(exitCodes.conflict, `unable to cancel migration ${id}: it has finished`, {
    code: 'MIGRATION_FINISHED',
    target: String(id),
  });
}
