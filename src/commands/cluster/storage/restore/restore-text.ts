import type { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { isFailed, isRestoring } from '../../../../admin/storage/storage-words.ts';
import type { Context } from '../../../../context.ts';
import { printable } from '../../../../format/printable.ts';
import { type Cell, table } from '../../../../format/table.ts';
import type { View } from '../../../../format/view.ts';
import { type WaitValues, waitFor } from '../../waiting.ts';

/** A restore as a sentence, and the partitions of each topic if the server lists them. */
export function restoreText(state: RestoreState, view: View): string {
  const rows = state.topics.map((one): Cell[] => [one.topic, one.pending, one.successful, one.failed]);
  const topics = rows.length === 0 ? '' : table(['topic', 'pending', 'successful', 'failed'], rows, view);
  return `${topics}${printable(sentence(state))}\n`;
}

function sentence(state: RestoreState): string {
  const reason = state.error === null ? '' : `: ${state.error}`;
  if (isFailed(state)) return `The last restore has failed${reason}.`;
  return isRestoring(state)
    ? `A restore is running: ${state.state}${state.error ? ` (${state.error})` : ''}.`
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
