import { CliError, exitCodes } from '../../errors.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { type PollParts, poll, type WaitOptions } from '../../net/poll.ts';
import { mustExist } from '../client/answer-error.ts';
import { type Api, calls } from '../client/api.ts';
import { RestoreState } from './storage-rows.ts';
import { isFailed, isOver, isRestoring } from './storage-words.ts';

const path = pathOf`/v1/cloud_storage/automated_recovery`;

const readState = calls.get('read how far the restore is', path, RestoreState, { to: 'leader' });

/** How many polls a new leader may take to show a restore that has started. */
const mostLate = 2;

/** The calls about restores of the cluster from object storage. */
export function createRestoreCalls(api: Api, parts: PollParts) {
  const state = () => mustExist(api.call(readState), 'restoring a cluster');
  return {
    /** How far the restore is. */
    restoreState: state,
    /**
     * Starts to restore the cluster from object storage.
     * @param from the UUID of the lost cluster (since 25.3.3; default: the last one that has used the bucket)
     * @throws ApiError (409, exit 6) if a restore is running
     */
    async startRestore(from?: string) {
      const body = from === undefined ? {} : { body: { cluster_uuid_override: from } };
      try {
        await api.call(calls.post('start the restore', path, { to: 'leader', ...body }));
      } catch (error) {
        // The request may have arrived. It is not repeated: a restore that was quick would run again.
        if (!isDoubtful(error) || !(await isActive(state))) throw error;
      }
    },
    /**
     * Polls until no restore is running.
     * @throws CliError (exit 1) if it has failed, (exit 5) on a timeout
     */
    async waitForRestore(options: WaitOptions<RestoreState>) {
      let late = 0;
      return await poll({
        ...parts,
        ...options,
        what: 'the restore',
        async read() {
          const status = await state();
          late = isRestoring(status) ? mostLate : late + 1;
          // Until then it may be the end of an earlier one.
          if (isFailed(status) && late > mostLate) throw failed(status);
          return status;
        },
        isDone: (status) => isOver(status) && late > mostLate,
      });
    },
  };
}

function isDoubtful(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.unreachable;
}

async function isActive(read: () => Promise<RestoreState>): Promise<boolean> {
  const state = await read().catch(() => undefined);
  return state !== undefined && isRestoring(state);
}

function failed({ reason, topics }: RestoreState): CliError {
  const names = topics.filter((one) => one.failed > 0).map((one) => `"${one.topic}"`);
  const lost = names.length === 0 ? [] : [`partitions of ${names.join(', ')} were not downloaded`];
  const reasons = [...(reason === null ? [] : [reason]), ...lost];
  return new CliError(
    exitCodes.failure,
    `the restore has failed: ${reasons.join('; ') || 'the server gave no reason'}`,
    {
      code: 'RESTORE_FAILED',
    },
  );
}
