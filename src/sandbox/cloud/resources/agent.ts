import { fieldsOf } from '../../../shape/object.ts';
import type { Reply } from '../../http/reply.ts';
import { ApiError, invalid } from '../http/api-error.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { Cluster, ClusterState, Operation } from '../state.ts';
import { schedule } from '../steps.ts';
import type { World } from '../world.ts';
import { clusterKind } from './cluster-view.ts';
import { permitted } from './resource.ts';

/** The routes that the test plugin calls in place of the agent; a BYOC cluster waits for these calls. */
export const agentRoutes: readonly Route[] = [
  { name: 'agent.installed', method: 'POST', path: '/sim/agent/{id}/installed', access: 'Writer', handle: installed },
  { name: 'agent.removed', method: 'POST', path: '/sim/agent/{id}/removed', access: 'Writer', handle: removed },
];

function installed(world: World, request: CloudRequest): Reply {
  const cluster = find(world, request);
  const up: readonly ClusterState[] = ['STATE_CREATING', 'STATE_READY', 'STATE_UPGRADING'];
  // A second apply is allowed: Terraform finds nothing to change.
  if (cluster.agent === 'installed' && up.includes(cluster.state)) return answer(cluster, false);
  if (cluster.state !== 'STATE_CREATING_AGENT') throw wrongState(cluster, 'STATE_CREATING_AGENT');
  const moved = move(world, cluster, { state: 'STATE_CREATING', agent: 'installed' });
  plan(world, cluster, 'TYPE_CREATE_CLUSTER', 'cluster-created');
  return answer(moved, true);
}

function removed(world: World, request: CloudRequest): Reply {
  const cluster = find(world, request);
  if (cluster.state !== 'STATE_DELETING_AGENT') throw wrongState(cluster, 'STATE_DELETING_AGENT');
  if (cluster.agent === 'removed') return answer(cluster, false);
  const moved = move(world, cluster, { agent: 'removed' });
  plan(world, cluster, 'TYPE_DELETE_CLUSTER', 'cluster-deleted');
  return answer(moved, true);
}

function find(world: World, request: CloudRequest): Cluster {
  const cluster = permitted(world, request, clusterKind, 'Writer');
  const { provider } = fieldsOf(request.body);
  const clusterProvider = cluster.cloudProvider.replace('CLOUD_PROVIDER_', '').toLowerCase();
  if (cluster.type !== 'TYPE_BYOC') throw invalid([{ field: 'id', description: 'the cluster is not BYOC' }]);
  if (provider !== clusterProvider)
    throw invalid([{ field: 'provider', description: `must be ${clusterProvider}, as for the cluster` }]);
  return cluster;
}

function wrongState(cluster: Cluster, state: ClusterState): ApiError {
  return new ApiError('ABORTED', `cluster ${cluster.id} is in ${cluster.state}, not ${state}`);
}

function move(world: World, cluster: Cluster, part: Partial<Cluster>): Cluster {
  const moved = { ...cluster, ...part, updatedAt: world.clock.now() };
  world.state.clusters.set(cluster.id, moved);
  return moved;
}

function plan(
  world: World,
  cluster: Cluster,
  type: Operation['type'],
  kind: 'cluster-created' | 'cluster-deleted',
): void {
  const operation = [...world.state.operations.values()].findLast(
    (one) => one.resourceId === cluster.id && one.type === type && one.state === 'IN_PROGRESS',
  );
  const { clusterCreateMs, agentRemoveMs } = world.state.settings.durations;
  const at = world.clock.now() + (kind === 'cluster-created' ? clusterCreateMs : agentRemoveMs);
  schedule(world, { at, kind, resourceId: cluster.id, operationId: operation?.id ?? '' });
}

function answer(cluster: Cluster, changed: boolean): Reply {
  return ok({ cluster_id: cluster.id, state: cluster.state, changed });
}
