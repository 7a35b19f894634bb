import { pathOf } from '../../net/json-api/call.ts';
import type { Api } from './api.ts';
import type { Lists } from './lost-answer.ts';
import {
  readCluster,
  readNetwork,
  readOperation,
  readResourceGroup,
  readRoleBinding,
  readServiceAccount,
} from './read-row.ts';

/** The lists of the control plane, each with all its pages. */
export function listsOf(api: Api): Lists {
  return {
    resourceGroups: async (filters) =>
      (
        await api.list({ doing: 'list the resource groups', path: '/v1/resource-groups' }, 'resource_groups', filters)
      ).map(readResourceGroup),
    networks: async (filters) =>
      (await api.list({ doing: 'list the networks', path: '/v1/networks' }, 'networks', filters)).map(readNetwork),
    clusters: async (filters) =>
      (await api.list({ doing: 'list the clusters', path: '/v1/clusters' }, 'clusters', filters)).map(readCluster),
    cluster: async (id) =>
      readCluster(await api.get({ doing: `read the cluster ${id}`, path: pathOf`/v1/clusters/${id}` })),
    operations: async (filters) =>
      (await api.list({ doing: 'list the operations', path: '/v1/operations' }, 'operations', filters)).map(
        readOperation,
      ),
    roleBindings: async (filters) =>
      (await api.list({ doing: 'list the role bindings', path: '/v1/role-bindings' }, 'role_bindings', filters)).map(
        readRoleBinding,
      ),
    serviceAccounts: async () =>
      (
        await api.list({ doing: 'list the service accounts', path: '/v1/service-accounts' }, 'service_accounts', {})
      ).map(readServiceAccount),
  };
}
