import type { Migration } from '../../../admin/storage/storage-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, withHints } from '../../../errors.ts';
import { type WaitValues, waitFor } from '../waiting.ts';

/** Reads a mount or unmount. */
export async function readMigration(context: Context, id: number): Promise<Migration> {
  try {
    return await (await context.admin()).migration(id);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'NOT_FOUND') throw error;
    throw withHints(error, ['see the migrations with: weir cluster storage list-mount']);
  }
}

/** States in which a migration that does not advance by itself waits for somebody. */
const resting: readonly string[] = ['planned', 'prepared', 'executed'];

/** Waits until a mount or unmount is finished. */
export async function waitUntilFinished(context: Context, id: number, values: WaitValues): Promise<Migration> {
  const admin = await context.admin();
  return waitFor<Migration>(context, values, {
    what: `migration ${id}`,
    resumeWith: `weir cluster storage status-mount ${id} --wait`,
    show: ({ state }) => state,
    start: (options) =>
      admin.waitForMigration(id, {
        ...options,
        onProgress(migration) {
          if (migration.advances === false && resting.includes(migration.state))
            context.warnOnce(`migration ${id} does not advance by itself: it waits for another tool`);
          options.onProgress(migration);
        },
      }),
  });
}

/** Waits until a mount or unmount is canceled. */
export async function waitUntilCanceled(context: Context, id: number, values: WaitValues): Promise<Migration> {
  const admin = await context.admin();
  return waitFor<Migration>(context, values, {
    what: `the cancellation of migration ${id}`,
    resumeWith: `weir cluster storage cancel-mount ${id} --wait`,
    show: ({ state }) => state,
    start: (options) => admin.waitForCancel(id, options),
  });
}
