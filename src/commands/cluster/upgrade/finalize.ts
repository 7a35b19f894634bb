import type { UpgradeStatus } from '../../../admin/upgrade-rows.ts';
import { change } from '../../../cli/forms/change.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { exact, row } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';

const check = 'weir cluster upgrade status';

/** `cluster upgrade finalize` */
export const finalize = change({
  summary: 'Commit the cluster to the release that all its brokers run',
  description: `Activates the features of the new release, after an upgrade with the property features_auto_finalization set to false.
This cannot be undone: brokers of the previous release can no longer start.

The cluster finalizes the upgrade shortly after the request if all brokers are still alive and run the same version;
otherwise it drops the request. Needs Redpanda 26.2 or newer.`,
  examples: [
    ['With a question', 'cluster upgrade finalize'],
    ['See what would happen', 'cluster upgrade finalize --dry-run'],
  ],
  apis: ['admin'],
  changes: 'destroys',
  noun: 'upgrade',
  isOne: true,
  item: row({ active_version: exact, version_after_finalization: exact }),
  async plan(context) {
    const status = await (await context.admin()).upgradeStatus();
    const { active_version, version_after_finalization } = status;
    const item = { active_version, version_after_finalization };
    if (status.state === 'FINALIZED') return [{ ...item, status: 'NOT_NEEDED' as const }];
    checkReady(status);
    return [item];
  },
  asks: ([upgrade]) => ({
    question: `Finalize the upgrade to logical version ${upgrade?.version_after_finalization} and rule out any downgrade`,
    name: 'upgrade',
  }),
  async applyEach(context) {
    sending(context, 'finalizing the upgrade', check);
    await (await context.admin()).finalizeUpgrade();
    context.noticeAfter(`the cluster finalizes the upgrade now: see that it is done with: ${check}`);
    return {};
  },
  would: 'be finalized',
  notNeeded: 'it is finalized already',
});

/** @throws CliError (exit 6) unless the cluster would finalize the upgrade, which a request alone does not tell */
function checkReady({ state, members, auto_finalization_enabled: isAutomatic }: UpgradeStatus): void {
  if (isAutomatic)
    throw cannot('the cluster finalizes upgrades automatically', [
      'to decide it yourself next time: weir cluster config set features_auto_finalization false',
    ]);
  if (state === 'READY_TO_FINALIZE') return;
  const newest = members.reduce(
    (most, { logical_version: version }) => (version > most ? version : most),
    0 as number | bigint,
  );
  const reasons = members.flatMap(({ node_id: id, alive, version_known: isKnown, logical_version: version }) => {
    if (!alive) return [`broker ${id} is down`];
    if (!isKnown) return [`the version of broker ${id} is not known`];
    return version < newest ? [`broker ${id} has the version ${version}, not ${newest}`] : [];
  });
  throw cannot(reasons.join(', ') || 'the brokers do not have the same version', [`see the brokers with: ${check}`]);
}

function cannot(reason: string, hints: readonly string[]): CliError {
  return new CliError(exitCodes.conflict, `unable to finalize the upgrade: ${reason}`, {
    code: 'FAILED_PRECONDITION',
    hints,
  });
}
