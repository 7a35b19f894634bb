import type { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { isFailed, isRestoring } from '../../../../admin/storage/storage-words.ts';
import { tableOf } from '../../../../cli/forms/columns.ts';
import type { Context } from '../../../../context.ts';
import { printable } from '../../../../format/printable.ts';
import type { View } from '../../../../format/view.ts';
import { type WaitValues, waitFor } from '../../wait.ts';

/** A restore as a sentence, and the partitions of each topic if the server lists them. */
export function restoreText(state: RestoreState, view: View): string {
  const columns = ['topic', 'pending', 'successful', 'failed'] as const;
  const topics = state.topics.length === 0 ? '' : tableOf(state.topics, columns, view);
  return `${topics}${printable(sentence(state))}\n`;
}

function sentence(state: RestoreState): string {
  const reason = state.reason === null ? '' : `: ${state.reason}`;
  if (isFailed(state)) return `The last restore has failed${reason}.`;
  return isRestoring(state)
    ? `A restore is running: ${state.state}${state.reason ? ` (${state.reason})` : ''}.`
    : 'No restore is running.';
}

/** Waits until no restore is running. */
export async function waitUntilRestored(context: Context, values: WaitValues): Promise<RestoreState> {
  const admin = await context.admin();
  return waitFor<RestoreState>(context, values, {
    what: 'the restore',
    resumeWith: 'weir cluster storage restore status --wait',
    show: ({ state, topics }) => {
      const pending = topics.reduce((sum, one) => sum + one.pending, 0);
      return pending === 0 ? state : `${state}, ${pending} partitions pending`;
    },
    start: (options) => admin.waitForRestore(options),
  });
}
