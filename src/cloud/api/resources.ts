import { pathOf } from '../../net/json-api/call.ts';
import { read } from '../../shape/shape.ts';
import type { Filters } from '../cloud.ts';
import {
  cluster,
  type Fields,
  network,
  operation,
  type Resource,
  resourceGroup,
  roleBinding,
  serviceAccount,
} from '../cloud-rows.ts';
import type { Api } from './api.ts';
import type { Lists } from './lost-answer.ts';

/** The path of a type of resource, for example `/v1/resource-groups`. */
export function pathOfAll({ noun }: Pick<Resource, 'noun'>): string {
  return `/v1/${noun.replaceAll(' ', '-')}s`;
}

/** The path of one resource. */
export function pathOfOne(resource: Pick<Resource, 'noun'>, id: string): string {
  return pathOfAll(resource) + pathOf`/${id}`;
}

/** Reads an answer that is a resource. */
export function answerOf<T extends Fields>({ answer }: Resource<T>): (body: unknown) => T {
  return (body) => read(answer, body);
}

/** Reads one resource. */
export async function getOne<T extends Fields>(api: Api, resource: Resource<T>, id: string): Promise<T> {
  const body = await api.get({ doing: `read the ${resource.noun} ${id}`, path: pathOfOne(resource, id) });
  return answerOf(resource)(body);
}

/** Reads all pages of a list. */
export async function listAll<T extends Fields>(
  api: Api,
  resource: Resource<T>,
  filters: Filters,
): Promise<readonly T[]> {
  const nouns = `${resource.noun}s`;
  const call = { doing: `list the ${nouns}`, path: pathOfAll(resource) };
  const items = await api.list(call, nouns.replaceAll(' ', '_'), filters);
  return items.map(answerOf(resource));
}

/** The lists of the control plane, in which the effect of a lost request is looked for. */
export function listsOf(api: Api): Lists {
  return {
    resourceGroups: (filters) => listAll(api, resourceGroup, filters),
    networks: (filters) => listAll(api, network, filters),
    clusters: (filters) => listAll(api, cluster, filters),
    cluster: (id) => getOne(api, cluster, id),
    operations: (filters) => listAll(api, operation, filters),
    roleBindings: (filters) => listAll(api, roleBinding, filters),
    serviceAccounts: () => listAll(api, serviceAccount, {}),
  };
}
