import { RestoreState } from '../../../../admin/storage/storage-rows.ts';
import { isRestoring } from '../../../../admin/storage/storage-words.ts';
import { flag } from '../../../../cli/command.ts';
import { change } from '../../../../cli/forms/change.ts';
import type { Outcome } from '../../../../cli/forms/outcome.ts';
import { CliError, exitCodes, stoppedError, withHints } from '../../../../errors.ts';
import type { View } from '../../../../format/view.ts';
import { duration, text } from '../../../../kinds.ts';
import { sending } from '../../../interruption.ts';
import { asConflict } from '../../member.ts';
import { checkWait, waitFlags } from '../../wait.ts';
import { restoreText, waitUntilRestored } from './restore-text.ts';

const clusterUuid = { ...text, name: 'UUID', hint: 'UUID' } as const;
const status = 'weir cluster storage restore status';

/** `cluster storage restore start` */
export const start = change({
  summary: 'Restore the cluster from object storage',
  description: `Restores what a lost cluster has left in the bucket of this one: its topics and their records, and
its configuration, users, ACLs and consumer group offsets, as far as the version of the cluster supports that. Meant
for a new, empty cluster.

The restore continues in the background. --wait waits until it is done, with exit code 1 if it fails; Ctrl-C ends only
the wait: continue with cluster storage restore status --wait.`,
  examples: [
    ['Wait until it is done', 'cluster storage restore start --wait'],
    ['Show the state without starting it', 'cluster storage restore start --dry-run'],
  ],
  apis: ['admin'],
  flags: {
    ...waitFlags('the restore is done'),
    clusterUuid: flag(clusterUuid, {
      help: 'UUID of the cluster to restore (default: the last one in the bucket; Redpanda 25.3.3 or newer)',
      aliases: ['cluster-uuid-override'],
    }),
    pollingInterval: flag(duration, { hidden: true, help: 'deprecated: ignored' }),
  },
  changes: 'destroys',
  noun: 'restore',
  isOne: true,
  item: RestoreState,
  async plan(context, { pollingInterval, clusterUuid: from, ...values }) {
    checkWait(values);
    const admin = await context.admin();
    if (from !== undefined) checkVersions(await admin.brokers());
    const restore = await admin.restoreState();
    if (pollingInterval !== undefined) context.warn('--polling-interval is ignored');
    if (!isRestoring(restore)) return [restore];
    context.notice('a restore is running already');
    return [{ ...restore, status: 'NOT_NEEDED' }];
  },
  asks: () => ({ question: 'Restore the topics and settings in object storage into the cluster', name: 'restore' }),
  async applyEach(context, _restore, { clusterUuid: from }) {
    const admin = await context.admin();
    sending(context, 'starting the restore', status);
    await admin.startRestore(from).catch(asConflict).catch(withStatusHint);
    context.onInterrupt(stoppedError('the restore has started', [`wait for its end with: ${status} --wait`]));
    return { state: 'starting', reason: null, topics: [] };
  },
  async follow(context, restores, values) {
    if (values.wait) return [await waitUntilRestored(context, values)];
    context.noticeAfter(`see how far it is with: ${status}`);
    return restores;
  },
  text: (restores, view) => restores.map((restore) => startedText(restore, view)).join(''),
});

/** Older brokers ignore the UUID, and restore the last cluster of the bucket (redpanda src/v/redpanda/admin/server.cc:3896). */
function checkVersions(brokers: readonly { readonly id: number; readonly version: string | null }[]): void {
  const old = brokers.find(({ version }) => !isNewEnough(version ?? ''));
  if (old === undefined) return;
  const { id, version } = old;
  throw new CliError(
    exitCodes.failure,
    `unable to choose the cluster to restore: broker ${id} has ${version === null ? 'an unknown version' : `the version ${version.split(' ')[0]}`}`,
    {
      code: 'UNSUPPORTED_VERSION',
      hints: [
        '--cluster-uuid needs Redpanda 25.3.3 or newer on every broker: older ones restore the last cluster in the bucket',
      ],
    },
  );
}

function isNewEnough(version: string): boolean {
  const [, year = 0, feature = 0, patch = 0] = (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return year > 25 || (year === 25 && (feature > 3 || (feature === 3 && patch >= 3)));
}

function startedText(restore: RestoreState & Outcome, view: View): string {
  if (isRestoring(restore)) return restoreText(restore, view);
  return restore.dry_run ? 'A restore would be started.\n' : 'The restore is done.\n';
}

function withStatusHint(error: unknown): never {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.conflict) throw error;
  throw withHints(error, [`see whether a restore is running with: ${status}`]);
}
