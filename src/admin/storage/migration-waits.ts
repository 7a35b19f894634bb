import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import type { Migration } from './storage-rows.ts';
import { isCanceled } from './storage-words.ts';

type ReadMigration = (id: number) => Promise<Migration>;

/** The waits for mounts and unmounts. */
export function createMigrationWaits(migration: ReadMigration, parts: PollParts) {
  return {
    /**
     * Polls until a mount or unmount is finished.
     * @throws CliError (exit 6) if it is canceled, (exit 3) if it is deleted, (exit 5) on a timeout
     */
    waitForMigration: (id: number, options: WaitOptions<Migration>) =>
      poll({
        ...parts,
        ...options,
        what: `migration ${id}`,
        async read() {
          const state = await readOrGone(migration, id);
          if (isCanceled(state)) throw ended(`migration ${id} was canceled`, 'MIGRATION_CANCELED', id);
          return state;
        },
        isDone: ({ state }) => state === 'finished',
      }),
    /**
     * Polls until a mount or unmount is canceled.
     * @throws CliError (exit 6) if it has finished instead, (exit 5) on a timeout
     */
    waitForCancel: (id: number, options: WaitOptions<Migration>) =>
      poll({
        ...parts,
        ...options,
        what: `the cancellation of migration ${id}`,
        async read() {
          const state = await readOrGone(migration, id);
          if (state.state === 'finished')
            throw ended(`migration ${id} finished before it was canceled`, 'MIGRATION_FINISHED', id);
          return state;
        },
        isDone: ({ state }) => state === 'cancelled' || state === 'canceled',
      }),
  };
}

async function readOrGone(read: ReadMigration, id: number): Promise<Migration> {
  const migration = await read(id).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  });
  if (migration !== undefined && migration.state !== 'deleted') return migration;
  throw notFoundError(`migration ${id} does not exist`, {
    target: String(id),
    hints: ['see the migrations with: weir cluster storage list-mount'],
  });
}

function ended(message: string, code: string, id: number): CliError {
  return new CliError(exitCodes.conflict, message, { code, target: String(id) });
}
