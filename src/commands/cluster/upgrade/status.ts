import { UpgradeStatus } from '../../../admin/upgrade-rows.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { sections } from '../../../format/sections.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';

/** `cluster upgrade status` */
export const status = getCommand({
  summary: 'Show whether an upgrade waits to be finalized',
  description: `An upgrade to a new feature release is finalized when the cluster commits to the new logical version. Until then, the new
features are not active, and brokers can be downgraded to the previous release. The cluster finalizes an upgrade
automatically as soon as all brokers run the new release, unless the property features_auto_finalization is false. Needs
Redpanda 26.2 or newer.`,
  examples: [
    ['During an upgrade', 'cluster upgrade status'],
    ['The state alone', 'cluster upgrade status --format json'],
  ],
  apis: ['admin'],
  row: UpgradeStatus,
  read: async (context) => (await context.admin()).upgradeStatus(),
  text: upgradeText,
});

/** The state of an upgrade, and the version of every broker. */
function upgradeText(upgrade: UpgradeStatus, view: View): string {
  const summary = table(
    [],
    [
      ['State:', stateText(upgrade.state)],
      ['Active version:', upgrade.active_version],
      ['Version after finalization:', upgrade.version_after_finalization],
      ['Finalized automatically:', upgrade.auto_finalization_enabled],
    ],
    { ...view, noHeaders: true },
  );
  const members = tableOf(
    upgrade.members,
    [
      ['broker', ({ node_id: id }) => id],
      ['release', ({ release_version: release }) => release],
      ['logical version', ({ version_known: isKnown, logical_version: version }) => (isKnown ? version : null)],
      'alive',
    ],
    view,
  );
  return sections(
    [
      { title: 'upgrade', body: summary },
      { title: 'brokers', body: members },
    ],
    view,
    'always',
  );
}

/** A state in words: `ready to finalize`. */
function stateText(state: string | null): string {
  return state === null ? 'unknown' : state.toLowerCase().replaceAll('_', ' ');
}
