import { UpgradeStatus } from '../../../admin/upgrade-rows.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { upgradeText } from './upgrade-text.ts';

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
