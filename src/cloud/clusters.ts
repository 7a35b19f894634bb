import type { Deadline } from '../deadline.ts';
import { commandText } from '../format/shell-word.ts';
import { pathOf } from '../net/json-api/call.ts';
import { poll } from '../net/poll.ts';
import type { RetryWorld } from '../net/retry.ts';
import type { Api } from './api/api.ts';
import { failedOperation, isMissing } from './api/api-error.ts';
import { listsOf } from './api/lists.ts';
import { lostCreation, lostDeletion, lostUpdate } from './api/lost-answer.ts';
import { readNetwork, readOperation, readRegion } from './api/read-row.ts';
import type { Cloud } from './cloud.ts';
import type { Cluster, Operation } from './rows.ts';

/** The parts that waiting needs. */
export interface WaitParts {
  readonly deadline: Deadline;
  readonly world: RetryWorld;
}

/** The calls for networks and the regions that they can be in. */
export function openNetworkCalls(
  api: Api,
): Pick<Cloud, 'createNetwork' | 'listNetworks' | 'getNetwork' | 'deleteNetwork' | 'listRegions'> {
  const lists = listsOf(api);
  const at = (id: string): string => pathOf`/v1/networks/${id}`;
  return {
    async listRegions(cloudProvider, filters = {}) {
      const path = pathOf`/v1/regions/${cloudProvider}`;
      const rows = await api.list({ doing: `list the regions of ${cloudProvider}`, path }, 'regions', filters);
      return rows.map(readRegion);
    },
    listNetworks: (filters = {}) => lists.networks(filters),
    getNetwork: async (id) => readNetwork(await api.get({ doing: `read the network ${id}`, path: at(id) })),
    createNetwork(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the network "${fields.name}"`,
        method: 'POST',
        path: '/v1/networks',
        body: { network: fields },
        read: readOperation,
        look: () => lostCreation(lists, 'networks', fields, sentAt),
      });
    },
    deleteNetwork: (id) =>
      api.change({
        doing: `delete the network ${id}`,
        method: 'DELETE',
        path: at(id),
        read: readOperation,
        look: () => lostDeletion(lists, id, 'TYPE_DELETE_NETWORK'),
      }),
  };
}

/** The calls for clusters. */
export function openClusterCalls(
  api: Api,
  { deadline, world }: WaitParts,
): Pick<Cloud, 'createCluster' | 'listClusters' | 'getCluster' | 'updateCluster' | 'deleteCluster' | 'waitForCluster'> {
  const lists = listsOf(api);
  const at = (id: string): string => pathOf`/v1/clusters/${id}`;
  return {
    listClusters: (filters = {}) => lists.clusters(filters),
    getCluster: lists.cluster,
    createCluster(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the cluster "${fields.name}"`,
        method: 'POST',
        path: '/v1/clusters',
        body: { cluster: fields },
        read: readOperation,
        look: () => lostCreation(lists, 'clusters', fields, sentAt),
      });
    },
    updateCluster: (id, changes) =>
      api.change({
        doing: `update the cluster ${id}`,
        method: 'PATCH',
        path: at(id),
        body: changes,
        read: readOperation,
        look: () => lostUpdate(lists, id, changes),
      }),
    deleteCluster: (id) =>
      api.change({
        doing: `delete the cluster ${id}`,
        method: 'DELETE',
        path: at(id),
        read: readOperation,
        look: () => lostDeletion(lists, id, 'TYPE_DELETE_CLUSTER'),
      }),
    waitForCluster: (id, isDone, options) =>
      poll<Cluster | undefined>({
        what: `cluster ${id}`,
        read: () => lists.cluster(id).catch(undefinedWhenMissing),
        isDone: (cluster) => cluster === undefined || isDone(cluster),
        onProgress: (cluster) => cluster && options.onProgress?.(cluster),
        waitTimeoutMs: options.waitTimeoutMs,
        resumeWith: options.resumeWith ?? commandText`weir cloud cluster get ${id}`,
        deadline,
        world,
      }),
  };
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** The calls for operations. */
export function openOperationCalls(
  api: Api,
  { deadline, world }: WaitParts,
): Pick<Cloud, 'getOperation' | 'listOperations' | 'waitForOperation'> {
  const lists = listsOf(api);
  async function getOperation(id: string): Promise<Operation> {
    const path = pathOf`/v1/operations/${id}`;
    return readOperation(await api.get({ doing: `read the operation ${id}`, path }));
  }
  return {
    getOperation,
    listOperations: (filters = {}) => lists.operations(filters),
    async waitForOperation(
      id,
      { onProgress, waitTimeoutMs, resumeWith = commandText`weir cloud operation wait ${id}` },
    ) {
      const operation = await poll({
        what: `operation ${id}`,
        read: () => getOperation(id),
        isDone: ({ state }) => state === 'STATE_COMPLETED' || state === 'STATE_FAILED',
        onProgress,
        waitTimeoutMs,
        resumeWith,
        deadline,
        world,
      });
      if (operation.state === 'STATE_FAILED') {
        const name = `operation ${id}${operation.type === '' ? '' : ` (${operation.type} of ${operation.resource_id})`}`;
        throw failedOperation(name, id, operation.error);
      }
      return operation;
    },
  };
}
