import type { Reply } from '../../http/reply.ts';
import { may, scopesOf } from '../auth/authorize.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { Cluster } from '../state.ts';
import { timestamp, type World } from '../world.ts';
import { clusterKind, dataPlaneOf } from './cluster-view.ts';
import { permitted, readable } from './resource.ts';

/** The legacy API, still needed for the organization and a cluster's plugin, and the newer organization route. */
export const legacyRoutes: readonly Route[] = [
  {
    name: 'legacy.organization',
    method: 'GET',
    path: '/api/v1/organization',
    access: 'token',
    handle: ({ state }) => ok({ id: state.organization.id, name: state.organization.name }),
  },
  {
    name: 'organizations.current',
    method: 'GET',
    path: '/v1/organizations/current',
    access: 'token',
    handle: ({ state }) => ok({ organization: { ...state.organization, default_resource_group_id: '' } }),
  },
  { name: 'legacy.namespaces', method: 'GET', path: '/api/v1/namespaces', access: 'Reader', handle: namespaces },
  { name: 'legacy.clusters', method: 'GET', path: '/api/v1/clusters', access: 'Reader', handle: list },
  { name: 'legacy.cluster', method: 'GET', path: '/api/v1/clusters/{id}', access: 'Reader', handle: get },
];

function namespaces(world: World, request: CloudRequest): Reply {
  const groups = [...world.state.resourceGroups.values()].filter(({ id }) =>
    may(world, request, 'Reader', scopesOf(world, id)),
  );
  return ok(groups.map(({ id, name }) => ({ id, name })));
}

function list(world: World, request: CloudRequest): Reply {
  return ok(readable(world, request, clusterKind).map((cluster) => show(world, cluster)));
}

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
