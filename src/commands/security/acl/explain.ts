import { flag, list, one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { exitCodes } from '../../../errors.ts';
import { Explanation } from '../../../kafka/cluster/access/explanation-rows.ts';
import { boolean } from '../../../kinds.ts';
import { checkedOperation, clientHost, oneResource, principal } from './acl-kinds.ts';
import { isChecked, uncheckedText } from './creation-plan.ts';
import { explanationText, remarksOn } from './explain-text.ts';
import { isOfRegistry, requireRegistryAcls } from './subsystems.ts';

/** `security acl explain` */
export const explain = getCommand({
  summary: 'Say whether a principal may do something, and by which rule',
  description: `Decides as Kafka's authorizer does: a super user may do everything; a denial wins over every permission; a
permission to read, write, delete or alter includes describe, and alter_configs includes describe_configs; without any
ACL for the resource, allow.everyone.if.no.acl.found decides. Kafka does not show the values of super.users and of
allow.everyone.if.no.acl.found; pass them if they matter.

On a Redpanda cluster, the ACLs of the roles that the principal has count as well. Its roles are read from the Admin API if
admin.hosts is set; otherwise a notice names the roles that matter. What no ACL allows is denied there.

The exit code is 10 if access is denied, and 1 if that depends on a value of allow.everyone.if.no.acl.found that the
brokers do not show.`,
  examples: [
    ['May ana read a topic?', 'security acl explain ana read topic:orders'],
    ['May she alter the cluster from one address?', 'security acl explain ana alter cluster --host 10.0.0.9'],
    [
      'Where everything without ACLs is allowed',
      'security acl explain ana read group:billing --allow-everyone-if-no-acl-found',
    ],
  ],
  apis: ['kafka', 'admin', 'registry'],
  args: {
    principal: one(principal, 'PRINCIPAL', 'for example ana or User:ana'),
    operation: one(checkedOperation, 'OPERATION'),
    resource: one(oneResource, 'RESOURCE', 'TYPE:NAME, for example topic:orders, or cluster, or registry'),
  },
  flags: {
    host: flag(clientHost, { help: 'IP address that the principal connects from (default: one that no ACL names)' }),
    superUser: list(principal, { splits: true, help: 'principals that the brokers have in super.users' }),
    allowEveryoneIfNoAclFound: flag(boolean, { bare: 'true', help: 'whether the brokers have this setting' }),
  },
  row: Explanation,
  async read(context, values) {
    const { host = null, superUser, operation, resource } = values;
    const asked = { ...resource, principal: values.principal, host, operation };
    const { resource_type } = resource;
    if (!isChecked(resource_type, operation)) context.warn(uncheckedText(resource_type, operation));
    const kafka = await context.kafka();
    const allowsUnlisted = values.allowEveryoneIfNoAclFound;
    const roles = await rolesOf(context, values.principal);
    const acls = isOfRegistry(resource) ? await requireRegistryAcls(context) : undefined;
    const row = await kafka.explainAccess({ ...asked, superUsers: superUser, allowsUnlisted, roles, acls });
    for (const remark of remarksOn(row)) context.noticeAfter(remark);
    return row;
  },
  text: explanationText,
  exitCode({ allowed }) {
    if (allowed === null) return exitCodes.failure;
    return allowed ? exitCodes.ok : exitCodes.checkFailed;
  },
});

/** The roles that a user of Redpanda has; undefined if nothing says so. */
async function rolesOf(context: Context, principal: string): Promise<readonly string[] | undefined> {
  const [type, name] = principal.split(/:(.*)/s);
  if (type !== 'User' || (await (await context.kafka()).isRedpanda()) !== true) return undefined;
  if ((await context.config()).setting('admin.hosts').source === 'default') return undefined;
  return (await context.admin()).roles({ member: { name: name ?? '', principal_type: type } });
}
