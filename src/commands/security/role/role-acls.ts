import type { Context } from '../../../context.ts';
import { CliError, type ItemError, itemErrorOf, withHints } from '../../../errors.ts';
import { type Acl, type AclFilter, everyAcl } from '../../../kafka/cluster/access/acl-rows.ts';
import { deleteRegistryAclsOf, listAcls } from '../acl/subsystems.ts';

/** What the ACLs of a role are, as far as they are known. */
export interface RoleAcls {
  /** Null if they could not be read. */
  readonly permissions: readonly Acl[] | null;
  /** Why not; null if the brokers are not configured, too. */
  readonly error: ItemError | null;
}

/** What is known without asking the brokers. */
export const unknownAcls: RoleAcls = { permissions: null, error: null };

/**
 * Reads the ACLs of a role from the brokers and the schema registry, and says so if that is not possible: a role is the
 * principal `RedpandaRole:NAME` there.
 */
export async function readRoleAcls(context: Context, role: string): Promise<RoleAcls> {
  if (!(await hasBrokers(context))) {
    context.notice('the ACLs of the role are not shown: they are read from the brokers, and brokers is not set');
    return unknownAcls;
  }
  try {
    const { filters, matches } = await listAcls(context, [filterOf(role)]);
    const error = filters[0]?.error ?? null;
    if (error !== null) context.warn(`some ACLs of the role are not shown: ${error.message}`);
    return { permissions: matches, error };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CliError)) throw error;
    context.warn(`the ACLs of the role are not shown: ${error.message}`);
    return { permissions: null, error: itemErrorOf(error) };
  }
}

function filterOf(role: string): AclFilter {
  return { ...everyAcl, principal: principalOfRole(role) };
}

function principalOfRole(role: string): string {
  return `RedpandaRole:${role}`;
}

/**
 * Deletes the ACLs of a role that the schema registry keeps, which the cluster does not delete with the role.
 * @throws CliError if they cannot be read or deleted
 */
export async function deleteRegistryAcls(context: Context, role: string): Promise<void> {
  try {
    await deleteRegistryAclsOf(context, principalOfRole(role));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw withHints(error, ['delete the role without its ACLs with --keep-acls']);
  }
}

/** Whether brokers are configured; without, weir would ask whatever listens on this machine. */
export async function hasBrokers(context: Context): Promise<boolean> {
  return (await context.config()).setting('brokers').source !== 'default';
}
