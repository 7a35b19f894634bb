import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { fieldsOf } from '../../net/json.ts';
import { poll } from '../../net/poll.ts';
import type { RetryWorld } from '../../net/retry.ts';
import { mustExist } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { listIn, needText, numberOr, textOrNull } from '../client/read.ts';
import { isFailed, isOver, isRestoring } from './restore-state.ts';
import type { RestoredTopic, RestoreState, StorageCalls } from './storage-rows.ts';

const path = '/v1/cloud_storage/automated_recovery';

/** How many polls a new leader may take to show a restore that has started. */
const mostLate = 2;

/** The calls about restores of the cluster from object storage. */
export function openRestoreCalls(
  api: Api,
  parts: { readonly deadline: Deadline; readonly world: RetryWorld },
): Pick<StorageCalls, 'startRestore' | 'restoreState' | 'waitForRestore'> {
  const restoreState = () =>
    mustExist(
      api.call({ doing: 'read how far the restore is', method: 'GET', path, to: 'leader', read: readState }),
      'restoring a cluster',
    );
  return {
    restoreState,
    async startRestore() {
      try {
        await api.call({ doing: 'start the restore', method: 'POST', path, to: 'leader', read: () => undefined });
      } catch (error) {
        // The request may have arrived. It is not repeated: a restore that was quick would run again.
        if (!isDoubtful(error) || !(await isActive(restoreState))) throw error;
      }
    },
    waitForRestore(options) {
      let late = 0;
      return poll({
        ...{ ...parts, ...options, what: 'the restore' },
        async read() {
          const state = await restoreState();
          late = isRestoring(state) ? mostLate : late + 1;
          // Until then it may be the end of an earlier one.
          if (isFailed(state) && late > mostLate) throw failed(state);
          return state;
        },
        isDone: (state) => isOver(state) && late > mostLate,
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

function failed({ error, topics }: RestoreState): CliError {
  const names = topics.filter((one) => one.failed > 0).map((one) => `"${one.topic}"`);
  const lost = names.length === 0 ? [] : [`partitions of ${names.join(', ')} were not downloaded`];
  const reasons = [...(error === null ? [] : [error]), ...lost];
  return new CliError(
    exitCodes.failure,
    `the restore has failed: ${reasons.join('; ') || 'the server gave no reason'}`,
    {
      code: 'RESTORE_FAILED',
    },
  );
}

function readState(body: unknown, request: string): RestoreState {
  const fields = fieldsOf(body);
  return {
    state: needText(fields, 'state', request).replace(/^recovery_stage::/, ''),
    error: textOrNull(fields.error) || null,
    topics: listIn(fields, 'topic_download_counts', request)
      .map(
        (one): RestoredTopic => ({
          topic: topicName(needText(one, 'topic_namespace', request)),
          pending: numberOr(one.pending_downloads, 0),
          successful: numberOr(one.successful_downloads, 0),
          failed: numberOr(one.failed_downloads, 0),
        }),
      )
      .sort((a, b) => (a.topic < b.topic ? -1 : 1)),
  };
}

function topicName(name: string): string {
  return name.replace(/^kafka\//, '');
}
