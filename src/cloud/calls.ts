import { commandText } from '../format/shell-word.ts';
import { type ApiPath, pathOf } from '../net/json-api/call.ts';
import { type PollParts, poll } from '../net/poll.ts';
import { type Fields, fieldsOf } from '../shape/object.ts';
import { at, converted, listOf, orElse, row, type Shape } from '../shape/shape.ts';
import { type Api, calls, type Filters, getOne, listAll } from './api/api.ts';
import { failedOperation } from './api/api-error.ts';
import { isMissing } from './api/error-words.ts';
import {
  lostBinding,
  lostCreation,
  lostDeletion,
  lostGroup,
  lostServiceAccount,
  lostUpdate,
} from './api/lost-answer.ts';
import {
  type Cluster,
  cluster,
  type Network,
  network,
  newServiceAccount,
  type Operation,
  operation,
  pack,
  pathOfAll,
  pathOfOne,
  type Resource,
  region,
  resourceGroup,
  roleBinding,
  secret,
  serviceAccount,
  text,
  user,
} from './cloud-rows.ts';

/** The calls for resource groups. */
export function createResourceGroupCalls(api: Api) {
  return {
    listResourceGroups: (filters: Filters = {}) => listAll(api, resourceGroup, filters),
    getResourceGroup: (id: string) => getOne(api, resourceGroup, id),
    async createResourceGroup(fields: Fields) {
      const sentAt = Date.now();
      const made = await api.call(
        calls.post(`create the resource group "${fields.name}"`, pathOfAll(resourceGroup), {
          body: { resource_group: fields },
          answer: resourceGroup.answer,
          look: () => lostGroup(api, fields, sentAt),
        }),
      );
      // Only the id is guaranteed in the response.
      return made.name === '' ? { ...made, name: String(fields.name) } : made;
    },
    deleteResourceGroup: removal(api, resourceGroup),
  };
}

/** The calls for networks and the regions that they can be in. */
export function createNetworkCalls(api: Api) {
  return {
    /** The regions of a provider, by the API's word for it. Filters: `cluster_type`. */
    listRegions: (cloudProvider: string, filters: Filters = {}) =>
      listAll(api, region, filters, {
        doing: `list the regions of ${cloudProvider}`,
        path: pathOf`/v1/regions/${cloudProvider}`,
      }),
    listNetworks: (filters: Filters = {}) => listAll(api, network, filters),
    getNetwork: (id: string) => getOne(api, network, id),
    createNetwork: creation(api, network),
    deleteNetwork: deletion(api, network),
  };
}

/** The call that starts the creation of a network or a cluster, given the fields inside the key of its type. */
function creation(api: Api, resource: Resource<Network> | Resource<Cluster>) {
  const { noun } = resource;
  return (fields: Fields) => {
    const sentAt = Date.now();
    return api.call(
      calls.post(`create the ${noun} "${fields.name}"`, pathOfAll(resource), {
        body: { [noun]: fields },
        answer: operation.answer,
        look: () => lostCreation(api, resource, fields, sentAt),
      }),
    );
  };
}

/** The call that deletes what is gone at once. It may be repeated: an id is never used again. */
function removal<T extends Fields>(api: Api, resource: Resource<T>) {
  return (id: string): Promise<void> =>
    api.call(
      calls.delete(`delete the ${resource.noun} ${id}`, pathOfOne(resource, id), {
        answer: () => undefined,
        repeats: true,
        isDone: () =>
          getOne(api, resource, id).then(
            () => false,
            whenMissing(() => true),
          ),
      }),
    );
}

/** The call that starts the deletion of a network or a cluster. */
function deletion(api: Api, resource: Pick<Resource, 'noun'>) {
  return (id: string) =>
    api.call(
      calls.delete(`delete the ${resource.noun} ${id}`, pathOfOne(resource, id), {
        answer: operation.answer,
        look: () => lostDeletion(api, resource, id),
      }),
    );
}

/** How to wait for a cluster or for a long-running operation. */
interface WaitOptions<S> {
  /** The limit in milliseconds; the command timeout is paused during the wait. */
  readonly waitTimeoutMs: number;
  /** Called with the result of each poll, including the last. */
  readonly onProgress?: (state: S) => void;
  /** The command that resumes the wait, for messages (default: the one that reads or waits for it). */
  readonly resumeWith?: string | undefined;
}

/** The calls for clusters. */
export function createClusterCalls(api: Api, { deadline, world }: PollParts) {
  return {
    listClusters: (filters: Filters = {}) => listAll(api, cluster, filters),
    getCluster: (id: string) => getOne(api, cluster, id),
    createCluster: creation(api, cluster),
    /** `changes` has only the changed fields, for example `cluster_configuration.custom_properties`. */
    updateCluster: (id: string, changes: Fields) =>
      api.call(
        calls.patch(`update the cluster ${id}`, pathOfOne(cluster, id), {
          body: changes,
          answer: operation.answer,
          look: () => lostUpdate(api, id, changes),
        }),
      ),
    deleteCluster: deletion(api, cluster),
    /**
     * Polls until `isDone` returns true; undefined if the cluster is gone (404).
     * @throws CliError (exit 5) on a timeout
     */
    waitForCluster: (id: string, isDone: (cluster: Cluster) => boolean, options: WaitOptions<Cluster>) =>
      poll<Cluster | undefined>({
        what: `cluster ${id}`,
        read: () => getOne(api, cluster, id).catch(whenMissing(() => undefined)),
        isDone: (latest) => latest === undefined || isDone(latest),
        onProgress: (latest) => latest && options.onProgress?.(latest),
        waitTimeoutMs: options.waitTimeoutMs,
        resumeWith: options.resumeWith ?? commandText`weir cloud cluster get ${id}`,
        deadline,
        world,
      }),
  };
}

function whenMissing<T>(otherwise: () => T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return otherwise();
    throw error;
  };
}

/** The calls for operations. */
export function createOperationCalls(api: Api, { deadline, world }: PollParts) {
  const getOperation = (id: string) => getOne(api, operation, id);
  return {
    getOperation,
    /** Filters: `type_in` (several), `state`, `resource_id`. Newest last. */
    listOperations: (filters: Filters = {}) => listAll(api, operation, filters),
    /**
     * Polls until the operation has completed, and returns it. If aborted, the error has the id and the resume command.
     * @throws ApiError (exit 1) with the server's error if the operation failed; CliError (exit 5) on a timeout
     */
    async waitForOperation(id: string, options: WaitOptions<Operation>) {
      const { onProgress, waitTimeoutMs, resumeWith = commandText`weir cloud operation wait ${id}` } = options;
      const done = await poll({
        what: `operation ${id}`,
        read: () => getOperation(id),
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

/** The calls for access control: role bindings, users and service accounts. */
export function createAccessCalls(api: Api) {
  return {
    /** Filters: `role_name`, `scope.resource_type`. */
    listRoleBindings: (filters: Filters = {}) => listAll(api, roleBinding, filters),
    getRoleBinding: (id: string) => getOne(api, roleBinding, id),
    /** `fields` are at the top level of the body. */
    createRoleBinding: (fields: Fields) =>
      api.call(
        calls.post(`create the role binding for ${fields.account_id}`, pathOfAll(roleBinding), {
          body: fields,
          answer: roleBinding.answer,
          look: () => lostBinding(api, fields),
        }),
      ),
    deleteRoleBinding: removal(api, roleBinding),
    getUser: (id: string) => getOne(api, user, id),
    listUsers: () => listAll(api, user, {}),
    async createServiceAccount(fields: Fields) {
      const sentAt = Date.now();
      return await api.call(
        calls.post(`create the service account "${fields.name}"`, pathOfAll(serviceAccount), {
          body: { service_account: fields },
          answer: newServiceAccount.answer,
          look: () => lostServiceAccount(api, fields, sentAt),
        }),
      );
    },
    listServiceAccounts: () => listAll(api, serviceAccount, {}),
    getServiceAccount: (id: string) => getOne(api, serviceAccount, id),
    deleteServiceAccount: removal(api, serviceAccount),
  };
}

/** What a secret is set to. */
export interface NewSecret {
  readonly scopes: readonly string[];
  /** UTF-8 text, which is sent as Base64. */
  readonly value: string;
}

/** The calls for the secrets of a cluster, to its data plane. */
export function createSecretCalls(api: Api) {
  const bodyOf = ({ scopes, value }: NewSecret) => ({ scopes, secret_data: Buffer.from(value).toString('base64') });
  const hidden = ({ secret_data: data }: ReturnType<typeof bodyOf>, { value }: NewSecret) => [data, value];
  return {
    /** Filters: `name_contains`. */
    listSecrets: (filters: Filters) => listAll(api, secret, filters),
    getSecret: (id: string) => getOne(api, secret, id),
    createSecret(id: string, given: NewSecret) {
      const body = bodyOf(given);
      const secrets = hidden(body, given);
      const more = { body: { id, ...body }, secrets, answer: secret.answer };
      return api.call(calls.post(`create the secret ${id}`, pathOfAll(secret), more));
    },
    updateSecret(id: string, given: NewSecret) {
      const body = bodyOf(given);
      const more = { body, secrets: hidden(body, given), answer: secret.answer, repeats: true };
      return api.call(calls.put(`update the secret ${id}`, pathOfOne(secret, id), more));
    },
    deleteSecret: removal(api, secret),
  };
}

const packOfCluster = converted(fieldsOf, row({ version: at('spec.installPackVersion', text) }));

/** The calls for install packs, which only the older API has. */
export function createPackCalls(api: Api) {
  const packs = pathOf`/api/v1/clusters-resources/install-pack-versions`;
  const get = <T>(path: ApiPath, answer: Shape<T>) =>
    api.call(calls.get(`read ${path}`, path, answer, { isLegacy: true }));
  return {
    /** The version of the install pack of a cluster; empty if it has none. */
    packOfCluster: (clusterId: string) => get(pathOf`/api/v1/clusters/${clusterId}`, packOfCluster),
    getPack: (version: string) => get(pathOf`/api/v1/clusters-resources/install-pack-versions/${version}`, pack),
    listPacks: () => get(packs, orElse(listOf(pack), [])),
  };
}

/** The calls for install packs. */
export type PackCalls = ReturnType<typeof createPackCalls>;
