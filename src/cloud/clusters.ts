import type { Deadline } from '../deadline.ts';
import { commandText } from '../format/shell-word.ts';
import { pathOf } from '../net/json-api/call.ts';
import { poll } from '../net/poll.ts';
import type { RetryWorld } from '../net/retry.ts';
import type { Api } from './api/api.ts';
import { failedOperation, isMissing } from './api/api-error.ts';
import { lostCreation, lostDeletion, lostUpdate } from './api/lost-answer.ts';
import { answerOf, getOne, listAll, listsOf, pathOfAll, pathOfOne } from './api/resources.ts';
import type { Cloud } from './cloud.ts';
import { type Cluster, cluster, network, operation, region } from './cloud-rows.ts';

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
  return {
    async listRegions(cloudProvider, filters = {}) {
      const path = pathOf`/v1/regions/${cloudProvider}`;
      const rows = await api.list({ doing: `list the regions of ${cloudProvider}`, path }, 'regions', filters);
      return rows.map(answerOf(region));
    },
    listNetworks: (filters = {}) => listAll(api, network, filters),
    getNetwork: (id) => getOne(api, network, id),
    createNetwork(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the network "${fields.name}"`,
        method: 'POST',
        path: pathOfAll(network),
        body: { network: fields },
        read: answerOf(operation),
        look: () => lostCreation(lists, 'networks', fields, sentAt),
      });
    },
    deleteNetwork: (id) =>
      api.change({
        doing: `delete the network ${id}`,
        method: 'DELETE',
        path: pathOfOne(network, id),
        read: answerOf(operation),
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
  return {
    listClusters: (filters = {}) => listAll(api, cluster, filters),
    getCluster: lists.cluster,
    createCluster(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the cluster "${fields.name}"`,
        method: 'POST',
        path: pathOfAll(cluster),
        body: { cluster: fields },
        read: answerOf(operation),
        look: () => lostCreation(lists, 'clusters', fields, sentAt),
      });
    },
    updateCluster: (id, changes) =>
      api.change({
        doing: `update the cluster ${id}`,
        method: 'PATCH',
        path: pathOfOne(cluster, id),
        body: changes,
        read: answerOf(operation),
        look: () => lostUpdate(lists, id, changes),
      }),
    deleteCluster: (id) =>
      api.change({
        doing: `delete the cluster ${id}`,
        method: 'DELETE',
        path: pathOfOne(cluster, id),
        read: answerOf(operation),
        look: () => lostDeletion(lists, id, 'TYPE_DELETE_CLUSTER'),
      }),
    waitForCluster: (id, isDone, options) =>
      poll<Cluster | undefined>({
        what: `cluster ${id}`,
        read: () => lists.cluster(id).catch(undefinedWhenMissing),
        isDone: (found) => found === undefined || isDone(found),
        onProgress: (found) => found && options.onProgress?.(found),
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
  return {
    getOperation: (id) => getOne(api, operation, id),
    listOperations: (filters = {}) => listAll(api, operation, filters),
    async waitForOperation(
      id,
      { onProgress, waitTimeoutMs, resumeWith = commandText`weir cloud operation wait ${id}` },
    ) {
      const done = await poll({
        what: `operation ${id}`,
        read: () => getOne(api, operation, id),
        isDone: ({ state }) => state === 'STATE_COMPLETED' || state === 'STATE_FAILED',
        onProgress,
        waitTimeoutMs,
        resumeWith,
        deadline,
        world,
      });
      if (done.state !== 'STATE_FAILED') return done;
      const { type, resource_id: resourceId, error } = done;
      throw failedOperation(`operation ${id}${type === '' ? '' : ` (${type} of ${resourceId})`}`, id, error);
    },
  };
}
