import { fieldsOf } from '../../../shape/object.ts';
import { param, type Reply } from '../../http/reply.ts';
import { demand, may, scopesOf, scopesOfCluster } from '../auth/authorize.ts';
import { exists, notFound, notNow } from '../http/api-error.ts';
import { accepted, type Call, ok, type Route } from '../http/call.ts';
import { contains, type Filter, isAnyOf, page } from '../http/page.ts';
import { newResourceId } from '../identifiers.ts';
import type { Cluster, Operation } from '../state.ts';
import { cancelSteps, schedule } from '../steps.ts';
import { nextSequence, type World } from '../world.ts';
import { type ClusterChange, checkPlace, checkTier, readCluster, readClusterChange } from './cluster-rules.ts';
import { showCluster } from './cluster-view.ts';
import { cloudProviders } from './enums.ts';
import { abortOperations, showOperation, startOperation } from './operations.ts';

const path = '/v1/clusters';

/** The routes of clusters. */
export const clusterRoutes: readonly Route[] = [
  { name: 'clusters.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'clusters.list', method: 'GET', path, access: 'Reader', handle: list },
  { name: 'clusters.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: get },
  { name: 'clusters.update', method: 'PATCH', path: `${path}/{id}`, access: 'Writer', handle: update },
  { name: 'clusters.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

function create(world: World, call: Call): Reply {
  const outer = fieldsOf(call.body);
  const inner = fieldsOf(outer.cluster);
  demand(world, call, 'Writer', scopesOf(world, String(inner.resource_group_id), String(inner.network_id)));
  const wanted = readCluster(outer.cluster);
  checkPlace(world, wanted);
  const byoc = wanted.type === 'TYPE_BYOC';
  const cluster: Cluster = {
    ...wanted,
    id: newResourceId(world, 'cl'),
    sequence: nextSequence(world),
    state: 'STATE_CREATING',
    stateDescription: null,
    version: wanted.version ?? world.packs.pinned.redpandaVersion,
    installPack: world.packs.pinned.version,
    agent: 'absent',
    createdAt: world.clock.now(),
    updatedAt: null,
  };
  world.state.clusters.set(cluster.id, cluster);
  const operation = begin(world, cluster, 'TYPE_CREATE_CLUSTER', { cluster_id: cluster.id });
  const { clusterPrepareMs, clusterCreateMs } = world.state.settings.durations;
  const at = world.clock.now() + (byoc ? clusterPrepareMs : clusterCreateMs);
  const kind = byoc ? 'cluster-prepared' : 'cluster-created';
  schedule(world, { at, kind, resourceId: cluster.id, operationId: operation.id });
  return accepted(showOperation(operation));
}

type ClusterOperation = 'TYPE_CREATE_CLUSTER' | 'TYPE_UPDATE_CLUSTER' | 'TYPE_DELETE_CLUSTER';

function begin(world: World, cluster: Cluster, type: ClusterOperation, metadata: Operation['metadata']): Operation {
  return startOperation(world, { type, resourceId: cluster.id, within: scopesOfCluster(world, cluster), metadata });
}

function find(world: World, call: Call): Cluster {
  const cluster = world.state.clusters.get(param(call, 'id'));
  if (cluster === undefined) throw notFound('cluster', param(call, 'id'));
  return cluster;
}

function get(world: World, call: Call): Reply {
  const cluster = find(world, call);
  demand(world, call, 'Reader', scopesOfCluster(world, cluster));
  return ok({ cluster: showCluster(world, cluster) });
}

const filters: readonly Filter<Cluster>[] = [
  isAnyOf('resource_group_id', (cluster) => cluster.resourceGroupId),
  contains('name_contains', (cluster) => cluster.name),
  isAnyOf('region', (cluster) => cluster.region),
  isAnyOf('cloud_provider', (cluster) => cluster.cloudProvider, cloudProviders),
  isAnyOf('network_id', (cluster) => cluster.networkId),
];

function list(world: World, call: Call): Reply {
  return page(world, call, {
    key: 'clusters',
    items: [...world.state.clusters.values()].filter((cluster) =>
      may(world, call, 'Reader', scopesOfCluster(world, cluster)),
    ),
    filters,
    show: (cluster) => showCluster(world, cluster, 'list'),
  });
}

function update(world: World, call: Call): Reply {
  const cluster = find(world, call);
  demand(world, call, 'Writer', scopesOfCluster(world, cluster));
  const change = readClusterChange(call.body);
  checkChange(world, cluster, change);
  if (cluster.state !== 'STATE_READY') throw notNow(`cluster ${cluster.id} is in ${cluster.state}`);
  const scaling = change.throughputTier !== undefined || change.asSent?.redpanda_node_count !== undefined;
  const now = world.clock.now();
  if (scaling) world.state.clusters.set(cluster.id, { ...cluster, state: 'STATE_UPGRADING', updatedAt: now });
  const kind = scaling ? 'UPDATE_CLUSTER_TYPE_SCALING' : 'UPDATE_CLUSTER_TYPE_CUSTOMER_CONFIG';
  const operation = begin(world, cluster, 'TYPE_UPDATE_CLUSTER', { update_type: [kind] });
  const at = now + world.state.settings.durations.clusterUpdateMs;
  schedule(world, {
    at,
    kind: 'cluster-updated',
    resourceId: cluster.id,
    operationId: operation.id,
    change: { ...change },
  });
  return accepted(showOperation(operation));
}

function checkChange(world: World, cluster: Cluster, change: ClusterChange): void {
  if (change.throughputTier !== undefined) checkTier(change.throughputTier, cluster, '');
  for (const other of world.state.clusters.values())
    if (other.id !== cluster.id && other.name === change.name) throw exists('cluster', other.name);
}

function remove(world: World, call: Call): Reply {
  const cluster = find(world, call);
  demand(world, call, 'Admin', scopesOfCluster(world, cluster));
  if (cluster.state.startsWith('STATE_DELETING')) throw notNow(`cluster ${cluster.id} is already being deleted`);
  cancelSteps(world, cluster.id);
  abortOperations(world, cluster.id, `cluster ${cluster.id} is being deleted`);
  const now = world.clock.now();
  // After a failed deletion the agent must be removed again.
  const agent = cluster.agent === 'removed' ? 'absent' : cluster.agent;
  world.state.clusters.set(cluster.id, { ...cluster, agent, state: 'STATE_DELETING', updatedAt: now });
  const byoc = cluster.type === 'TYPE_BYOC';
  const operation = begin(world, cluster, 'TYPE_DELETE_CLUSTER', { required_action: '' });
  const at = now + world.state.settings.durations.clusterDeleteMs;
  const kind = byoc ? 'cluster-torn-down' : 'cluster-deleted';
  schedule(world, { at, kind, resourceId: cluster.id, operationId: operation.id });
  return accepted(showOperation(operation));
}
