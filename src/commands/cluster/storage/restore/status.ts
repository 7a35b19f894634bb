import { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { isFailed, isRestoring } from '../../../../admin/storage/storage-words.ts';
import { getCommand } from '../../../../cli/forms/read.ts';
import { checkWait, waitFlags } from '../../wait.ts';
import { restoreText, waitUntilRestored } from './restore-text.ts';

/** `cluster storage restore status` */
export const status = getCommand({
  summary: 'Show how far a restore is',
  description: `With --wait, waits until no restore is running, with exit code 1 if it fails. Ctrl-C and --wait-timeout end only the
wait.`,
  examples: [
    ['Once', 'cluster storage restore status'],
    ['Wait until it is done', 'cluster storage restore status --wait'],
  ],
  apis: ['admin'],
  flags: waitFlags('no restore is running'),
  row: RestoreState,
  async read(context, values) {
    checkWait(values);
    const state = await (await context.admin()).restoreState();
    return values.wait && (isRestoring(state) || isFailed(state)) ? await waitUntilRestored(context, values) : state;
  },
  text: restoreText,
});
