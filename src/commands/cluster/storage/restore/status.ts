import { isFailed, isRestoring } from '../../../../admin/storage/restore-state.ts';
import type { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { command } from '../../../../cli/command.ts';
import { object } from '../../../../cli/output/schema.ts';
import { checkWait, waitFlags } from '../../waiting.ts';
import { restoreFields, restoreText, waitUntilRestored } from './restore-text.ts';

/** `cluster storage restore status` */
export const status = command({
  summary: 'Show how far a restore is',
  description: `With --wait, waits until no restore is running, with exit code 1 if it fails. Ctrl-C and --wait-timeout end only the
wait.`,
  examples: [
    ['Once', 'cluster storage restore status'],
    ['Wait until it is done', 'cluster storage restore status --wait'],
  ],
  apis: ['admin'],
  flags: waitFlags('no restore is running'),
  changes: 'reads',
  async run(context, values): Promise<RestoreState> {
    checkWait(values);
    const state = await (await context.admin()).restoreState();
    return values.wait && (isRestoring(state) || isFailed(state)) ? await waitUntilRestored(context, values) : state;
  },
  output: { schema: object(restoreFields), text: restoreText },
});
