import type { Client } from '../../protocol/client/client.ts';
import type { Acl } from './acl-rows.ts';
import { listAcls } from './acls.ts';
import { mayAllowUnlisted } from './explain.ts';

/**
 * Which of the ACLs would be the first of a resource that everybody may use until then: without any ACL,
 * `allow.everyone.if.no.acl.found` of StandardAuthorizer decides; with one, whoever has none is denied.
 */
export async function firstAcls(client: Client, acls: readonly Acl[]): Promise<readonly Acl[]> {
  if (!(await mayAllowUnlisted(client))) return [];
  const resources = new Map(acls.map((acl) => [`${acl.resource_type} ${acl.resource_name}`, acl]));
  const isFirst = async ({ resource_type, resource_name }: Acl): Promise<boolean> => {
    const anything = { principal: null, host: null, operation: 'ANY', permission: 'ANY' };
    const filter = { ...anything, resource_type, resource_name, resource_pattern_type: 'MATCH' };
    return (await listAcls(client, [filter])).matches.length === 0;
  };
  const firsts = await Promise.all([...resources.values()].map(async (acl) => ((await isFirst(acl)) ? [acl] : [])));
  return firsts.flat();
}
