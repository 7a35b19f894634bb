import { deviceRoutes } from './auth/device.ts';
import { oauthRoutes } from './auth/oauth.ts';
import { ok, type Route } from './http/request.ts';
import { agentRoutes } from './resources/agent.ts';
import {
  clusterCreated,
  clusterDeleted,
  clusterPrepared,
  clusterTornDown,
  clusterUpdated,
} from './resources/cluster-steps.ts';
import { clusterRoutes } from './resources/clusters.ts';
import { pluginRoutes } from './resources/install-packs.ts';
import { legacyRoutes } from './resources/legacy.ts';
import { networkCreated, networkDeleted, networkRoutes } from './resources/networks.ts';
import { operationRoutes } from './resources/operations.ts';
import { regionRoutes } from './resources/regions.ts';
import { resourceGroupRoutes } from './resources/resource-groups.ts';
import { roleBindingRoutes } from './resources/role-bindings.ts';
import { secretRoutes } from './resources/secrets.ts';
import { serviceAccountRoutes } from './resources/service-accounts.ts';
import { userRoutes } from './resources/users.ts';
import type { StepTable } from './steps.ts';

/** All routes of the simulator. */
export const routes: readonly Route[] = [
  ...resourceGroupRoutes,
  ...networkRoutes,
  ...clusterRoutes,
  ...operationRoutes,
  ...roleBindingRoutes,
  ...userRoutes,
  ...serviceAccountRoutes,
  ...secretRoutes,
  ...regionRoutes,
  ...legacyRoutes,
  ...pluginRoutes,
  ...agentRoutes,
  ...oauthRoutes,
  ...deviceRoutes,
  { name: 'sim.health', method: 'GET', path: '/sim/health', access: 'open', handle: () => ok({ ready: true }) },
];

/** The endpoints of the documented API, in its order. Others are known from other publications. */
const documented = [
  'POST /v1/resource-groups',
  'DELETE /v1/resource-groups/{id}',
  'POST /v1/networks',
  'DELETE /v1/networks/{id}',
  'POST /v1/clusters',
  'GET /v1/clusters/{id}',
  'PATCH /v1/clusters/{id}',
  'DELETE /v1/clusters/{id}',
  'GET /v1/operations/{id}',
  'GET /v1/role-bindings',
  'GET /v1/role-bindings/{id}',
  'POST /v1/role-bindings',
  'GET /v1/users/{id}',
  'POST /v1/service-accounts',
];

/** The routes without those of the API that are not documented. What is beside the API (tokens, plugins) remains. */
export const documentedRoutes: readonly Route[] = routes.filter(
  ({ method, path }) => !/^\/v\d/.test(path) || documented.includes(`${method} ${path}`),
);

/** The steps that take place as time passes. */
export const stepTable: StepTable = {
  'network-created': networkCreated,
  'network-deleted': networkDeleted,
  'cluster-prepared': clusterPrepared,
  'cluster-created': clusterCreated,
  'cluster-updated': clusterUpdated,
  'cluster-torn-down': clusterTornDown,
  'cluster-deleted': clusterDeleted,
};
