import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import type { Migration } from './storage-rows.ts';
import { isCanceled } from './storage-words.ts';

type ReadMigration = (id: number) => Promise<Migration>;

/** How many polls a node may take to learn of a migration that another one has accepted. */
const mostLate = 5;

/** The waits for mounts and unmounts. */
export function createMigrationWaits(migration: ReadMigration, parts: PollParts) {
  return {
    /**
     * Polls until a mount or unmount is finished.
     * @throws CliError (exit 6) if it is canceled, (exit 3) if it is deleted, (exit 5) on a timeout
     */
    async waitForMigration(id: number, options: WaitOptions<Migration>) {
      let late = 0;
      let isSeen = false;
      const last = await poll({
        ...parts,
        ...options,
        what: `migration ${id}`,
        async read() {
          const state = await readIfThere(migration, id);
          late += 1;
          isSeen ||= state !== undefined;
          if (state === undefined && (isSeen || late > mostLate)) throw gone(id);
          if (state !== undefined && isCanceled(state))
            throw ended(`migration ${id} was canceled`, 'MIGRATION_CANCELED', id);
          return state;
        },
        isDone: (state) => state?.state === 'finished',
        onProgress: (state) => state && options.onProgress(state),
      });
      if (last === undefined) throw gone(id);
      return last;
    },
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
          const state = await readIfThere(migration, id);
          if (state === undefined) throw gone(id);
          if (state.state === 'finished')
            throw ended(`migration ${id} finished before it was canceled`, 'MIGRATION_FINISHED', id);
          return state;
        },
        isDone: ({ state }) => state === 'cancelled' || state === 'canceled',
      }),
  };
}

async function readIfThere(read: ReadMigration, id: number): Promise<Migration | undefined> {
  const migration = await read(id).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  });
  return migration?.state === 'deleted' ? undefined : migration;
}

function gone(id: number): CliError {
  return notFoundError(`migration ${id} does not exist`, {
    target: String(id),
    hints: ['see the migrations with: weir cluster storage list-mount'],
  });
}

function ended(message: string, code: string, id: number): CliError {
  return new CliError(exitCodes.conflict, message, { code, target: String(id) });
}
