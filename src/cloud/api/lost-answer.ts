import { CliError, exitCodes } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { fieldsOf } from '../../net/json.ts';
import type { Filters } from '../cloud.ts';
import type { Cluster, Fields, Network, Operation, ResourceGroup, RoleBinding, ServiceAccount } from '../cloud-rows.ts';

/** The lists that are searched for the result of a lost request. */
export interface Lists {
  resourceGroups(filters: Filters): Promise<readonly ResourceGroup[]>;
  networks(filters: Filters): Promise<readonly Network[]>;
  clusters(filters: Filters): Promise<readonly Cluster[]>;
  cluster(id: string): Promise<Cluster>;
  operations(filters: Filters): Promise<readonly Operation[]>;
  roleBindings(filters: Filters): Promise<readonly RoleBinding[]>;
  serviceAccounts(): Promise<readonly ServiceAccount[]>;
}

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
export async function lostGroup(lists: Lists, sent: Fields, sentAt: number): Promise<ResourceGroup | undefined> {
  const groups = await lists.resourceGroups({ name_contains: String(sent.name) });
  return groups.find((group) => isOurs(group, sent, sentAt));
}

/** Finds the operation of a network or cluster creation whose response was lost. */
export async function lostCreation(
  lists: Lists,
  kind: 'networks' | 'clusters',
  sent: Fields,
  sentAt: number,
): Promise<Operation | undefined> {
  const rows = await lists[kind]({ name_contains: String(sent.name) });
  const made = rows.find((one) => isOurs(one, sent, sentAt));
  if (made === undefined) return undefined;
  const type = kind === 'networks' ? 'TYPE_CREATE_NETWORK' : 'TYPE_CREATE_CLUSTER';
  const operation = await newest(lists, made.id, type);
  if (operation !== undefined) return operation;
  const noun = kind.slice(0, -1);
  throw new CliError(exitCodes.failure, `the ${noun} "${made.name}" was created, but its operation was not found`, {
    code: 'ANSWER_LOST',
    hints: [commandText`check its state with: weir cloud ${noun} get ${made.id}`],
    target: made.id,
  });
}

/** Finds the operation of an update whose response was lost: it is running, or its changes have been made. */
export async function lostUpdate(lists: Lists, id: string, changes: Fields): Promise<Operation | undefined> {
  const operation = await newest(lists, id, 'TYPE_UPDATE_CLUSTER');
  if (operation === undefined || operation.state === 'STATE_IN_PROGRESS') return operation;
  const cluster: Fields = await lists.cluster(id);
  return holdsAll(cluster, changes) ? operation : undefined;
}

/** Like `holds`, but a missing field counts as different. */
function holdsAll(row: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return JSON.stringify(row) === JSON.stringify(sent);
  return Object.entries(sent).every(([name, value]) => holdsAll(fieldsOf(row)[name], value));
}

/** Finds the operation of a deletion whose response was lost; a failed operation is ignored. */
export async function lostDeletion(
  lists: Lists,
  id: string,
  type: 'TYPE_DELETE_NETWORK' | 'TYPE_DELETE_CLUSTER',
): Promise<Operation | undefined> {
  const operation = await newest(lists, id, type);
  return operation?.state === 'STATE_FAILED' ? undefined : operation;
}

/** Finds the role binding that a lost request created; an equal binding that existed before is accepted, too. */
export async function lostBinding(lists: Lists, sent: Fields): Promise<RoleBinding | undefined> {
  const bindings = await lists.roleBindings({ role_name: String(sent.role_name) });
  return bindings.find((binding) => holds(binding, sent));
}

/**
 * Checks for a service account that a lost request created. It is unusable, because its secret was in the response.
 * @throws CliError (exit 1) if there is one
 */
export async function lostServiceAccount(lists: Lists, sent: Fields, sentAt: number): Promise<undefined> {
  const accounts = await lists.serviceAccounts();
  const made = accounts.find((account) => isOurs(account, sent, sentAt));
  if (made === undefined) return undefined;
  throw new CliError(
    exitCodes.failure,
    `the service account "${made.name}" was created, but the response with its secret was lost`,
    {
      code: 'ANSWER_LOST',
      hints: [
        `delete it or create a new secret for it in the console (its id is ${made.id})`,
        'or create a service account with another name',
      ],
      target: made.id,
    },
  );
}

async function newest(lists: Lists, resourceId: string, type: string): Promise<Operation | undefined> {
  const operations = await lists.operations({ resource_id: resourceId, type_in: [type] });
  return operations.at(-1);
}
