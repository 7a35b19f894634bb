import { fieldsOf } from '../../../shape/object.ts';
import type { Reply } from '../../http/reply.ts';
import { demand, scopesOf, scopesOfCluster } from '../auth/authorize.ts';
import { exists, notNow } from '../http/api-error.ts';
import { accepted, type CloudRequest, type Route } from '../http/request.ts';
import type { Cluster } from '../state.ts';
import { cancelSteps } from '../steps.ts';
import { newRecord, type World } from '../world.ts';
import { type ClusterChange, checkPlace, checkTier, readCluster, readClusterChange } from './cluster-rules.ts';
import { clusterKind } from './cluster-view.ts';
import { abortOperations, type Beginning, showOperation, startOperation } from './operations.ts';
import { getOne, getPage, permitted } from './resource.ts';

const path = '/v1/clusters';

/** The routes of clusters. */
export const clusterRoutes: readonly Route[] = [
  { name: 'clusters.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'clusters.list', method: 'GET', path, access: 'Reader', handle: getPage(clusterKind) },
  { name: 'clusters.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: getOne(clusterKind) },
  { name: 'clusters.update', method: 'PATCH', path: `${path}/{id}`, access: 'Writer', handle: update },
  { name: 'clusters.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

function create(world: World, request: CloudRequest): Reply {
  const outer = fieldsOf(request.body);
  const inner = fieldsOf(outer.cluster);
  demand(world, request, 'Writer', scopesOf(world, String(inner.resource_group_id), String(inner.network_id)));
  const spec = readCluster(outer.cluster);
  checkPlace(world, spec);
  const byoc = spec.type === 'TYPE_BYOC';
  const cluster: Cluster = {
    ...spec,
    ...newRecord(world, 'cl'),
    state: 'STATE_CREATING',
    stateDescription: null,
    version: spec.version ?? world.packs.pinned.redpandaVersion,
    installPack: world.packs.pinned.version,
    agent: 'absent',
  };
  world.state.clusters.set(cluster.id, cluster);
  const { clusterPrepareMs, clusterCreateMs } = world.state.settings.durations;
  const next = byoc
    ? ({ kind: 'cluster-prepared', afterMs: clusterPrepareMs } as const)
    : ({ kind: 'cluster-created', afterMs: clusterCreateMs } as const);
  return begin(world, cluster, { type: 'TYPE_CREATE_CLUSTER', metadata: { cluster_id: cluster.id }, next });
}

/** Starts an operation on a cluster and answers with it. */
function begin(world: World, cluster: Cluster, operation: Pick<Beginning, 'type' | 'metadata' | 'next'>): Reply {
  const within = scopesOfCluster(world, cluster);
  return accepted(showOperation(startOperation(world, { ...operation, resourceId: cluster.id, within })));
}

function update(world: World, request: CloudRequest): Reply {
  const cluster = permitted(world, request, clusterKind, 'Writer');
  const change = readClusterChange(request.body);
  checkChange(world, cluster, change);
  if (cluster.state !== 'STATE_READY') throw notNow(`cluster ${cluster.id} is in ${cluster.state}`);
  const scaling = change.throughputTier !== undefined || change.asSent?.redpanda_node_count !== undefined;
  const now = world.clock.now();
  if (scaling) world.state.clusters.set(cluster.id, { ...cluster, state: 'STATE_UPGRADING', updatedAt: now });
  const kind = scaling ? 'UPDATE_CLUSTER_TYPE_SCALING' : 'UPDATE_CLUSTER_TYPE_CUSTOMER_CONFIG';
  const afterMs = world.state.settings.durations.clusterUpdateMs;
  const next = { kind: 'cluster-updated', afterMs, change: { ...change } } as const;
  return begin(world, cluster, { type: 'TYPE_UPDATE_CLUSTER', metadata: { update_type: [kind] }, next });
}

function checkChange(world: World, cluster: Cluster, change: ClusterChange): void {
  if (change.throughputTier !== undefined) checkTier(change.throughputTier, cluster, '');
  for (const other of world.state.clusters.values())
    if (other.id !== cluster.id && other.name === change.name) throw exists('cluster', other.name);
}

function remove(world: World, request: CloudRequest): Reply {
  const cluster = permitted(world, request, clusterKind, 'Admin');
  if (cluster.state.startsWith('STATE_DELETING')) throw notNow(`cluster ${cluster.id} is already being deleted`);
  cancelSteps(world, cluster.id);
  abortOperations(world, cluster.id, `cluster ${cluster.id} is being deleted`);
  const now = world.clock.now();
  // After a failed deletion the agent must be removed again.
  const agent = cluster.agent === 'removed' ? 'absent' : cluster.agent;
  world.state.clusters.set(cluster.id, { ...cluster, agent, state: 'STATE_DELETING', updatedAt: now });
  const kind = cluster.type === 'TYPE_BYOC' ? 'cluster-torn-down' : 'cluster-deleted';
  const next = { kind, afterMs: world.state.settings.durations.clusterDeleteMs } as const;
  return begin(world, cluster, { type: 'TYPE_DELETE_CLUSTER', metadata: { required_action: '' }, next });
}
