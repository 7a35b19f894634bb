import { within } from '../../../clock.ts';
import { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { Acl } from './acl-rows.ts';
import { listAcls } from './acls.ts';
import { mayAllowUnlisted } from './explain.ts';

/** How long a command waits for a warning, in milliseconds. */
const patienceMs = 1000;

/**
 * Which of the ACLs would be the first of a resource that everybody may use until then: without any ACL,
 * `allow.everyone.if.no.acl.found` of StandardAuthorizer decides; with one, whoever has none is denied. None if the
 * brokers do not answer within a second, because this is only good for a warning.
 * @param existing those of the ACLs that exist
 */
export async function firstAcls(
  client: Client,
  acls: readonly Acl[],
  existing: ReadonlySet<Acl>,
): Promise<readonly Acl[]> {
  const resourceOf = ({ resource_type, resource_name }: Acl) => `${resource_type} ${resource_name}`;
  const resources = new Map(acls.map((acl) => [resourceOf(acl), acl]));
  for (const acl of existing) resources.delete(resourceOf(acl));
  if (resources.size === 0) return [];
  const { deadline } = client.options;
  try {
    return await within(deadline.clock, patienceMs, firstsOf(client, [...resources.values()]), () => []);
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof CliError) return [];
    throw error;
  }
}

async function firstsOf(client: Client, acls: readonly Acl[]): Promise<readonly Acl[]> {
  const isFirst = async ({ resource_type, resource_name }: Acl): Promise<boolean> => {
    const anything = { principal: null, host: null, operation: 'ANY', permission: 'ANY' };
    const filter = { ...anything, resource_type, resource_name, resource_pattern_type: 'MATCH' };
    return (await listAcls(client, [filter], 'once')).matches.length === 0;
  };
  const firsts = (await Promise.all(acls.map(async (acl) => ((await isFirst(acl)) ? [acl] : [])))).flat();
  return firsts.length > 0 && (await mayAllowUnlisted(client)) ? firsts : [];
}
