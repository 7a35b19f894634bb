import { CliError, exitCodes } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { type Fields, fieldsOf } from '../../shape/object.ts';
import {
  type Cluster,
  cluster,
  type Network,
  type Operation,
  operation,
  type Resource,
  type ResourceGroup,
  type RoleBinding,
  resourceGroup,
  roleBinding,
  serviceAccount,
} from '../cloud-rows.ts';
import { type Api, type Filters, getOne, listAll } from './api.ts';
import { isUnread } from './error-words.ts';

/** How much older than the request its resource may appear, in milliseconds, because clocks differ. */
const skewMs = 5 * 60_000;

/** Whether the row is the result of the request: it has every requested field, the name among them, and is not older than the request. */
function isOurs(row: Fields, sent: Fields, sentAt: number): boolean {
  const created = typeof row.created_at === 'string' ? Date.parse(row.created_at) : Number.NaN;
  return holds(row, sent) && (Number.isNaN(created) || created >= sentAt - skewMs);
}

/** Whether `row` has every value in `sent`, recursively. Fields that the server omits are ignored. */
function holds(row: unknown, sent: unknown): boolean {
  if (row === undefined || row === null) return true;
  if (Array.isArray(sent))
    return Array.isArray(row) && sent.length === row.length && sent.every((one, at) => holds(row[at], one));
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).every(([name, value]) => holds(fieldsOf(row)[name], value));
  }
  return row === sent;
}

/** Finds the resource group that a lost request created. */
export async function lostGroup(api: Api, sent: Fields, sentAt: number): Promise<ResourceGroup | undefined> {
  const groups = await listMade(api, resourceGroup, sent);
  return groups.find((group) => isOurs(group, sent, sentAt));
}

/** Finds the operation of a network or cluster creation whose response was lost. */
export async function lostCreation(
  api: Api,
  resource: Resource<Network> | Resource<Cluster>,
  sent: Fields,
  sentAt: number,
): Promise<Operation | undefined> {
  const rows = await listMade<Network | Cluster>(api, resource, sent);
  const made = rows.find((one) => isOurs(one, sent, sentAt));
  if (made === undefined) return undefined;
  const operation = await newest(api, made.id, 'CREATE', resource);
  if (operation !== undefined) return operation;
  const { noun } = resource;
  throw new CliError(exitCodes.failure, `the ${noun} "${made.name}" was created, but its operation was not found`, {
    code: 'ANSWER_LOST',
    hints: [commandText`check its state with: weir cloud ${noun} get ${made.id}`],
    target: made.id,
  });
}

/** Finds the operation of an update whose response was lost: it is running, or its changes have been made. */
export async function lostUpdate(api: Api, id: string, changes: Fields): Promise<Operation | undefined> {
  const operation = await newest(api, id, 'UPDATE', cluster);
  if (operation === undefined || operation.state === 'STATE_IN_PROGRESS') return operation;
  return holdsAll(await getOne(api, cluster, id), changes) ? operation : undefined;
}

/** Like `holds`, but a missing field counts as different. */
function holdsAll(row: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return JSON.stringify(row) === JSON.stringify(sent);
  return Object.entries(sent).every(([name, value]) => holdsAll(fieldsOf(row)[name], value));
}

/** Finds the operation of a deletion whose response was lost; a failed operation is ignored. */
export async function lostDeletion(
  api: Api,
  resource: Pick<Resource, 'noun'>,
  id: string,
): Promise<Operation | undefined> {
  const operation = await newest(api, id, 'DELETE', resource);
  return operation?.state === 'STATE_FAILED' ? undefined : operation;
}

/** Finds the role binding that a lost request created; an equal binding that existed before is accepted, too. */
export async function lostBinding(api: Api, sent: Fields): Promise<RoleBinding | undefined> {
  const bindings = await listAll(api, roleBinding, { role_name: String(sent.role_name) });
  return bindings.find((binding) => holds(binding, sent));
}

/**
 * Checks for a service account that a lost request created. It is unusable, because its secret was in the response.
 * @throws CliError (exit 1) if there is one
 */
export async function lostServiceAccount(api: Api, sent: Fields, sentAt: number): Promise<undefined> {
  const accounts = await listMade(api, serviceAccount, sent, {});
  const made = accounts.find((account) => isOurs(account, sent, sentAt));
  if (made === undefined) return undefined;
  throw new CliError(
    exitCodes.failure,
    `the service account "${made.name}" was created, but the response with its secret was lost`,
    {
      code: 'ANSWER_LOST',
      hints: [
        commandText`delete it with: weir cloud service-account delete ${made.id}`,
        'or create a new secret for it in the console',
        'or create a service account with another name',
      ],
      target: made.id,
    },
  );
}

/** Lists what a lost request may have created. @throws CliError if the control plane has no such list */
async function listMade<T extends Fields>(
  api: Api,
  resource: Resource<T>,
  { name }: Fields,
  filters: Filters = { name_contains: String(name) },
): Promise<readonly T[]> {
  try {
    return await listAll(api, resource, filters);
  } catch (error) {
    throw isUnread(error) ? unknownCreation(resource, String(name)) : error;
  }
}

/** The error for a creation of which nobody can say whether it was made: its answer was lost, and there is no list. */
export function unknownCreation({ noun }: Pick<Resource, 'noun'>, name: string): CliError {
  return new CliError(
    exitCodes.failure,
    `the ${noun} "${name}" may have been created: the response was lost, and the control plane does not list ${noun}s`,
    {
      code: 'ANSWER_LOST',
      target: name,
      hints: ['check in the console whether it exists before you repeat the command'],
    },
  );
}

/** The newest operation of one type on a resource; undefined if there is none, or nobody lists operations. */
async function newest(
  api: Api,
  id: string,
  verb: 'CREATE' | 'UPDATE' | 'DELETE',
  { noun }: Pick<Resource, 'noun'>,
): Promise<Operation | undefined> {
  const filters = { resource_id: id, type_in: [`TYPE_${verb}_${noun.toUpperCase()}`] };
  try {
    return (await listAll(api, operation, filters)).at(-1);
  } catch (error) {
    if (isUnread(error)) return undefined;
    throw error;
  }
}
