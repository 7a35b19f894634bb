import { isNoId, isUnread } from '../../cloud/api/error-words.ts';
import type { Cluster, Network, ResourceGroup, ServiceAccount, User } from '../../cloud/cloud-rows.ts';
import type { Cloud } from '../../cloud/open.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, notFoundError } from '../../errors.ts';

/** What the rows of every kind have. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** A kind of resource that a word may mean by its id or its name. */
export interface Findable<R extends Named = Named> {
  readonly noun: string;
  /** The command that lists them. */
  readonly listedBy: string;
  get(cloud: Cloud, id: string): Promise<R>;
  list(cloud: Cloud): Promise<readonly R[]>;
}

/** Clusters, by id or name. */
export const clusters: Findable<Cluster> = {
  noun: 'cluster',
  listedBy: 'weir cloud cluster list',
  get: (cloud, id) => cloud.getCluster(id),
  list: (cloud) => cloud.listClusters(),
};

/** Networks, by id or name. */
export const networks: Findable<Network> = {
  noun: 'network',
  listedBy: 'weir cloud network list',
  get: (cloud, id) => cloud.getNetwork(id),
  list: (cloud) => cloud.listNetworks(),
};

/** Resource groups, by id or name. */
export const resourceGroups: Findable<ResourceGroup> = {
  noun: 'resource group',
  listedBy: 'weir cloud resource-group list',
  get: (cloud, id) => cloud.getResourceGroup(id),
  list: (cloud) => cloud.listResourceGroups(),
};

/** Service accounts, by id or name. */
export const serviceAccounts: Findable<ServiceAccount> = {
  noun: 'service account',
  listedBy: 'weir cloud service-account list',
  get: (cloud, id) => cloud.getServiceAccount(id),
  list: (cloud) => cloud.listServiceAccounts(),
};

/** Users, by id, name or email address. */
export const users: Findable<User> = {
  noun: 'user',
  listedBy: 'weir cloud user list',
  get: (cloud, id) => cloud.getUser(id),
  list: (cloud) => cloud.listUsers(),
};

/**
 * Finds the resource that a word means: the one with this id or, if there is none, the one with this name. Undefined if only
 * the control plane can tell, because it has no list that would say what exists.
 * @throws CliError: exit 3 if there is none, exit 6 if several have that name
 */
export async function findOne<R extends Named>(
  context: Context,
  kind: Findable<R>,
  word: string,
): Promise<R | undefined> {
  const match = await lookUp(context, [kind], word);
  if (match === 'none') throw unfound([kind], word);
  return match === 'unknown' ? undefined : match;
}

/** Reads the resource that a word means; of one that nobody can look up, the error is the control plane's. */
export async function readOne<R extends Named>(context: Context, kind: Findable<R>, word: string): Promise<R> {
  return (await findOne(context, kind, word)) ?? (await kind.get(await context.cloud(), word));
}

/** What a field or a flag refers to. */
export interface Reference {
  readonly kinds: readonly Findable[];
  /** Whether it may refer to something else, too, so that a word that is not found is taken as an id. */
  readonly isOpen?: boolean;
}

/**
 * The id of what a word means. A word that nobody can look up is taken as an id, for the control plane to refuse.
 * @throws CliError as `findOne`
 */
export async function idOf(context: Context, { kinds, isOpen = false }: Reference, word: string): Promise<string> {
  const match = await lookUp(context, kinds, word);
  if (match === 'none' && !isOpen) throw unfound(kinds, word);
  return typeof match === 'string' ? word : match.id;
}

async function lookUp<R extends Named>(
  context: Context,
  kinds: readonly Findable<R>[],
  word: string,
): Promise<R | 'none' | 'unknown'> {
  const cloud = await context.cloud();
  for (const kind of kinds) {
    const resource = await unlessRefused(kind.get(cloud, word), isNoId);
    if (resource !== undefined) return { ...resource, id: resource.id || word };
  }
  const lists = await Promise.all(kinds.map((kind) => unlessRefused(kind.list(cloud), isUnread)));
  const matching = kinds.flatMap((kind, at) =>
    (lists[at] ?? []).filter((row) => isCalled(row, word)).map((row) => ({ kind, row })),
  );
  const [only, another] = matching;
  if (another !== undefined) {
    const ids = matching.map(({ row }) => row.id);
    throw ambiguous(`${matching.length} ${nounsOf(kinds, 's and ')}s`, word, ids);
  }
  if (only === undefined) return lists.includes(undefined) ? 'unknown' : 'none';
  // A list may leave out fields.
  return (await unlessRefused(only.kind.get(cloud, only.row.id), isUnread)) ?? only.row;
}

async function unlessRefused<T>(read: Promise<T>, isRefused: (error: unknown) => boolean): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

function isCalled({ id, name, email }: Named, word: string): boolean {
  return [id, name, email].includes(word);
}

function nounsOf(kinds: readonly Findable[], joint: string): string {
  return kinds.map(({ noun }) => noun).join(joint);
}

function ambiguous(what: string, word: string, ids: readonly string[]): CliError {
  return new CliError(exitCodes.conflict, `ambiguous name "${word}": ${what} have it`, {
    code: 'AMBIGUOUS_NAME',
    target: word,
    hints: [`use an id instead: ${ids.join(', ')}`],
  });
}

function unfound(kinds: readonly Findable[], word: string): CliError {
  const nouns = nounsOf(kinds, ' or ');
  return notFoundError(`unable to find the ${nouns} "${word}": none has this id or name`, {
    code: 'NOT_FOUND',
    target: word,
    hints: kinds.map(({ listedBy }) => `list them with: ${listedBy}`),
  });
}

/** A resource to delete. */
export interface Doomed {
  readonly id: string;
  /** Its name; empty if nobody could look it up. */
  readonly name: string;
}

/**
 * Finds a resource to delete. The request does not wait for reads that a control plane may not have: a word that nobody can
 * look up is taken as an id.
 * @throws CliError as `findOne`
 */
export async function findDoomed(context: Context, kind: Findable, word: string): Promise<Doomed> {
  const { id, name } = (await findOne(context, kind, word)) ?? { id: word, name: '' };
  return { id, name };
}

/** The confirmation of the deletion of a resource. */
export function confirmDeletion(noun: string, { id, name }: Doomed) {
  const shown = name === '' ? `"${id}"` : `"${name}" (${id})`;
  return { question: `Delete the ${noun} ${shown}`, name: name || id };
}
