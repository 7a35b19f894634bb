import { tableOf } from '../../../cli/forms/columns.ts';
import { type Section, sections } from '../../../format/sections.ts';
import { commandText } from '../../../format/shell-word.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, pairs } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { Acl } from '../../../kafka/cluster/access/acl-rows.ts';
import { resourceTypeOf } from '../../../kafka/cluster/access/acl-words.ts';
import type { ExplainedAcl, Explanation, Miss, Reason } from '../../../kafka/cluster/access/explanation-rows.ts';
import { aclColumns } from './acl-text.ts';

const reasons = {
  DENIED_BY_ACL: 'an ACL denies it; a denial wins over every permission',
  ALLOWED_BY_ACL: 'an ACL allows it, and none denies it',
  SUPER_USER: 'the principal is a super user',
  NO_ACL_FOR_RESOURCE: 'no ACL applies to the resource',
  NO_ACL_APPLIES: 'the resource has ACLs, but none of them allows this',
  NO_AUTHORIZER: 'the brokers have no authorizer, so everything is allowed',
} as const satisfies Record<Reason, string>;

const misses = {
  OTHER_PRINCIPAL: 'other principal',
  OTHER_HOST: 'other host',
  OTHER_OPERATION: 'other operation',
} as const satisfies Record<Miss, string>;

/** The answer with its reason, and the ACLs of the resource that name the principal. */
export function explanationText(row: Explanation, view: View): string {
  const summary: Section = { title: 'answer', body: pairs(summaryOf(row), view) };
  if (row.acls.length === 0) return summary.body;
  const effect = (one: ExplainedAcl): string => {
    if (one.miss !== null) return misses[one.miss];
    return isSame(one, row.rule) ? 'decides' : 'applies';
  };
  const table = tableOf(row.acls, [...aclColumns, ['effect', effect]], view);
  return sections([summary, { title: 'acls of the principal', body: table }], view);
}

function summaryOf(row: Explanation): (readonly [string, Cell])[] {
  const { principal, host, operation, resource_type, resource_name, allowed, reason } = row;
  return [
    ['answer', answerCell(allowed)],
    ['principal', principal],
    ['host', host ?? 'any that no ACL names'],
    ['operation', operation],
    ['resource', `${resource_type} ${resource_name}`.trimEnd()],
    ['reason', `${reasons[reason]}${reason === 'NO_ACL_FOR_RESOURCE' ? unlisted(row) : ''}`],
  ];
}

function answerCell(allowed: boolean | null): Cell {
  if (allowed === null) return healthCell('UNKNOWN', 'pending');
  return allowed ? healthCell('ALLOWED', 'good') : healthCell('DENIED', 'bad');
}

function unlisted({ allowed, hidden_settings: hidden }: Explanation): string {
  const setting = 'allow.everyone.if.no.acl.found';
  if (hidden.includes('kafka_enable_authorization')) return '';
  if (hidden.includes(setting)) return `: denied unless the brokers have ${setting}=true`;
  return `, and ${setting} is ${allowed}`;
}

function isSame(one: Acl, rule: Acl | null): boolean {
  return rule !== null && Object.keys(Acl.fields).every((key) => one[key as keyof Acl] === rule[key as keyof Acl]);
}

/** What the reader of an answer should know besides: hidden settings, and ACLs that depend on the host. */
export function remarksOn(row: Explanation): readonly string[] {
  const { principal, host, acls, hidden_settings: hidden, possible_roles: memberships } = row;
  const isRedpanda = hidden.includes('kafka_enable_authorization');
  const remarks: string[] = [];
  const groups = memberships.filter((one) => one.startsWith('Group:'));
  const roles = memberships.filter((one) => !groups.includes(one));
  if (roles.length > 0)
    remarks.push(
      `whether ${principal} is a member of ${roles.join(', ')}, which has ACLs for this, is not known without admin.hosts`,
    );
  if (groups.length > 0)
    remarks.push(
      `whether ${principal} is in ${groups.join(', ')}, which has ACLs for this, is known only from the OIDC token of a login`,
    );
  if (hidden.includes('superusers'))
    remarks.push(
      `the brokers do not show superusers: if ${principal} is one of them, everything is allowed (say so with --super-user)`,
    );
  if (resourceTypeOf(row.resource_type)?.subsystem === 'registry')
    remarks.push('the schema registry checks ACLs only if the property schema_registry_enable_authorization is true');
  else if (isRedpanda)
    remarks.push(
      'the brokers do not show kafka_enable_authorization and enable_sasl: if the first is false, or null while the second is false, everything is allowed',
    );
  if (hidden.includes('super.users'))
    remarks.push(
      `the brokers do not show super.users: if ${principal} is one of them, everything is allowed (say so with --super-user)`,
    );
  if (hidden.includes('allow.everyone.if.no.acl.found'))
    remarks.push(
      'the brokers do not show allow.everyone.if.no.acl.found: pass its value with ' +
        '--allow-everyone-if-no-acl-found=true or =false',
    );
  const { operation } = row;
  // Redpanda checks DELETE on the topic only (src/v/kafka/server/server.cc:1242).
  const isFromCluster = operation === 'CREATE' || (operation === 'DELETE' && !isRedpanda);
  if (!row.allowed && row.resource_type === 'TOPIC' && isFromCluster)
    remarks.push(
      commandText`${operation} on the cluster allows it, too: weir security acl explain ${principal} ${operation.toLowerCase()} cluster`,
    );
  const hosts = [...new Set(acls.filter(({ miss }) => miss === 'OTHER_HOST').map((one) => one.host))];
  if (host === null && hosts.length > 0)
    remarks.push(`ACLs for single hosts do not apply without --host: ${hosts.join(', ')}`);
  return remarks;
}
