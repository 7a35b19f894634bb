import { anything } from '../shape/shape.ts';
import type { Api } from './client/api.ts';
import { rpc } from './client/rpc.ts';
import { UpgradeStatus } from './upgrade-rows.ts';

const needs = { what: 'upgrades that are finalized on demand', since: '26.2' } as const;

/** The calls about the end of an upgrade. */
export function createUpgradeCalls(api: Api) {
  return {
    /** Where the upgrade stands, as the leader of the controller sees it. */
    upgradeStatus: () =>
      api.call(
        rpc('FeaturesService/GetUpgradeStatus', {
          ...{ doing: 'read the state of the upgrade', needs, changes: false, form: 'state of an upgrade' },
          answer: UpgradeStatus,
        }),
      ),
    /** Asks for the end of the upgrade, which the leader of the controller makes later if it still can. */
    finalizeUpgrade: () =>
      api.call(
        rpc('FeaturesService/FinalizeUpgrade', {
          ...{ doing: 'finalize the upgrade', needs, repeats: true },
          answer: anything,
        }),
      ),
  };
}
