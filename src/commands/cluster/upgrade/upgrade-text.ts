import type { UpgradeStatus } from '../../../admin/upgrade-rows.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { sections } from '../../../format/sections.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';

/** The state of an upgrade, and the version of every broker. */
export function upgradeText(status: UpgradeStatus, view: View): string {
  const summary = table(
    [],
    [
      ['State:', stateText(status.state)],
      ['Active version:', status.active_version],
      ['Version after finalization:', status.version_after_finalization],
      ['Finalized automatically:', status.auto_finalization_enabled],
    ],
    { ...view, noHeaders: true },
  );
  const members = tableOf(
    status.members,
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
export function stateText(state: string | null): string {
  return state === null ? 'unknown' : state.toLowerCase().replaceAll('_', ' ');
}
