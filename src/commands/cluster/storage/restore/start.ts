import { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { isRestoring } from '../../../../admin/storage/storage-words.ts';
import { command, flag } from '../../../../cli/command.ts';
import type { Context } from '../../../../context.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../../errors.ts';
import { duration } from '../../../../kinds.ts';
import { row, truth } from '../../../../shape/shape.ts';
import { sending } from '../../../stopped.ts';
import { asConflict } from '../../member.ts';
import { checkWait, waitFlags } from '../../waiting.ts';
import { restoreText, waitUntilRestored } from './restore-text.ts';

/** A restore that was or would be started. */
const startedRestore = row({
  ...RestoreState.fields,
  /** Whether this command has started it. */
  started: truth,
});

const status = 'weir cluster storage restore status';

/** `cluster storage restore start` */
export const start = command({
  summary: 'Restore the cluster from object storage',
  description: `Restores what a lost cluster has left in the bucket of this one: its topics and their records, and its configuration,
users, ACLs and consumer group offsets, as far as the version of the cluster supports that. Meant for a new, empty cluster.

The restore continues in the background. With --wait, waits until it is done, with exit code 1 if it fails. Ctrl-C and
--wait-timeout end only the wait: repeat the command with --wait, or use cluster storage restore status --wait. While a
restore is running, nothing is sent.`,
  examples: [
    ['Wait until it is done', 'cluster storage restore start --wait'],
    ['Show the state without starting it', 'cluster storage restore start --dry-run'],
  ],
  apis: ['admin'],
  flags: {
    ...waitFlags('the restore is done'),
    pollingInterval: flag(duration, { hidden: true, help: 'deprecated: ignored' }),
  },
  changes: 'destroys',
  result: startedRestore,
  async plan(context, values) {
    checkWait(values);
    return await (await context.admin()).restoreState();
  },
  confirm(_context, _values, before) {
    if (isRestoring(before)) return null;
    return { question: 'Restore the topics and settings in object storage into the cluster', name: 'restore' };
  },
  async run(context, { dryRun, pollingInterval, ...values }, before) {
    if (pollingInterval !== undefined) context.warn('--polling-interval is ignored');
    const started = !isRestoring(before);
    if (!started) context.notice('a restore is running already');
    if (dryRun) return { ...before, started: false };
    if (started) await send(context);
    if (values.wait) return { ...(await waitUntilRestored(context, values)), started };
    context.noticeAfter(`see how far it is with: ${status}`);
    return { ...(started ? { state: 'starting', error: null, topics: [] } : before), started };
  },
  show: {
    text(state, view, { dryRun }) {
      if (isRestoring(state)) return restoreText(state, view);
      return dryRun ? 'A restore would be started.\n' : 'The restore is done.\n';
    },
  },
});

async function send(context: Context): Promise<void> {
  const admin = await context.admin();
  sending(context, 'starting the restore', status);
  try {
    await admin.startRestore();
  } catch (error) {
    const refused = asConflict(error);
    if (!(refused instanceof CliError) || refused.exitCode !== exitCodes.conflict) throw refused;
    throw withHints(refused, [`see whether a restore is running with: ${status}`]);
  }
  context.onInterrupt(stoppedError('the restore has started', [`wait for its end with: ${status} --wait`]));
}
