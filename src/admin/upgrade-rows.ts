import { at, filled, listOf, maybe, type RowOf, row, truth, unless, whole } from '../shape/shape.ts';
import { enumName, int64Text } from './client/proto-json.ts';

/** The version of a broker, as the leader of the controller sees it. */
const MemberVersion = row({
  node_id: at('nodeId', unless(0, whole)),
  /** For example `v26.2.1`. */
  release_version: at('releaseVersion', maybe(filled)),
  /** The highest that its program has; meaningless unless `version_known`. */
  logical_version: at('logicalVersion', int64Text),
  version_known: at('versionKnown', unless(false, truth)),
  alive: unless(false, truth),
});

/** Where an upgrade of the cluster stands. */
export const UpgradeStatus = row({
  /** `FINALIZED`, `READY_TO_FINALIZE` or `UPGRADE_IN_PROGRESS`. */
  state: enumName('FINALIZATION_STATE_'),
  active_version: at('activeVersion', int64Text),
  version_after_finalization: at('versionAfterFinalization', int64Text),
  auto_finalization_enabled: at('autoFinalizationEnabled', unless(false, truth)),
  members: listOf(MemberVersion),
});
export type UpgradeStatus = RowOf<typeof UpgradeStatus>;
