import { object, oneOf } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { type AdminRequest, by, done, ok, type Route, readJson, route } from '../request.ts';
import type { Feature } from '../state.ts';
import type { World } from '../world.ts';
import { activeVersion, latestVersion } from './upgrade.ts';

/** The routes of feature flags. */
export const featureRoutes: readonly Route[] = [
  route('features.list', 'GET /v1/features', by.user, list),
  route('features.set', 'PUT /v1/features/{name}', by.controller, set),
];

/** The features of a new cluster. */
export const initialFeatures: Readonly<Record<string, Feature['state']>> = {
  audit_logging: 'active',
  cloud_metadata_cluster_recovery: 'available',
  data_migrations: 'active',
  enhanced_force_reconfiguration: 'active',
  fast_partition_reconfiguration: 'active',
  node_local_core_assignment: 'active',
  partition_shard_in_health_report: 'active',
  raft_symmetric_reconfiguration_cancel: 'active',
  role_based_access_control: 'active',
  rpc_transport_unknown_errc: 'active',
  wasm_transforms: 'active',
};

function list(world: World): Reply {
  const { state } = world;
  const features = [...state.features].map(([name, feature]) => ({
    name,
    state: feature.state,
    was_active: feature.wasActive,
  }));
  return ok({
    cluster_version: activeVersion(world),
    original_cluster_version: activeVersion(world),
    node_earliest_version: latestVersion(world) - 1,
    node_latest_version: latestVersion(world),
    features,
  });
}

const stateBody = object({ state: oneOf('active', 'disabled') });

function set({ state }: World, request: AdminRequest): Reply {
  const name = param(request, 'name');
  const { state: wanted } = readJson(request, stateBody);
  const feature = state.features.get(name);
  if (feature === undefined) throw badRequest(`feature "${name}" does not exist`);
  if (feature.state === 'unavailable') throw badRequest(`feature "${name}" is not available`);
  state.features.set(name, { state: wanted, wasActive: feature.wasActive || wanted === 'active' });
  return done;
}
