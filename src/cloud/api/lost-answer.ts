import { CliError, exitCodes } from '../../errors.ts';
import type { Filters } from '../cloud.ts';
import type { Cluster, Fields, Network, Operation, ResourceGroup, RoleBinding, ServiceAccount } from '../rows.ts';
import { fieldsOf } from './fields.ts';

/** The lists in which a lost request is looked for. */
export interface Lists {
  resourceGroups(filters: Filters): Promise<readonly ResourceGroup[]>;
  networks(filters: Filters): Promise<readonly Network[]>;
  clusters(filters: Filters): Promise<readonly Cluster[]>;
  cluster(id: string): Promise<Cluster>;
  operations(filters: Filters): Promise<readonly Operation[]>;
  roleBindings(filters: Filters): Promise<readonly RoleBinding[]>;
  serviceAccounts(): Promise<readonly ServiceAccount[]>;
}

/** How much older than the request a resource may look and still be its own: clocks differ. */
const skewMs = 5 * 60_000;

/** Whether the row is what the request asked for: every field it named, and not older than the request. */
function isOurs(row: Fields, sent: Fields, sentAt: number): boolean {
  const created = typeof row.created_at === 'string' ? Date.parse(row.created_at) : Number.NaN;
  return holds(row, sent) && (Number.isNaN(created) || created >= sentAt - skewMs);
}

/** Whether `row` has everything that `sent` has, in depth. What the server leaves out does not count. */
function holds(row: unknown, sent: unknown): boolean {
  if (row === undefined || row === null) return true;
  if (Array.isArray(sent))
    return Array.isArray(row) && sent.length === row.length && sent.every((one, at) => holds(row[at], one));
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).every(([name, value]) => holds(fieldsOf(row)[name], value));
  }
  return row === sent;
}

/** The resource group that a lost request made. */
export async function lostGroup(lists: Lists, sent: Fields, sentAt: number): Promise<ResourceGroup | undefined> {
  const groups = await lists.resourceGroups({ name_contains: String(sent.name) });
  return groups.find((group) => group.name === sent.name && isOurs(group, sent, sentAt));
}

/** The operation of a network or cluster that a lost request began. */
export async function lostCreation(
  lists: Lists,
  kind: 'networks' | 'clusters',
  sent: Fields,
  sentAt: number,
): Promise<Operation | undefined> {
  const rows = await lists[kind]({ name_contains: String(sent.name) });
  const made = rows.find((one) => one.name === sent.name && isOurs(one, sent, sentAt));
  if (made === undefined) return undefined;
  const type = kind === 'networks' ? 'TYPE_CREATE_NETWORK' : 'TYPE_CREATE_CLUSTER';
  const operation = await newest(lists, made.id, type);
  if (operation !== undefined) return operation;
  const noun = kind.slice(0, -1);
  throw new CliError(exitCodes.failure, `the ${noun} "${made.name}" was created, but its operation cannot be found`, {
    code: 'ANSWER_LOST',
    hints: [`look at it with: weir cloud ${noun} get ${made.id}`],
    target: made.id,
  });
}

/** The operation of a change that a lost request began: it runs, or what it was to bring about is there. */
export async function lostUpdate(lists: Lists, id: string, changes: Fields): Promise<Operation | undefined> {
  const operation = await newest(lists, id, 'TYPE_UPDATE_CLUSTER');
  if (operation === undefined || operation.state === 'STATE_IN_PROGRESS') return operation;
  const cluster: Fields = await lists.cluster(id);
  const isThere = Object.entries(changes).every(
    ([name, value]) => cluster[name] != null && holdsAll(cluster[name], value),
  );
  return isThere ? operation : undefined;
}

/** As `holds`, but what is missing counts as different. */
function holdsAll(row: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return JSON.stringify(row) === JSON.stringify(sent);
  return Object.entries(sent).every(([name, value]) => holdsAll(fieldsOf(row)[name], value));
}

/** The operation of a deletion that a lost request began; one that failed does not count. */
export async function lostDeletion(
  lists: Lists,
  id: string,
  type: 'TYPE_DELETE_NETWORK' | 'TYPE_DELETE_CLUSTER',
): Promise<Operation | undefined> {
  const operation = await newest(lists, id, type);
  return operation?.state === 'STATE_FAILED' ? undefined : operation;
}

/** The role binding that a lost request made; the same one made before is as good. */
export async function lostBinding(lists: Lists, sent: Fields): Promise<RoleBinding | undefined> {
  const bindings = await lists.roleBindings({ role_name: String(sent.role_name) });
  return bindings.find((binding) => holds(binding, sent));
}

/**
 * A service account that a lost request made is of no use: its secret was in the answer.
 * @throws CliError (exit 1) when there is one
 */
export async function lostServiceAccount(lists: Lists, sent: Fields, sentAt: number): Promise<undefined> {
  const accounts = await lists.serviceAccounts();
  const made = accounts.find((account) => account.name === sent.name && isOurs(account, sent, sentAt));
  if (made === undefined) return undefined;
  throw new CliError(
    exitCodes.failure,
    `the service account "${made.name}" was created, but the answer with its secret was lost`,
    {
      code: 'ANSWER_LOST',
      hints: [
        `its id is ${made.id}: delete it, or give it a new secret, in the console`,
        'create another under another name',
      ],
      target: made.id,
    },
  );
}

async function newest(lists: Lists, resourceId: string, type: string): Promise<Operation | undefined> {
  const operations = await lists.operations({ resource_id: resourceId, type_in: [type] });
  return operations.at(-1);
}
