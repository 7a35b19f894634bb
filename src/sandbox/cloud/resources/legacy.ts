import type { Reply } from '../../http/reply.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { Cluster } from '../state.ts';
import { timestamp, type World } from '../world.ts';
import { clusterKind, dataPlaneOf } from './cluster-view.ts';
import { permitted } from './resource.ts';

/** The routes of the legacy API that are still needed, for the organization and a cluster's plugin. */
export const legacyRoutes: readonly Route[] = [
  {
    name: 'legacy.organization',
    method: 'GET',
    path: '/api/v1/organization',
    access: 'token',
    handle: ({ state }) => ok({ id: state.organization.id, name: state.organization.name }),
  },
  { name: 'legacy.cluster', method: 'GET', path: '/api/v1/clusters/{id}', access: 'Reader', handle: get },
];

function get(world: World, request: CloudRequest): Reply {
  return ok(show(world, permitted(world, request, clusterKind, 'Reader')));
}

function show(world: World, cluster: Cluster): unknown {
  const { brokers, consoleUrl } = dataPlaneOf(world, cluster);
  return {
    id: cluster.id,
    name: cluster.name,
    namespaceUuid: cluster.resourceGroupId,
    createdAt: timestamp(cluster.createdAt),
    state: cluster.state.replace('STATE_', '').toLowerCase(),
    spec: {
      clusterType: cluster.type === 'TYPE_BYOC' ? 'byoc' : 'fmc',
      installPackVersion: cluster.installPack,
      provider: cluster.cloudProvider.replace('CLOUD_PROVIDER_', ''),
      region: cluster.region,
      zones: cluster.zones,
      nodesCount: 3,
    },
    status: {
      health: cluster.state === 'STATE_READY' ? 'healthy' : 'unknown',
      listeners: { kafka: { default: { urls: brokers } }, redpandaConsole: { default: { urls: [consoleUrl] } } },
    },
  };
}
