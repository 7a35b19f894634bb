import { object } from '../../http/readers.ts';
import { effective } from '../config/effective.ts';
import { type AdminRequest, by, type Route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import type { Release } from '../settings.ts';
import { membersOf, type World } from '../world.ts';

const property = 'features_auto_finalization';
const more = { since: '26.2', body: object({}), who: by.forwarded } as const;

/** The routes of the end of an upgrade. */
export const upgradeRoutes: readonly Route[] = [
  rpc('v2.upgrade.status', 'FeaturesService/GetUpgradeStatus', {
    ...more,
    handle: (world, _, { node }) => status(world, effective(node, property) === true),
  }),
  rpc('v2.upgrade.finalize', 'FeaturesService/FinalizeUpgrade', { ...more, handle: finalize }),
];

/** The logical version of each release (redpanda commit 1b95a07c: src/v/features/feature_table.h:168). */
const logicalVersions: Readonly<Record<Release, number>> = { '24.3': 14, '25.3': 17, '26.1': 18, '26.2': 19 };

/** The highest logical version that the nodes of a release have. */
export function latestVersion({ settings }: Pick<World, 'settings'>): number {
  return logicalVersions[settings.release];
}

/** The logical version that the cluster uses. */
export function activeVersion(world: Pick<World, 'settings' | 'state'>): number {
  return world.state.heldVersion ?? latestVersion(world);
}

/** The order of the fields and the states is that of redpanda commit 1b95a07c: src/v/cluster/feature_manager.cc:799. */
function status(world: World, isAutomatic: boolean) {
  const [active, latest] = [activeVersion(world), latestVersion(world)];
  const members = membersOf(world);
  const isReady = latest > active && members.every(({ alive }) => alive);
  const state = latest <= active ? 'FINALIZED' : isReady ? 'READY_TO_FINALIZE' : 'UPGRADE_IN_PROGRESS';
  return {
    state: `FINALIZATION_STATE_${state}`,
    activeVersion: `${active}`,
    versionAfterFinalization: `${isReady ? latest : active}`,
    autoFinalizationEnabled: isAutomatic,
    members: members.map(({ id, alive }) => ({
      nodeId: id,
      logicalVersion: `${latest}`,
      versionKnown: true,
      alive,
      releaseVersion: alive ? `v${world.settings.release}.1` : '',
    })),
  };
}

function finalize(world: World, _: unknown, { node }: AdminRequest) {
  if (effective(node, property) === true)
    throw rpcError('failed_precondition', 'finalize_upgrade is only valid when features_auto_finalization is disabled');
  world.state.finalizeAt = world.clock.now() + world.settings.configPropagationMs;
  return {};
}

/** Finalizes the upgrade that was asked for, unless it is no longer possible: then the request is dropped. */
export function progressUpgrade(world: World, at: number): void {
  const { state } = world;
  if (state.finalizeAt === null || at < state.finalizeAt) return;
  state.finalizeAt = null;
  if (membersOf(world).every(({ alive }) => alive)) state.heldVersion = null;
}
