import type { Context } from '../../../context.ts';
import { CliError, type ItemError, itemErrorOf } from '../../../errors.ts';
import type { Acl } from '../../../kafka/cluster/access/acl-rows.ts';

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
 * Reads the ACLs of a role from the brokers, and says so if that is not possible: a role is the principal
 * `RedpandaRole:NAME` there.
 */
export async function readRoleAcls(context: Context, role: string): Promise<RoleAcls> {
  if (!(await hasBrokers(context))) {
    context.notice('the ACLs of the role are not shown: they are read from the brokers, and brokers is not set');
    return unknownAcls;
  }
  try {
    return { permissions: await aclsOf(context, role), error: null };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CliError)) throw error;
    context.warn(`the ACLs of the role are not shown: ${error.message}`);
    return { permissions: null, error: itemErrorOf(error) };
  }
}

async function aclsOf(context: Context, role: string): Promise<readonly Acl[]> {
  const kafka = await context.kafka();
  const { matches } = await kafka.listAcls([
    {
      principal: `RedpandaRole:${role}`,
      host: null,
      permission: 'ANY',
      resource_type: 'ANY',
      resource_name: null,
      resource_pattern_type: 'ANY',
      operation: 'ANY',
    },
  ]);
  return matches;
}

/** Whether brokers are configured; without, weir would ask whatever listens on this machine. */
export async function hasBrokers(context: Context): Promise<boolean> {
  return (await context.config()).setting('brokers').source !== 'default';
}
